-- memory.db: the project in which a line of MEMORY.md was written.

ALTER TABLE marks ADD COLUMN project TEXT;
