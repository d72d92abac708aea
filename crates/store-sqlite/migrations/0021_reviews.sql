-- memory.db: which turns of a session a language model has reviewed, and what became of its answers.

-- One attempt. Turns up to the last one of an attempt that ended as `reviewed` or `skipped` are not asked about again.
CREATE TABLE reviews (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL,
    first_turn INTEGER NOT NULL,
    last_turn INTEGER NOT NULL CHECK (last_turn >= first_turn),
    trigger TEXT NOT NULL,
    started_us INTEGER NOT NULL,
    ended_us INTEGER,
    outcome TEXT
) STRICT;
CREATE INDEX reviews_of ON reviews (session);

-- What was decided about each part of an answer. A part that must not be kept has no text here.
CREATE TABLE review_reasons (
    review INTEGER NOT NULL REFERENCES reviews (number) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    kind TEXT NOT NULL,
    turn INTEGER,
    text TEXT NOT NULL,
    outcome TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (review, ordinal)
) STRICT, WITHOUT ROWID;

-- The taint of a session from a turn on. Turn 0 is its beginning: a session without that row is from an earlier
-- version, and how its taint grew is unknown.
CREATE TABLE session_taints (
    session TEXT NOT NULL,
    turn INTEGER NOT NULL,
    taint TEXT NOT NULL,
    PRIMARY KEY (session, turn)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER session_taints_ai AFTER INSERT ON sessions BEGIN
    INSERT OR REPLACE INTO session_taints (session, turn, taint) VALUES (new.id, 0, new.taint);
END;
-- A taint that grows between two turns is that of the next one.
CREATE TRIGGER session_taints_au AFTER UPDATE OF taint ON sessions WHEN new.taint <> old.taint BEGIN
    INSERT OR REPLACE INTO session_taints (session, turn, taint)
    VALUES (new.id, new.turns + (new.turns = old.turns), new.taint);
END;
CREATE TRIGGER session_taints_ad AFTER DELETE ON sessions BEGIN
    DELETE FROM session_taints WHERE session = old.id;
END;
