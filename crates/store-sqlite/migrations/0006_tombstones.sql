-- memory.db: what was forgotten for good, known again by salted hashes and by nothing else. It stands on no other
-- migration, so it may come at any place among them.
CREATE TABLE tombstones (
    hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    words INTEGER NOT NULL,
    at_us INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE tombstone_salt (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    salt BLOB NOT NULL CHECK (length(salt) = 32)
) STRICT;
INSERT INTO tombstone_salt VALUES (1, randomblob(32));
