-- A memory.db of version 2, as text: what a person may still have. Never changed.
PRAGMA foreign_keys=OFF;
PRAGMA application_id=1768847220;
PRAGMA user_version=3;
BEGIN;
CREATE TABLE blobs (
    sha256 BLOB NOT NULL UNIQUE CHECK (length(sha256) = 32),
    bytes BLOB NOT NULL
) STRICT;
INSERT INTO blobs VALUES(X'ed9c86a61e05623abeb71f9eeda8780dab0e28a2f69bb54813f99a2ec4b3602f',X'7468656972730a');
INSERT INTO blobs VALUES(X'97df501e0c41c6cf937023efc05747bc9f2d7599ccbe43ee8267a7ef20f511ac',X'2d206f7572730a');
INSERT INTO blobs VALUES(X'741cda0b2efdfdda8840c4c82053a226d6d6d881b8c4311ba1f2c3ba16804d56',X'68616c660a');
CREATE TABLE ops (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    receipt TEXT NOT NULL UNIQUE,
    at_us INTEGER NOT NULL,
    name TEXT NOT NULL,
    deed TEXT NOT NULL,
    base BLOB,
    result BLOB,
    bytes BLOB,
    temp TEXT NOT NULL,
    actor TEXT NOT NULL,
    taint TEXT NOT NULL,
    session TEXT,
    proposal TEXT,
    undoes TEXT,
    reason TEXT NOT NULL,
    ended INTEGER NOT NULL CHECK (ended IN (0, 1, 2)),
    commit_id TEXT,
    audit_seq INTEGER NOT NULL,
    audit_hash BLOB NOT NULL
) STRICT;
INSERT INTO ops VALUES(1,'rcpt-01a3185c-5000-7000-8000-000000000001',1800000001000000,'MEMORY.md','put',NULL,X'b640e840b19d378660b32fb51ae18d67dccb4a8596a29e7bd72c1b2ae5928f41',X'b640e840b19d378660b32fb51ae18d67dccb4a8596a29e7bd72c1b2ae5928f41','','agent','agent',NULL,NULL,NULL,'a reason',1,'c1',1,X'30f70dc94d15a2ffb880719b698eaea548242d819fd909ac9e69e63174a9fd40');
INSERT INTO ops VALUES(2,'rcpt-01a3185c-57d0-7728-8210-e37ab3cf5a3e',1800000002000000,'MEMORY.md','put',NULL,X'ed9c86a61e05623abeb71f9eeda8780dab0e28a2f69bb54813f99a2ec4b3602f',X'ed9c86a61e05623abeb71f9eeda8780dab0e28a2f69bb54813f99a2ec4b3602f','','external','owner',NULL,NULL,NULL,'found before the next change',1,NULL,2,X'85974d6a02ba2f1893f71540efd10a1e779bbda405cc9f92c608514c71dc98d3');
INSERT INTO ops VALUES(3,'rcpt-01a3185c-5000-7000-8000-000000000002',1800000002000000,'MEMORY.md','append',X'ed9c86a61e05623abeb71f9eeda8780dab0e28a2f69bb54813f99a2ec4b3602f',X'c6412f6eb0e5ff38485635392df6f1c18d7ca4a2207b23640e64d916d796e678',X'97df501e0c41c6cf937023efc05747bc9f2d7599ccbe43ee8267a7ef20f511ac','','agent','agent','s1',NULL,NULL,'a reason',1,NULL,3,X'da01a64f00adc199d6e05ba6665e5dee15b7c85782fcafbe65344e3e85c260d1');
INSERT INTO ops VALUES(4,'rcpt-01a3185c-5000-7000-8000-000000000003',1800000003000000,'USER.md','put',NULL,X'741cda0b2efdfdda8840c4c82053a226d6d6d881b8c4311ba1f2c3ba16804d56',X'741cda0b2efdfdda8840c4c82053a226d6d6d881b8c4311ba1f2c3ba16804d56','','agent','agent',NULL,NULL,NULL,'a reason',0,NULL,4,X'1b763334a169039fa58bd1f5e00e426605d156551d5a875c75c062b7f153b0f0');
CREATE TABLE audit (
    seq INTEGER PRIMARY KEY,
    at_us INTEGER NOT NULL,
    actor TEXT NOT NULL,
    verb TEXT NOT NULL,
    target TEXT NOT NULL,
    detail TEXT NOT NULL,
    prev BLOB NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO audit VALUES(1,1800000001000000,'agent','put','MEMORY.md','{"receipt":"rcpt-01a3185c-5000-7000-8000-000000000001","result":"b640e840b19d378660b32fb51ae18d67dccb4a8596a29e7bd72c1b2ae5928f41","taint":"agent"}',X'0000000000000000000000000000000000000000000000000000000000000000',X'30f70dc94d15a2ffb880719b698eaea548242d819fd909ac9e69e63174a9fd40');
INSERT INTO audit VALUES(2,1800000002000000,'external','put','MEMORY.md','{"receipt":"rcpt-01a3185c-57d0-7728-8210-e37ab3cf5a3e","result":"ed9c86a61e05623abeb71f9eeda8780dab0e28a2f69bb54813f99a2ec4b3602f","taint":"owner"}',X'30f70dc94d15a2ffb880719b698eaea548242d819fd909ac9e69e63174a9fd40',X'85974d6a02ba2f1893f71540efd10a1e779bbda405cc9f92c608514c71dc98d3');
INSERT INTO audit VALUES(3,1800000002000000,'agent','append','MEMORY.md','{"receipt":"rcpt-01a3185c-5000-7000-8000-000000000002","base":"ed9c86a61e05623abeb71f9eeda8780dab0e28a2f69bb54813f99a2ec4b3602f","result":"c6412f6eb0e5ff38485635392df6f1c18d7ca4a2207b23640e64d916d796e678","taint":"agent","session":"s1"}',X'85974d6a02ba2f1893f71540efd10a1e779bbda405cc9f92c608514c71dc98d3',X'da01a64f00adc199d6e05ba6665e5dee15b7c85782fcafbe65344e3e85c260d1');
INSERT INTO audit VALUES(4,1800000003000000,'agent','put','USER.md','{"receipt":"rcpt-01a3185c-5000-7000-8000-000000000003","result":"741cda0b2efdfdda8840c4c82053a226d6d6d881b8c4311ba1f2c3ba16804d56","taint":"agent"}',X'da01a64f00adc199d6e05ba6665e5dee15b7c85782fcafbe65344e3e85c260d1',X'1b763334a169039fa58bd1f5e00e426605d156551d5a875c75c062b7f153b0f0');
INSERT INTO audit VALUES(5,1800000001000000,'agent','propose','prop-01a3185c-5000-7000-8000-000000000001','{"file":"SOUL.md","deed":"put","content":"27ff9d99b3c354a126c07245f028c18aef2b00953926c3ab2e8f4202b36722a6","taint":"web","session":"s1"}',X'1b763334a169039fa58bd1f5e00e426605d156551d5a875c75c062b7f153b0f0',X'779b5da0cc91968688733cf442190b27c775ba269eff654b29e9639697051dd8');
INSERT INTO audit VALUES(6,1800000002000000,'owner','rejected','prop-01a3185c-5000-7000-8000-000000000001','{}',X'779b5da0cc91968688733cf442190b27c775ba269eff654b29e9639697051dd8',X'09f0f402170be7b9b2049493ab3f5902afe239d628b6312b7f4efdcca694fead');
CREATE TABLE audit_head (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    rows INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO audit_head VALUES(1,6,X'09f0f402170be7b9b2049493ab3f5902afe239d628b6312b7f4efdcca694fead');
CREATE TABLE proposals (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    created_us INTEGER NOT NULL,
    target TEXT NOT NULL,
    deed TEXT NOT NULL,
    bytes BLOB NOT NULL,
    base BLOB,
    result BLOB,
    actor TEXT NOT NULL,
    taint TEXT NOT NULL,
    session TEXT,
    reason TEXT NOT NULL,
    content BLOB NOT NULL,
    how TEXT,
    decided_by TEXT,
    decided_us INTEGER,
    decided_why TEXT,
    receipt TEXT
) STRICT;
INSERT INTO proposals VALUES(1,'prop-01a3185c-5000-7000-8000-000000000001',1800000001000000,'SOUL.md','put',X'626520626f6c640a',X'ae0facccf0a3723adefbdfe700c097b6c843dbfd06e5cd325602ec13b2361f8b',X'dcd87a8d0e6620a2753513ee3340504acc715d989f4b4c722badfd66da13f11d','agent','web','s1','it''s asked',X'27ff9d99b3c354a126c07245f028c18aef2b00953926c3ab2e8f4202b36722a6','rejected','owner',1800000002000000,'no',NULL);
CREATE TABLE findings (
    proposal INTEGER NOT NULL REFERENCES proposals (number),
    ordinal INTEGER NOT NULL,
    "check" TEXT NOT NULL,
    weight TEXT NOT NULL,
    class TEXT NOT NULL,
    span_start INTEGER NOT NULL,
    span_end INTEGER NOT NULL,
    line INTEGER NOT NULL,
    PRIMARY KEY (proposal, ordinal)
) STRICT, WITHOUT ROWID;
INSERT INTO findings VALUES(1,0,'behaviour','ask','imperative',0,7,1);
CREATE TABLE sessions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    agent TEXT NOT NULL,
    scope TEXT NOT NULL,
    surface TEXT NOT NULL,
    room_name TEXT,
    user_name TEXT,
    started_us INTEGER NOT NULL,
    taint TEXT NOT NULL,
    turns INTEGER NOT NULL,
    last_turn_us INTEGER,
    journaled INTEGER NOT NULL,
    prefix BLOB,
    ended_us INTEGER
, team TEXT NOT NULL DEFAULT '') STRICT;
INSERT INTO sessions VALUES(1,'s1','main','room:kitchen','hook','The kitchen',NULL,1800000000000000,'member',1,1800000003000000,0,X'acc640b037aec732f56a6f713eef64619f85192f87ea5b8a6d72e7badbd68d4f',NULL,'main bo');
CREATE TABLE prefixes (
    sha256 BLOB NOT NULL UNIQUE CHECK (length(sha256) = 32),
    bytes BLOB NOT NULL
) STRICT;
INSERT INTO prefixes VALUES(X'acc640b037aec732f56a6f713eef64619f85192f87ea5b8a6d72e7badbd68d4f',X'6120707265666978');
CREATE TABLE marks (
    entry BLOB NOT NULL PRIMARY KEY,
    taint TEXT NOT NULL,
    session TEXT,
    at_us INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO marks VALUES(X'97df501e0c41c6cf937023efc05747bc9f2d7599ccbe43ee8267a7ef20f511ac','member','s1',1800000003000000);
CREATE TABLE signals (
    at_ms INTEGER NOT NULL,
    path TEXT NOT NULL,
    text BLOB NOT NULL,
    query BLOB NOT NULL,
    score REAL NOT NULL,
    session TEXT
) STRICT;
INSERT INTO signals VALUES(1800000004000,'MEMORY.md',X'97df501e0c41c6cf937023efc05747bc9f2d7599ccbe43ee8267a7ef20f511ac',X'c75de8c1b7c3ae5252091267a736a9bf57001d80e82668b3cb3cd09e2f6a43cb',0.5,NULL);
INSERT INTO signals VALUES(1800000004000,'MEMORY.md',X'97df501e0c41c6cf937023efc05747bc9f2d7599ccbe43ee8267a7ef20f511ac',X'bee98bf120e8906382754c6be52860ac5dbc65a1ca4dbee7576267d8fd3367e1',0.5,NULL);
CREATE TABLE fence (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    last INTEGER NOT NULL
) STRICT;
INSERT INTO fence VALUES(1,1);
CREATE TABLE dreams (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    fence INTEGER NOT NULL UNIQUE,
    trigger TEXT NOT NULL,
    started_us INTEGER NOT NULL,
    ended_us INTEGER,
    outcome TEXT
) STRICT;
INSERT INTO dreams VALUES(1,1,'manual',1800000005000000,1800000007000000,'promoted');
CREATE TABLE dream_counts (
    dream INTEGER NOT NULL REFERENCES dreams (number),
    ordinal INTEGER NOT NULL,
    name TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (dream, ordinal)
) STRICT, WITHOUT ROWID;
INSERT INTO dream_counts VALUES(1,0,'promoted',1);
CREATE TABLE dream_reasons (
    dream INTEGER NOT NULL REFERENCES dreams (number),
    ordinal INTEGER NOT NULL,
    path TEXT NOT NULL,
    text BLOB NOT NULL,
    outcome TEXT NOT NULL,
    score REAL NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (dream, ordinal)
) STRICT, WITHOUT ROWID;
INSERT INTO dream_reasons VALUES(1,0,'memory/2026-11-21.md',X'2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881','promoted',0.41999999999999998445,'hits 3');
CREATE TABLE sweeps (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    fence INTEGER NOT NULL,
    at_us INTEGER NOT NULL,
    target TEXT NOT NULL,
    section BLOB,
    confirmed INTEGER NOT NULL CHECK (confirmed IN (0, 1)),
    receipt TEXT
) STRICT;
INSERT INTO sweeps VALUES(1,1,1800000006000000,'MEMORY.md',X'3fb45623cb3075a8af9a2f81ef3beaa4038541cd71f08e4bf6c79c088f7a4026',1,'rcpt-01a3185c-5000-7000-8000-000000000001');
CREATE TABLE promotions (
    number INTEGER PRIMARY KEY,
    sweep INTEGER NOT NULL REFERENCES sweeps (number),
    path TEXT NOT NULL,
    text BLOB NOT NULL UNIQUE,
    bullet BLOB NOT NULL,
    score REAL NOT NULL,
    hits INTEGER NOT NULL,
    days INTEGER NOT NULL,
    phase TEXT NOT NULL
) STRICT;
INSERT INTO promotions VALUES(1,1,'memory/2026-11-21.md',X'2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881',X'11bf3badc4fc29cb5e108bfa547614164bd7fb0d7604b49dfa79f15ac559a168',0.41999999999999998445,3,2,'deep');
CREATE TABLE spans (
    number INTEGER PRIMARY KEY,
    sweep INTEGER NOT NULL REFERENCES sweeps (number),
    path TEXT NOT NULL,
    log BLOB NOT NULL,
    first INTEGER NOT NULL,
    past INTEGER NOT NULL,
    twin INTEGER NOT NULL CHECK (twin IN (0, 1))
) STRICT;
INSERT INTO spans VALUES(1,1,'memory/2026-11-21.md',X'836ff184e7b41b1e13cb5fd89fa1de98dbbab99e9d2918913ff43b86a5c7c213',0,3,0);
CREATE TABLE turns (
    session TEXT NOT NULL,
    key TEXT NOT NULL,
    turn INTEGER NOT NULL,
    input BLOB NOT NULL CHECK (length(input) = 32),
    answer BLOB,
    PRIMARY KEY (session, key)
) STRICT, WITHOUT ROWID;
INSERT INTO turns VALUES('s1','k1',1,X'0000000000000000000000000000000000000000000000000000000000000000',X'616e73776572');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('ops',4);
INSERT INTO sqlite_sequence VALUES('proposals',1);
INSERT INTO sqlite_sequence VALUES('sessions',1);
INSERT INTO sqlite_sequence VALUES('dreams',1);
INSERT INTO sqlite_sequence VALUES('sweeps',1);
CREATE INDEX ops_of_name ON ops (name, number);
CREATE INDEX ops_of_session ON ops (session, number) WHERE session IS NOT NULL;
CREATE INDEX ops_open ON ops (number) WHERE ended = 0;
CREATE INDEX ops_waiting ON ops (number) WHERE ended < 2 AND commit_id IS NULL;
CREATE INDEX ops_keeping ON ops (bytes) WHERE ended < 2 AND commit_id IS NULL;
CREATE TRIGGER audit_is_not_altered BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'rows of the audit are never altered'); END;
CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'rows of the audit are never deleted'); END;
CREATE UNIQUE INDEX proposals_waiting ON proposals (content) WHERE how IS NULL;
CREATE INDEX proposals_open ON proposals (session) WHERE how IS NULL;
CREATE INDEX proposals_rejected ON proposals (content) WHERE how = 'rejected';
CREATE INDEX sessions_open ON sessions (number) WHERE ended_us IS NULL;
CREATE INDEX sessions_with_prefix ON sessions (prefix) WHERE prefix IS NOT NULL;
CREATE INDEX signals_at ON signals (at_ms);
CREATE INDEX sweeps_unconfirmed ON sweeps (number) WHERE confirmed = 0;
CREATE INDEX promotions_of_sweep ON promotions (sweep);
CREATE UNIQUE INDEX spans_once ON spans (log, first, past) WHERE twin = 0;
CREATE INDEX spans_of_sweep ON spans (sweep);
CREATE INDEX spans_of_path ON spans (path, number);
COMMIT;
BEGIN TRANSACTION;
-- memory.db, version 3: facts, what is known of the user, and what is derived from both.
-- The first columns of each table, their names and their TEXT times (UTC) are those other tools query; ours stand
-- behind them. `*_ms` are milliseconds since 1970, UTC.

