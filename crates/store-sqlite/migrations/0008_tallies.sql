-- memory.db: the sums of what was said of each passage, so that who asks reads a row for a passage and not one for each
-- word about it. It stands on 0007 alone. The words themselves stay in `feedback`, the newest of each passage: by them an
-- outcome is known again.
CREATE TABLE tallies (
    scope TEXT NOT NULL,
    key INTEGER NOT NULL,
    -- Where it stood when it was spoken of last.
    path TEXT NOT NULL,
    text BLOB NOT NULL CHECK (length(text) = 32),
    last_us INTEGER NOT NULL,
    owner_useful INTEGER NOT NULL CHECK (owner_useful BETWEEN 0 AND owner_all),
    owner_all INTEGER NOT NULL,
    tool_useful INTEGER NOT NULL CHECK (tool_useful BETWEEN 0 AND tool_all),
    tool_all INTEGER NOT NULL,
    PRIMARY KEY (scope, key)
) STRICT, WITHOUT ROWID;

-- What ranking asks for: the owner's words, and nothing else of a passage.
CREATE INDEX tallies_of_owner ON tallies (scope, key, owner_useful, owner_all) WHERE owner_all > 0;

-- The bare columns of a group are those of its greatest moment.
INSERT INTO tallies (scope, key, path, text, last_us, owner_useful, owner_all, tool_useful, tool_all)
    SELECT scope, key, path, text, max(at_us),
        sum(rater = 'owner' AND useful), sum(rater = 'owner'), sum(rater = 'tool' AND useful), sum(rater = 'tool')
    FROM feedback GROUP BY scope, key;
