-- memory.db: what was decided of a fact is known only since it was decided. It stands on 0005, and its
-- index on 0004.

-- When it was decided since when the fact holds, so that who asks what was believed before is not told of it.
ALTER TABLE memories ADD COLUMN held_decided_ms INTEGER;
CREATE INDEX memories_replaced ON memories (retired_by) WHERE retired_by IS NOT NULL;
-- Of one that took the place of a fact that is gone for good, no more is known than when it was written.
UPDATE memories SET held_decided_ms = ifnull(
    (SELECT min(r.retired_ms) FROM memories r WHERE r.retired_by = memories.id AND r.held_to_ms IS NOT NULL), created_ms)
WHERE held_from_ms IS NOT NULL;

-- The facts that name a thing, the latest first, without those that do not.
DROP INDEX memory_edges_to;
CREATE INDEX memory_edges_to ON memory_edges (dst_entity_kind, dst_entity_key, src_id);

-- The number of the words of a fact in one form of their letters, by which duplicates are found (M41). Where another
-- hand changed the words it is none, until inwit has read them.
ALTER TABLE memories ADD COLUMN plain_key INTEGER;
CREATE INDEX memories_plain ON memories (plain_key);
CREATE TRIGGER memories_number_again AFTER UPDATE OF content ON memories
    WHEN old.content IS NOT new.content AND old.plain_key IS new.plain_key BEGIN
    UPDATE memories SET plain_key = NULL WHERE id = new.id;
END;