CREATE TABLE memories (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    category TEXT NOT NULL,
    content TEXT NOT NULL,
    metadata TEXT,
    source TEXT NOT NULL,
    deleted_at TEXT,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    uuid TEXT NOT NULL UNIQUE,
    scope_id TEXT NOT NULL DEFAULT 'agent_main',
    created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL,
    deleted_ms INTEGER,
    valid_from_ms INTEGER,
    valid_to_ms INTEGER,
    believed_from_ms INTEGER NOT NULL,
    believed_to_ms INTEGER,
    -- The number of its last change, over all facts: clocks jump, this does not.
    changed INTEGER NOT NULL,
    -- The hash of what it says, by which the same is not added twice.
    said TEXT NOT NULL,
    -- The proposal it came from, so that none is carried out twice.
    proposal TEXT UNIQUE
) STRICT;
CREATE INDEX memories_changed ON memories (changed);
CREATE INDEX memories_said ON memories (said) WHERE deleted_ms IS NULL;
CREATE INDEX memories_forgotten ON memories (deleted_ms) WHERE deleted_ms IS NOT NULL;

CREATE VIRTUAL TABLE memories_fts USING fts5(content, category, content='memories', content_rowid='id');
CREATE TRIGGER memories_ai AFTER INSERT ON memories BEGIN
    INSERT INTO memories_fts (rowid, content, category) VALUES (new.id, new.content, new.category);
