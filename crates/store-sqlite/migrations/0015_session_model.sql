-- memory.db: the language model that speaks in a session, as its host calls it.

ALTER TABLE sessions ADD COLUMN model TEXT;
