-- memory.db: what was believed of a superseded fact until it was brought back: that it held until the other one did.

-- The fact was superseded while this was believed: it is in no answer about what was believed but to who asks when.
ALTER TABLE memory_versions ADD COLUMN is_superseded INTEGER NOT NULL DEFAULT 0;
