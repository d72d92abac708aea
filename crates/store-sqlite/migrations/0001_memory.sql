-- memory.db, version 1. Never changed once released: what comes later is another file beside it.
-- Moments are microseconds since 1970, UTC; hashes are 32 bytes; words are those of the model.

-- Bytes of receipts that are not in history yet.
CREATE TABLE blobs (
    sha256 BLOB NOT NULL UNIQUE CHECK (length(sha256) = 32),
    bytes BLOB NOT NULL
) STRICT;

-- One row per intent, written before the file changes.
CREATE TABLE ops (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    receipt TEXT NOT NULL UNIQUE,
    at_us INTEGER NOT NULL,
    name TEXT NOT NULL,
    deed TEXT NOT NULL,
    base BLOB,
    result BLOB,
    bytes BLOB,
    temp TEXT NOT NULL,
    actor TEXT NOT NULL,
    taint TEXT NOT NULL,
    session TEXT,
    proposal TEXT,
    undoes TEXT,
    reason TEXT NOT NULL,
    ended INTEGER NOT NULL CHECK (ended IN (0, 1, 2)),
    commit_id TEXT,
    audit_seq INTEGER NOT NULL,
    audit_hash BLOB NOT NULL
) STRICT;
CREATE INDEX ops_of_name ON ops (name, number);
CREATE INDEX ops_of_session ON ops (session, number) WHERE session IS NOT NULL;
CREATE INDEX ops_open ON ops (number) WHERE ended = 0;
CREATE INDEX ops_waiting ON ops (number) WHERE ended < 2 AND commit_id IS NULL;
CREATE INDEX ops_keeping ON ops (bytes) WHERE ended < 2 AND commit_id IS NULL;

-- Who did what; only ever added to.
CREATE TABLE audit (
    seq INTEGER PRIMARY KEY,
    at_us INTEGER NOT NULL,
    actor TEXT NOT NULL,
    verb TEXT NOT NULL,
    target TEXT NOT NULL,
    detail TEXT NOT NULL,
    prev BLOB NOT NULL,
    hash BLOB NOT NULL
) STRICT;
CREATE TRIGGER audit_is_not_altered BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'rows of the audit are never altered'); END;
CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'rows of the audit are never deleted'); END;
CREATE TABLE audit_head (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    rows INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO audit_head VALUES (1, 0, zeroblob(32));

CREATE TABLE proposals (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    created_us INTEGER NOT NULL,
    target TEXT NOT NULL,
    deed TEXT NOT NULL,
    bytes BLOB NOT NULL,
    base BLOB,
    result BLOB,
    actor TEXT NOT NULL,
    taint TEXT NOT NULL,
    session TEXT,
    reason TEXT NOT NULL,
    content BLOB NOT NULL,
    how TEXT,
    decided_by TEXT,
    decided_us INTEGER,
    decided_why TEXT,
    receipt TEXT
) STRICT;
CREATE UNIQUE INDEX proposals_waiting ON proposals (content) WHERE how IS NULL;
CREATE INDEX proposals_open ON proposals (session) WHERE how IS NULL;
CREATE INDEX proposals_rejected ON proposals (content) WHERE how = 'rejected';
CREATE TABLE findings (
    proposal INTEGER NOT NULL REFERENCES proposals (number),
    ordinal INTEGER NOT NULL,
    "check" TEXT NOT NULL,
    weight TEXT NOT NULL,
    class TEXT NOT NULL,
    span_start INTEGER NOT NULL,
    span_end INTEGER NOT NULL,
    line INTEGER NOT NULL,
    PRIMARY KEY (proposal, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    agent TEXT NOT NULL,
    scope TEXT NOT NULL,
    surface TEXT NOT NULL,
    room_name TEXT,
    user_name TEXT,
    started_us INTEGER NOT NULL,
    taint TEXT NOT NULL,
    turns INTEGER NOT NULL,
    last_turn_us INTEGER,
    journaled INTEGER NOT NULL,
    prefix BLOB,
    ended_us INTEGER
) STRICT;
CREATE INDEX sessions_open ON sessions (number) WHERE ended_us IS NULL;
CREATE INDEX sessions_with_prefix ON sessions (prefix) WHERE prefix IS NOT NULL;
CREATE TABLE prefixes (
    sha256 BLOB NOT NULL UNIQUE CHECK (length(sha256) = 32),
    bytes BLOB NOT NULL
) STRICT;

CREATE TABLE marks (
    entry BLOB NOT NULL PRIMARY KEY,
    taint TEXT NOT NULL,
    session TEXT,
    at_us INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What was recalled; the newest may be lost in a power cut.
CREATE TABLE signals (
    at_ms INTEGER NOT NULL,
    path TEXT NOT NULL,
    text BLOB NOT NULL,
    query BLOB NOT NULL,
    score REAL NOT NULL,
    session TEXT
) STRICT;
CREATE INDEX signals_at ON signals (at_ms);

CREATE TABLE fence (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    last INTEGER NOT NULL
) STRICT;
INSERT INTO fence VALUES (1, 0);
CREATE TABLE dreams (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    fence INTEGER NOT NULL UNIQUE,
    trigger TEXT NOT NULL,
    started_us INTEGER NOT NULL,
    ended_us INTEGER,
    outcome TEXT
) STRICT;
CREATE TABLE dream_counts (
    dream INTEGER NOT NULL REFERENCES dreams (number),
    ordinal INTEGER NOT NULL,
    name TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (dream, ordinal)
) STRICT, WITHOUT ROWID;
CREATE TABLE dream_reasons (
    dream INTEGER NOT NULL REFERENCES dreams (number),
    ordinal INTEGER NOT NULL,
    path TEXT NOT NULL,
    text BLOB NOT NULL,
    outcome TEXT NOT NULL,
    score REAL NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (dream, ordinal)
) STRICT, WITHOUT ROWID;

-- What dreams carried over and consumed.
CREATE TABLE sweeps (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    fence INTEGER NOT NULL,
    at_us INTEGER NOT NULL,
    target TEXT NOT NULL,
    section BLOB,
    confirmed INTEGER NOT NULL CHECK (confirmed IN (0, 1)),
    receipt TEXT
) STRICT;
CREATE INDEX sweeps_unconfirmed ON sweeps (number) WHERE confirmed = 0;
CREATE TABLE promotions (
    number INTEGER PRIMARY KEY,
    sweep INTEGER NOT NULL REFERENCES sweeps (number),
    path TEXT NOT NULL,
    text BLOB NOT NULL UNIQUE,
    bullet BLOB NOT NULL,
    score REAL NOT NULL,
    hits INTEGER NOT NULL,
    days INTEGER NOT NULL,
    phase TEXT NOT NULL
) STRICT;
CREATE INDEX promotions_of_sweep ON promotions (sweep);
-- A twin is the same span of the same bytes in a second log of one sweep.
CREATE TABLE spans (
    number INTEGER PRIMARY KEY,
    sweep INTEGER NOT NULL REFERENCES sweeps (number),
    path TEXT NOT NULL,
    log BLOB NOT NULL,
    first INTEGER NOT NULL,
    past INTEGER NOT NULL,
    twin INTEGER NOT NULL CHECK (twin IN (0, 1))
) STRICT;
CREATE UNIQUE INDEX spans_once ON spans (log, first, past) WHERE twin = 0;
CREATE INDEX spans_of_sweep ON spans (sweep);
CREATE INDEX spans_of_path ON spans (path, number);
