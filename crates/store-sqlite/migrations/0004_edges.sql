-- memory.db: what edges need beyond the first facts. Every row carries its scope (X52); a scenario is the system's
-- word, so it has a column of its own that no agent's metadata fills (M55).

ALTER TABLE memory_edges ADD COLUMN scope_id TEXT NOT NULL DEFAULT 'agent_main';
ALTER TABLE memory_versions ADD COLUMN scope_id TEXT NOT NULL DEFAULT 'agent_main';
ALTER TABLE user_profile ADD COLUMN scope_id TEXT NOT NULL DEFAULT 'agent_main';
ALTER TABLE memories ADD COLUMN scenario_id TEXT;
