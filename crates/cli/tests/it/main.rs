//! The whole program: one story for each verb proves that the wire is connected.
//!
//! What a verb decides is proven below, in the engine; here it is words, exit statuses, JSON, and that
//! reading writes nothing into a workspace.

mod accept;
mod as_of;
mod audit_and_dream;
mod backup_and_restore;
mod bench;
mod bench_extract;
mod bench_week;
mod chat;
mod clients;
mod config_repair;
mod consolidation;
mod container;
mod contradictions;
mod counted_models;
mod dream_logs;
mod edit_and_undo;
mod errors;
mod existing_workspaces;
mod facts;
mod feedback;
mod foreign_rows;
mod forgetting;
mod fsync;
mod guides;
mod hooks;
mod host;
mod hostile_backups;
mod identity_and_transcripts;
mod import;
mod init;
mod init_and_import;
mod joined_turns;
mod json_answers;
mod killed_processes;
mod learning;
mod llm;
mod many_agents;
mod mcp;
mod meaning;
mod memory_damage;
mod memory_indexes;
mod missed_turns;
mod misuse;
mod model;
mod other_models;
mod previews;
mod projects;
mod prompt_and_get;
mod read_only_memory;
mod readme;
mod reranking;
mod review;
mod scheduler;
mod search;
mod search_batches;
mod serve;
mod serve_access;
mod serve_foreign;
mod serve_knowledge;
mod serve_logs;
mod serve_mcp;
mod serve_memory_stores;
mod serve_metrics;
mod serve_openapi;
mod serve_readiness;
mod serve_sockets;
mod service;
mod sessions_and_inbox;
mod setting_effects;
mod settings;
mod setup;
mod setup_configs;
mod setup_environment;
mod setup_uninstall;
mod shared_conversations;
mod show;
mod status_and_doctor;
mod terminal;
mod times;
mod which_folder;

use inwit_testkit::Cli;

/// Notes of a small household, with what is private and what a room sees.
const NOTES: &str = "
//- SOUL.md
I am Ada and I bake.
//- USER.md
Ana lives in Vigo.
//- MEMORY.md
# Food

- Likes rye bread with caraway.
- Dislikes coriander.
//- memory/2026-11-20.md
- Bought a bread chest.
- It stands under the stairs.
//- rooms/kitchen.md
- The kitchen bakes bread on Fridays.
//- memory/rooms/kitchen/2026-11-20.md
- Tomás brought a sourdough bread.
";

/// A user whose notes lie in `notes`.
fn user() -> Cli {
    Cli::new(env!("CARGO_BIN_EXE_inwit")).workspace("notes", NOTES)
}

/// A user without any notes.
fn newcomer() -> Cli {
    Cli::new(env!("CARGO_BIN_EXE_inwit"))
}

/// A user of a shell.
fn user_of_a_shell() -> Cli {
    Cli::new("/bin/sh").env("PATH", "/usr/bin:/bin")
}

/// Runs `script` in a shell; it finds the program as `$0`.
#[track_caller]
fn shell_on(cli: &Cli, script: &str) -> inwit_testkit::cli::Run {
    cli.run(["-c", script, env!("CARGO_BIN_EXE_inwit")])
}

#[test]
fn no_file_of_these_tests_is_forgotten() {
    inwit_testkit::no_forgotten_file(env!("CARGO_MANIFEST_DIR"), include_str!("main.rs"));
}
