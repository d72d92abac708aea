-- The derived index. Never migrated: a new version of its schema drops the file and builds it again.
-- `generation` changes with the passages of a set, `revision` with every write to it, such as the stamp of a file.
CREATE TABLE sets (
    id         INTEGER PRIMARY KEY,
    key        TEXT NOT NULL UNIQUE,
    generation INTEGER NOT NULL DEFAULT 0,
    revision   INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Immutable runs of passages. `columns` holds what ranking reads of each, `terms` a fingerprint of every term that
-- has a list: a list that is gone is damage, never a word that nobody wrote (codec.rs).
CREATE TABLE segments (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    set_id  INTEGER NOT NULL REFERENCES sets (id),
    docs    INTEGER NOT NULL,
    columns BLOB NOT NULL,
    labels  TEXT NOT NULL,
    terms   BLOB NOT NULL
) STRICT;
CREATE INDEX segments_by_set ON segments (set_id);

-- `sum` holds what no change of a row may touch together (codec.rs): name, hash, look, count and secrets of a file; lines,
-- heading and text of a passage. `secrets` are values that the file names as secrets, one a line (codec.rs).
-- A file owns `count` passages of `segment` from ordinal `first`; passages no file owns are gone.
CREATE TABLE files (
    set_id      INTEGER NOT NULL REFERENCES sets (id),
    name        TEXT NOT NULL,
    segment     INTEGER NOT NULL,
    first       INTEGER NOT NULL,
    count       INTEGER NOT NULL,
    bytes       INTEGER,
    changed_ns INTEGER,
    inode       INTEGER,
    sha256      BLOB NOT NULL,
    clean_by    INTEGER NOT NULL,
    secrets     TEXT NOT NULL,
    sum         INTEGER NOT NULL,
    PRIMARY KEY (set_id, name)
) STRICT, WITHOUT ROWID;

-- For each term of a segment: gaps of ordinals and counts (codec.rs).
CREATE TABLE postings (
    segment INTEGER NOT NULL,
    term    TEXT NOT NULL,
    list    BLOB NOT NULL,
    PRIMARY KEY (segment, term)
) STRICT, WITHOUT ROWID;

-- id = segment * 2^24 + ordinal.
CREATE TABLE passages (
    id         INTEGER PRIMARY KEY,
    start      INTEGER NOT NULL,
    end        INTEGER NOT NULL,
    first_line INTEGER NOT NULL,
    last_line  INTEGER NOT NULL,
    heading    TEXT NOT NULL,
    text       TEXT NOT NULL,
    sum        INTEGER NOT NULL
) STRICT;

-- Tokens of a prompt block by the hash of its text: the table of a tokenizer is slow to load.
CREATE TABLE tokens (
    sha256 BLOB PRIMARY KEY,
    count  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
