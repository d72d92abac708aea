-- memory.db, version 3: facts, what is known of the user, and what is derived from both.
-- The first columns of each table, their names and their TEXT times (UTC) are those other tools query; ours stand
-- behind them. `*_ms` are milliseconds since 1970, UTC.

CREATE TABLE memories (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    category TEXT NOT NULL,
    content TEXT NOT NULL,
    metadata TEXT,
    source TEXT NOT NULL,
    deleted_at TEXT,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    uuid TEXT NOT NULL UNIQUE,
    scope_id TEXT NOT NULL DEFAULT 'agent_main',
    created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL,
    deleted_ms INTEGER,
    valid_from_ms INTEGER,
    valid_to_ms INTEGER,
    believed_from_ms INTEGER NOT NULL,
    believed_to_ms INTEGER,
    -- The number of its last change, over all facts: clocks jump, this does not.
    changed INTEGER NOT NULL,
    -- The hash of what it says, by which the same is not added twice.
    said TEXT NOT NULL,
    -- The proposal it came from, so that none is carried out twice.
    proposal TEXT UNIQUE
) STRICT;
CREATE INDEX memories_changed ON memories (changed);
CREATE INDEX memories_said ON memories (said) WHERE deleted_ms IS NULL;
CREATE INDEX memories_forgotten ON memories (deleted_ms) WHERE deleted_ms IS NOT NULL;

CREATE VIRTUAL TABLE memories_fts USING fts5(content, category, content='memories', content_rowid='id');
CREATE TRIGGER memories_ai AFTER INSERT ON memories BEGIN
    INSERT INTO memories_fts (rowid, content, category) VALUES (new.id, new.content, new.category);
END;
CREATE TRIGGER memories_ad AFTER DELETE ON memories BEGIN
    INSERT INTO memories_fts (memories_fts, rowid, content, category)
    VALUES ('delete', old.id, old.content, old.category);
END;
CREATE TRIGGER memories_au AFTER UPDATE OF content, category ON memories BEGIN
    INSERT INTO memories_fts (memories_fts, rowid, content, category)
    VALUES ('delete', old.id, old.content, old.category);
    INSERT INTO memories_fts (rowid, content, category) VALUES (new.id, new.content, new.category);
END;

-- What a fact said before, and while what it was believed.
CREATE TABLE memory_versions (
    id INTEGER PRIMARY KEY,
    memory_id INTEGER NOT NULL,
    category TEXT NOT NULL,
    content TEXT NOT NULL,
    metadata TEXT,
    source TEXT NOT NULL,
    valid_from_ms INTEGER,
    valid_to_ms INTEGER,
    believed_from_ms INTEGER NOT NULL,
    believed_to_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX memory_versions_of ON memory_versions (memory_id);
CREATE VIRTUAL TABLE memory_versions_fts USING fts5(
    content, category, content='memory_versions', content_rowid='id'
);
CREATE TRIGGER memory_versions_ai AFTER INSERT ON memory_versions BEGIN
    INSERT INTO memory_versions_fts (rowid, content, category) VALUES (new.id, new.content, new.category);
END;
CREATE TRIGGER memory_versions_ad AFTER DELETE ON memory_versions BEGIN
    INSERT INTO memory_versions_fts (memory_versions_fts, rowid, content, category)
    VALUES ('delete', old.id, old.content, old.category);
END;
CREATE TRIGGER memories_forget_versions AFTER DELETE ON memories BEGIN
    DELETE FROM memory_versions WHERE memory_id = old.id;
END;

CREATE TABLE user_profile (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE memory_edges (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    src_table TEXT NOT NULL,
    src_id INTEGER NOT NULL,
    dst_entity_kind TEXT NOT NULL,
    dst_entity_key TEXT NOT NULL,
    edge_type TEXT NOT NULL,
    weight REAL NOT NULL DEFAULT 1.0,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    UNIQUE (src_table, src_id, dst_entity_kind, dst_entity_key, edge_type)
) STRICT;
CREATE INDEX memory_edges_to ON memory_edges (dst_entity_kind, dst_entity_key);
CREATE TRIGGER memories_forget_edges AFTER DELETE ON memories BEGIN
    DELETE FROM memory_edges WHERE src_table = 'memories' AND src_id = old.id;
END;

CREATE TABLE memory_consolidation_events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    fact_id INTEGER NOT NULL,
    other_id INTEGER,
    decision TEXT NOT NULL,
    reason TEXT NOT NULL,
    model TEXT,
    invariant TEXT,
    at TEXT NOT NULL DEFAULT (datetime('now')),
    at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE instance_meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

-- The record of who did what under the names other tools query. Only inwit adds to it, since rows are chained.
CREATE VIEW audit_log (id, ts, trace_id, actor, tool_call, args_json, result, reason) AS
    SELECT seq, datetime(at_us / 1000000, 'unixepoch'), NULL, actor, verb, detail, target, NULL FROM audit;