END;
CREATE TRIGGER memories_ad AFTER DELETE ON memories BEGIN
    INSERT INTO memories_fts (memories_fts, rowid, content, category)
    VALUES ('delete', old.id, old.content, old.category);
END;
CREATE TRIGGER memories_au AFTER UPDATE OF content, category ON memories BEGIN
    INSERT INTO memories_fts (memories_fts, rowid, content, category)
    VALUES ('delete', old.id, old.content, old.category);
    INSERT INTO memories_fts (rowid, content, category) VALUES (new.id, new.content, new.category);
END;

-- What a fact said before, and while what it was believed.
CREATE TABLE memory_versions (
    id INTEGER PRIMARY KEY,
    memory_id INTEGER NOT NULL,
    category TEXT NOT NULL,
    content TEXT NOT NULL,
    metadata TEXT,
    source TEXT NOT NULL,
    valid_from_ms INTEGER,
    valid_to_ms INTEGER,
    believed_from_ms INTEGER NOT NULL,
    believed_to_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX memory_versions_of ON memory_versions (memory_id);
CREATE VIRTUAL TABLE memory_versions_fts USING fts5(
    content, category, content='memory_versions', content_rowid='id'
);
CREATE TRIGGER memory_versions_ai AFTER INSERT ON memory_versions BEGIN
    INSERT INTO memory_versions_fts (rowid, content, category) VALUES (new.id, new.content, new.category);
END;
CREATE TRIGGER memory_versions_ad AFTER DELETE ON memory_versions BEGIN
    INSERT INTO memory_versions_fts (memory_versions_fts, rowid, content, category)
    VALUES ('delete', old.id, old.content, old.category);
END;
CREATE TRIGGER memories_forget_versions AFTER DELETE ON memories BEGIN
    DELETE FROM memory_versions WHERE memory_id = old.id;
END;

CREATE TABLE user_profile (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE memory_edges (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    src_table TEXT NOT NULL,
    src_id INTEGER NOT NULL,
    dst_entity_kind TEXT NOT NULL,
    dst_entity_key TEXT NOT NULL,
    edge_type TEXT NOT NULL,
    weight REAL NOT NULL DEFAULT 1.0,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    UNIQUE (src_table, src_id, dst_entity_kind, dst_entity_key, edge_type)
) STRICT;
CREATE INDEX memory_edges_to ON memory_edges (dst_entity_kind, dst_entity_key);
CREATE TRIGGER memories_forget_edges AFTER DELETE ON memories BEGIN
    DELETE FROM memory_edges WHERE src_table = 'memories' AND src_id = old.id;
END;

CREATE TABLE memory_consolidation_events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    fact_id INTEGER NOT NULL,
    other_id INTEGER,
    decision TEXT NOT NULL,
    reason TEXT NOT NULL,
    model TEXT,
    invariant TEXT,
    at TEXT NOT NULL DEFAULT (datetime('now')),
    at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE instance_meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

-- The record of who did what under the names other tools query. Only inwit adds to it, since rows are chained.
CREATE VIEW audit_log (id, ts, trace_id, actor, tool_call, args_json, result, reason) AS
    SELECT seq, datetime(at_us / 1000000, 'unixepoch'), NULL, actor, verb, detail, target, NULL FROM audit;
INSERT INTO memories (id, category, content, metadata, source, deleted_at, created_at, updated_at, uuid, scope_id, created_ms, updated_ms, deleted_ms, valid_from_ms, valid_to_ms, believed_from_ms, believed_to_ms, changed, said, proposal) VALUES (1,'preference','likes spelt',NULL,'user_manual',NULL,'2027-01-15 08:00:01','2027-01-15 08:00:01','fact-01a3185c-5000-7000-8000-000000000001','agent_main',1800000001000,1800000001000,NULL,NULL,NULL,1800000001000,NULL,3,'27c83b61c698114e17c5eec0e17dab5bb20f02ff09ed18e3d56b86f16dc4e5c8',NULL);
INSERT INTO memories (id, category, content, metadata, source, deleted_at, created_at, updated_at, uuid, scope_id, created_ms, updated_ms, deleted_ms, valid_from_ms, valid_to_ms, believed_from_ms, believed_to_ms, changed, said, proposal) VALUES (2,'observation','the oven is slow','{"source":"inferred"}','agent_recorded',NULL,'2027-01-15 08:00:01','2027-01-15 08:00:01','fact-01a3185c-5000-7000-8000-000000000002','agent_main',1800000001000,1800000001000,NULL,NULL,NULL,1800000001000,NULL,2,'b15f1f048670ae3ec9b0bc92248c1fc237c96726478a5d4abdf6dc3dd7c8b46c',NULL);
INSERT INTO memories (id, category, content, metadata, source, deleted_at, created_at, updated_at, uuid, scope_id, created_ms, updated_ms, deleted_ms, valid_from_ms, valid_to_ms, believed_from_ms, believed_to_ms, changed, said, proposal) VALUES (3,'observation','owned a mill',NULL,'user_manual','2027-01-15 08:00:09','2027-01-15 08:00:01','2027-01-15 08:00:01','fact-01a3185c-5000-7000-8000-000000000003','agent_main',1800000001000,1800000001000,1800000009000,NULL,NULL,1800000001000,1800000009000,4,'f5a3e192ad27765e17ccbe6977d3b7e02aaa7142de7d0383fb3998b987bbe7db',NULL);
INSERT INTO memories (id, category, content, metadata, source, deleted_at, created_at, updated_at, uuid, scope_id, created_ms, updated_ms, deleted_ms, valid_from_ms, valid_to_ms, believed_from_ms, believed_to_ms, changed, said, proposal) VALUES (4,'observation','a row without a source','{"source":"inferred"}','',NULL,'2027-01-15 08:00:01','2027-01-15 08:00:01','fact-01a3185c-5000-7000-8000-000000000004','agent_main',1800000001000,1800000001000,NULL,NULL,NULL,1800000001000,NULL,5,'1f68515cdf9d86ab7c447e5ea4e36cc1eb8a35b785b997f82c41cabde45c43c9',NULL);
INSERT INTO memories (id, category, content, metadata, source, deleted_at, created_at, updated_at, uuid, scope_id, created_ms, updated_ms, deleted_ms, valid_from_ms, valid_to_ms, believed_from_ms, believed_to_ms, changed, said, proposal) VALUES (5,'observation','a row that claims a person','{"source":"user_manual"}','',NULL,'2027-01-15 08:00:01','2027-01-15 08:00:01','fact-01a3185c-5000-7000-8000-000000000005','agent_main',1800000001000,1800000001000,NULL,NULL,NULL,1800000001000,NULL,6,'9771baad196947b4405931b78924dfb267bd430e71a56d5fb9c93d5d57d105ea',NULL);
INSERT INTO memories (id, category, content, metadata, source, deleted_at, created_at, updated_at, uuid, scope_id, created_ms, updated_ms, deleted_ms, valid_from_ms, valid_to_ms, believed_from_ms, believed_to_ms, changed, said, proposal) VALUES (6,'observation','a row of broken metadata','{"source"','',NULL,'2027-01-15 08:00:01','2027-01-15 08:00:01','fact-01a3185c-5000-7000-8000-000000000006','agent_main',1800000001000,1800000001000,NULL,NULL,NULL,1800000001000,NULL,7,'6f729d96350e3237e6f6be2af942d32fd7c7b863e50f3206633773afb8fb6196',NULL);
INSERT INTO memory_versions VALUES (1,1,'preference','likes rye',NULL,'user_manual',NULL,NULL,1800000000000,1800000001000);
INSERT INTO user_profile VALUES ('home_language','en','2027-01-15 08:00:01',1800000001000);
COMMIT;
