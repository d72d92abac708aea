-- memory.db: what outcomes teach (M1, M5). Methods are scored by the outcomes of decisions that rest on them; what
-- behaviour shows waits as a preference for the owner's word. No row here changes a fact, nor a fact one of these
-- (M11). Times as in `memories`: TEXT in UTC for other tools, `*_ms` for us.

CREATE TABLE methodologies (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uuid TEXT NOT NULL UNIQUE,
    scope_id TEXT NOT NULL DEFAULT 'agent_main',
    asset_class TEXT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    -- The hash of class, kind and words: the same method is not written twice, and another hand's words are told.
    fingerprint BLOB NOT NULL UNIQUE,
    times_used INTEGER NOT NULL DEFAULT 0 CHECK (times_used >= 0),
    times_correct INTEGER NOT NULL DEFAULT 0 CHECK (times_correct BETWEEN 0 AND times_used),
    -- Uses whose outcome nobody could have known.
    times_unforeseen INTEGER NOT NULL DEFAULT 0,
    -- The lower Wilson bound of the two, for who sorts by it.
    confidence REAL NOT NULL DEFAULT 0,
    pnl_sum REAL NOT NULL DEFAULT 0,
    quarantine INTEGER NOT NULL DEFAULT 1,
    archived INTEGER NOT NULL DEFAULT 0,
    graduated_at TEXT,
    demoted_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL
) STRICT;

-- Where decisions of one kind are made. A horizon of 0: nobody says when an outcome can be told.
CREATE TABLE roles (
    name TEXT PRIMARY KEY,
    horizon_hours INTEGER NOT NULL,
    overdue_hours INTEGER NOT NULL
) STRICT;
INSERT INTO roles (name, horizon_hours, overdue_hours) VALUES ('main', 0, 72);

CREATE TABLE decisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uuid TEXT NOT NULL UNIQUE,
    scope_id TEXT NOT NULL DEFAULT 'agent_main',
    role TEXT NOT NULL REFERENCES roles (name),
    asset TEXT,
    statement TEXT NOT NULL,
    made_at TEXT NOT NULL,
    made_ms INTEGER NOT NULL
) STRICT;

-- The methods that a decision rests on.
CREATE TABLE decision_methodologies (
    decision_id INTEGER NOT NULL REFERENCES decisions (id) ON DELETE CASCADE,
    methodology_id INTEGER NOT NULL REFERENCES methodologies (id) ON DELETE CASCADE,
    weight REAL NOT NULL CHECK (weight > 0),
    PRIMARY KEY (decision_id, methodology_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX decision_methodologies_of ON decision_methodologies (methodology_id);

-- How a decision ended, once; the same outcome is never counted twice.
CREATE TABLE outcomes (
    decision_id INTEGER PRIMARY KEY REFERENCES decisions (id) ON DELETE CASCADE,
    outcome_key TEXT NOT NULL UNIQUE,
    is_correct INTEGER NOT NULL,
    pnl REAL,
    outcome_class TEXT,
    told_at TEXT NOT NULL,
    told_ms INTEGER NOT NULL
) STRICT;

-- The case of each decision: what was learnt in its role, once its outcome is known.
CREATE TABLE role_memory (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    scope_id TEXT NOT NULL DEFAULT 'agent_main',
    role TEXT NOT NULL REFERENCES roles (name),
    decision_id INTEGER NOT NULL UNIQUE REFERENCES decisions (id) ON DELETE CASCADE,
    state TEXT NOT NULL DEFAULT 'pending',
    reflection TEXT,
    reflected_at TEXT
) STRICT;
CREATE TRIGGER role_memory_edges_ad AFTER DELETE ON role_memory BEGIN
    DELETE FROM memory_edges WHERE src_table = 'role_memory' AND src_id = old.id;
END;

CREATE TABLE learned_preferences (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uuid TEXT NOT NULL UNIQUE,
    scope_id TEXT NOT NULL DEFAULT 'agent_main',
    dimension TEXT NOT NULL,
    statement TEXT NOT NULL,
    fingerprint BLOB NOT NULL UNIQUE,
    evidence_count INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT 'observed',
    -- The fact that it became.
    fact_uuid TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL
) STRICT;

-- The sessions in which it was seen.
CREATE TABLE preference_sessions (
    preference_id INTEGER NOT NULL REFERENCES learned_preferences (id) ON DELETE CASCADE,
    session TEXT NOT NULL,
    PRIMARY KEY (preference_id, session)
) STRICT, WITHOUT ROWID;
