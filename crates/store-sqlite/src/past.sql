-- Lifetimes of passages. Derived from the commits of a history: dropped and built again at will.
-- Commits from 0, oldest first, each sealed (codec.rs): its name, moment and files.
CREATE TABLE steps (
    number INTEGER PRIMARY KEY,
    told   BLOB NOT NULL
) STRICT;

-- A passage stood in a file from step `seen_from` until before `seen_until`, which is NULL while it stands.
-- `sum` holds the row together (codec.rs).
CREATE TABLE lives (
    name       TEXT NOT NULL,
    passage    INTEGER NOT NULL,
    seen_from  INTEGER NOT NULL,
    seen_until INTEGER,
    sum        INTEGER NOT NULL,
    PRIMARY KEY (name, passage, seen_from)
) STRICT, WITHOUT ROWID;
CREATE INDEX lives_open ON lives (name, passage, seen_from) WHERE seen_until IS NULL;

-- Files of the present that were found equal to an object of history, so that they are not read again while their
-- stamp stands. Of no commit, so no part of what a rebuild is compared by.
CREATE TABLE compared (
    name       TEXT PRIMARY KEY,
    bytes      INTEGER NOT NULL,
    changed_ns INTEGER NOT NULL,
    inode      INTEGER NOT NULL,
    object     TEXT NOT NULL,
    sum        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
