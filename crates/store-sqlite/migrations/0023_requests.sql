-- memory.db: requests with a key of their caller, so that one that is sent again is not run again.

CREATE TABLE requests (
    caller TEXT NOT NULL,
    key TEXT NOT NULL,
    input BLOB NOT NULL CHECK (length(input) = 32),
    begun_us INTEGER NOT NULL,
    answer BLOB,
    PRIMARY KEY (caller, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX requests_begun ON requests (begun_us);
