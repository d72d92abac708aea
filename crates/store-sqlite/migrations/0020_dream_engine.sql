-- memory.db: which engine a dream pass belongs to.

ALTER TABLE dreams ADD COLUMN engine TEXT NOT NULL DEFAULT 'recall';
