-- memory.db, version 2: who holds a session together, and turns that are known when they come again.

-- Ids of agents with a blank between them; empty when one agent holds it alone.
ALTER TABLE sessions ADD COLUMN team TEXT NOT NULL DEFAULT '';

CREATE TABLE turns (
    session TEXT NOT NULL,
    key TEXT NOT NULL,
    turn INTEGER NOT NULL,
    input BLOB NOT NULL CHECK (length(input) = 32),
    answer BLOB,
    PRIMARY KEY (session, key)
) STRICT, WITHOUT ROWID;
