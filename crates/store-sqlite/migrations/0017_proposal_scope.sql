-- memory.db: in which scope a proposal was asked. Each scope has its own cap and its own answers.

ALTER TABLE proposals ADD COLUMN scope TEXT NOT NULL DEFAULT 'main';

-- What waits from a session of a room was asked there.
UPDATE proposals SET scope = (SELECT sessions.scope FROM sessions WHERE sessions.id = proposals.session)
 WHERE session IN (SELECT id FROM sessions);

DROP INDEX proposals_waiting;
CREATE UNIQUE INDEX proposals_waiting ON proposals (scope, content) WHERE how IS NULL;
DROP INDEX proposals_open;
CREATE INDEX proposals_open ON proposals (scope, session) WHERE how IS NULL;
