-- memory.db: what a fact written costs. Each index is a page more in every commit, so the facts are ordered by their
-- changes in two halves, of which a new fact is in one, and what says the same is found by the number of its words.

DROP INDEX memories_changed;
DROP INDEX memories_said;
-- The other half of `memories_shown`.
CREATE INDEX memories_hidden ON memories (changed)
    WHERE deleted_ms IS NOT NULL OR deleted_at IS NOT NULL OR status = 'retired';
