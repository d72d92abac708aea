-- The cache of vectors. Derived from texts by a model: dropped and filled again at will.
CREATE TABLE models (
    id        INTEGER PRIMARY KEY,
    name      TEXT NOT NULL,
    dimension INTEGER NOT NULL,
    UNIQUE (name, dimension)
) STRICT;

-- One row for each text: little-endian f32 of unit length, sealed (codec.rs). Ids only grow, so what is newer
-- than a matrix file is known by its id.
CREATE TABLE vectors (
    id     INTEGER PRIMARY KEY AUTOINCREMENT,
    model  INTEGER NOT NULL REFERENCES models (id),
    key    INTEGER NOT NULL,
    vector BLOB NOT NULL,
    UNIQUE (model, key)
) STRICT;

-- Texts that a model refused.
CREATE TABLE failures (
    model INTEGER NOT NULL REFERENCES models (id),
    key   INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    why   TEXT NOT NULL,
    PRIMARY KEY (model, key)
) STRICT, WITHOUT ROWID;
