//! Files visible to the owner only, many with names similar to a room's.
//!
//! Every proof of non-interference uses them, so that a name that once leaked is tested on all interfaces. The room
//! of these proofs is `kitchen`.

/// Visible to the owner only.
pub const PRIVATE: &[&str] = &[
    "USER.md", "MEMORY.md", "memory.md", "TOOLS.md", "HEARTBEAT.md", "BOOTSTRAP.md", "DREAMS.md",
    "memory/CORE.md", "memory/2026-11-21.md", "memory/2026-11-21-kitchen.md", "memory/kitchen/2026-11-21.md",
    "memory/rooms/kitchen.md", "memory/rooms/garden/2026-11-21.md", "memory/rooms/kitchen2/2026-11-21.md",
    "memory/topics/kitchen.md", "memory/dreaming/deep/2026-11-21.md", "rooms/garden.md", "notes/kitchen.md",
    "kitchen.md", "users/a/SOUL.md", "skills/bread/notes.md", "users/ada/SOUL.md", "skills/bread/secret.md",
];
