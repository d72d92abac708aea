-- memory.db: the project of a session and of a proposal, and which folders are which project.

ALTER TABLE sessions ADD COLUMN project TEXT;
ALTER TABLE proposals ADD COLUMN project TEXT;

-- One row for each folder. Several folders may be one project: worktrees, a checkout on another disk.
CREATE TABLE projects (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    folder TEXT NOT NULL UNIQUE,
    project TEXT NOT NULL,
    made_us INTEGER NOT NULL
) STRICT;

-- What a project was called before it was merged into another one: its daily logs still say so.
CREATE TABLE project_aliases (
    alias TEXT NOT NULL UNIQUE,
    project TEXT NOT NULL
) STRICT;
