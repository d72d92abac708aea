-- memory.db: what edges need beyond the first facts. Every row carries its scope (X52); a scenario is the system's
-- word, so it has a column of its own that no agent's metadata fills (M55).

ALTER TABLE memory_edges ADD COLUMN scope_id TEXT NOT NULL DEFAULT 'agent_main';
ALTER TABLE memory_versions ADD COLUMN scope_id TEXT NOT NULL DEFAULT 'agent_main';
ALTER TABLE user_profile ADD COLUMN scope_id TEXT NOT NULL DEFAULT 'agent_main';
ALTER TABLE memories ADD COLUMN scenario_id TEXT;

-- How the embedding of a fact stands: pending, embedded, failed or skipped; the key is that of what a model read.
ALTER TABLE memories ADD COLUMN embedding_state TEXT NOT NULL DEFAULT 'pending';
ALTER TABLE memories ADD COLUMN embedding_key INTEGER;
CREATE INDEX memories_embedded ON memories (scope_id, id, embedding_key)
    WHERE embedding_state = 'embedded' AND deleted_ms IS NULL;
CREATE TRIGGER memories_embed_again AFTER UPDATE OF content ON memories WHEN old.content IS NOT new.content BEGIN
    UPDATE memories SET embedding_state = 'pending', embedding_key = NULL WHERE id = new.id;
END;
