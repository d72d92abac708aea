//! The agents of a home.

use crate::shape::shape;

shape! {
    /// All agents of a home, by id.
    pub struct AgentsV1 {
        /// One row for each agent.
        pub agents: Vec<AgentRowV1>,
    }

    /// One agent.
    pub struct AgentRowV1 {
        /// Its id.
        pub id: String,
        /// Its workspace; null where its agent.toml cannot be read.
        pub workspace: Option<String>,
        /// Whether commands in the current folder use it.
        pub current: bool,
    }
}
