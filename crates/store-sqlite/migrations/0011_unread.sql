-- memory.db: rows that inwit cannot read. Another hand may write any text where an id belongs, and any number where a
-- moment does. Such a row is shown in no answer and told instead, so all of them are found at once: these indexes hold
-- nothing else. What can be told of time lies between the first and the last that can be told here.

CREATE INDEX memories_unread ON memories (id) WHERE
    uuid NOT GLOB 'fact-' || replace('hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh', 'h', '[0-9a-f]')
    OR created_ms NOT BETWEEN -377705023201000 AND 253402207200000
    OR updated_ms NOT BETWEEN -377705023201000 AND 253402207200000
    OR deleted_ms NOT BETWEEN -377705023201000 AND 253402207200000
    OR valid_from_ms NOT BETWEEN -377705023201000 AND 253402207200000
    OR valid_to_ms NOT BETWEEN -377705023201000 AND 253402207200000
    OR believed_from_ms NOT BETWEEN -377705023201000 AND 253402207200000
    OR believed_to_ms NOT BETWEEN -377705023201000 AND 253402207200000
    OR retired_ms NOT BETWEEN -377705023201000 AND 253402207200000
    OR held_to_ms NOT BETWEEN -377705023201000 AND 253402207200000;
CREATE INDEX memory_versions_unread ON memory_versions (memory_id) WHERE
    valid_from_ms NOT BETWEEN -377705023201000 AND 253402207200000
    OR valid_to_ms NOT BETWEEN -377705023201000 AND 253402207200000
    OR believed_from_ms NOT BETWEEN -377705023201000 AND 253402207200000
    OR believed_to_ms NOT BETWEEN -377705023201000 AND 253402207200000;

-- Decisions have a scope, as the facts have of which they are.
ALTER TABLE memory_consolidation_events ADD COLUMN scope_id TEXT NOT NULL DEFAULT 'agent_main';
