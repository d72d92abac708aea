-- What was said, for full-text search. Derived from the transcripts: dropped and made anew at will.

-- How far each transcript was read, and what was counted on the way.
CREATE TABLE sessions (
    session_id TEXT NOT NULL PRIMARY KEY,
    scope      TEXT NOT NULL,
    agent_id   TEXT NOT NULL,
    bytes      INTEGER NOT NULL,
    changed_ns INTEGER NOT NULL,
    inode      INTEGER NOT NULL,
    consumed   INTEGER NOT NULL,
    tail       BLOB NOT NULL,
    entries    INTEGER NOT NULL,
    first_said   TEXT,
    last_said    TEXT
) STRICT;

-- One row for each thing said. `position` counts the entries of a session.
CREATE VIRTUAL TABLE entries USING fts5(
    content,
    agent_id UNINDEXED,
    session_id UNINDEXED,
    timestamp_unix UNINDEXED,
    role UNINDEXED,
    source_plugin UNINDEXED,
    scope UNINDEXED,
    position UNINDEXED,
    tokenize = "unicode61 remove_diacritics 2"
);

-- The rows of a session, so that it can be forgotten without going through all.
CREATE TABLE held (
    session_id TEXT NOT NULL,
    entry      INTEGER NOT NULL,
    PRIMARY KEY (session_id, entry)
) STRICT, WITHOUT ROWID;
