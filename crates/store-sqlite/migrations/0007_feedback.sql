-- memory.db: what people and tools said of passages that were recalled, and what the last answer was. It stands on no other
-- version but the first, so it comes in any order with its neighbours.

CREATE TABLE IF NOT EXISTS feedback (
    -- The visible set whose answers it moves, and no other.
    scope TEXT NOT NULL,
    -- Names what the passage says in that set, wherever it stands.
    key INTEGER NOT NULL,
    rater TEXT NOT NULL,
    -- What came of it: a session, a turn, a search. One is counted once.
    outcome TEXT NOT NULL,
    path TEXT NOT NULL,
    text BLOB NOT NULL CHECK (length(text) = 32),
    useful INTEGER NOT NULL CHECK (useful IN (0, 1)),
    at_us INTEGER NOT NULL,
    PRIMARY KEY (scope, key, rater, outcome)
) STRICT, WITHOUT ROWID;

-- Passages that graduated; written where an outcome is, and nowhere else.
CREATE TABLE IF NOT EXISTS graduates (
    scope TEXT NOT NULL,
    key INTEGER NOT NULL,
    rater TEXT NOT NULL,
    at_us INTEGER NOT NULL,
    PRIMARY KEY (scope, key)
) STRICT, WITHOUT ROWID;

-- The hits of the last answer of each set, so that they can be named by their number.
CREATE TABLE IF NOT EXISTS last_answers (
    scope TEXT NOT NULL,
    place INTEGER NOT NULL,
    key INTEGER NOT NULL,
    path TEXT NOT NULL,
    text BLOB NOT NULL CHECK (length(text) = 32),
    outcome TEXT NOT NULL,
    PRIMARY KEY (scope, place)
) STRICT, WITHOUT ROWID;
