-- memory.db: facts wait, settle and are retired; every decision is a row. What stood before has settled.

ALTER TABLE memories ADD COLUMN status TEXT NOT NULL DEFAULT 'settled';
-- The number of the fact that stands in its place, when that was decided, and until when it held.
ALTER TABLE memories ADD COLUMN retired_by INTEGER;
ALTER TABLE memories ADD COLUMN retired_ms INTEGER;
ALTER TABLE memories ADD COLUMN held_to_ms INTEGER;
-- Since when the other one holds, where it does not say so itself.
ALTER TABLE memories ADD COLUMN held_from_ms INTEGER;
CREATE INDEX memories_waiting ON memories (id) WHERE status = 'pending';
-- Before every write it is asked what was forgotten long ago, and before every prompt how many facts there are.
CREATE INDEX memories_gone ON memories (scope_id) WHERE deleted_ms IS NOT NULL OR deleted_at IS NOT NULL;
CREATE INDEX memories_shown ON memories (changed, scope_id)
    WHERE deleted_ms IS NULL AND deleted_at IS NULL AND status <> 'retired';

-- A row without a source gets the one that its metadata names, but never a person's word.
UPDATE memories SET source = CASE
    WHEN json_valid(metadata) AND json_extract(metadata, '$.source')
        IN ('user_explicit', 'learned_preference', 'inferred', 'chat_extracted')
    THEN json_extract(metadata, '$.source') ELSE 'agent_recorded' END
WHERE source = '';

-- The number that the fact had while it said this: the past is listed in the order of its own time.
ALTER TABLE memory_versions ADD COLUMN changed INTEGER;
UPDATE memory_versions SET changed = (SELECT changed FROM memories WHERE memories.id = memory_versions.memory_id);

-- Decided and logged, and nothing else done.
ALTER TABLE memory_consolidation_events ADD COLUMN is_shadow INTEGER NOT NULL DEFAULT 0;
-- The number of the change of the fact about which it was decided.
ALTER TABLE memory_consolidation_events ADD COLUMN changed INTEGER;
CREATE INDEX memory_consolidation_events_of ON memory_consolidation_events (fact_id);
-- A reason may repeat words of the facts: it goes with either of them.
CREATE TRIGGER memories_forget_reasons AFTER DELETE ON memories BEGIN
    UPDATE memory_consolidation_events SET reason = '' WHERE fact_id = old.id OR other_id = old.id;
END;
