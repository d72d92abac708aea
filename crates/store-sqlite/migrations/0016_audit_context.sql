-- memory.db: why each change was made, beside the rows of the audit. A row of the audit is chained and never altered; a
-- reason may have to be forgotten, so it is in no hash. That of a file stands in `ops`, that of a proposal in `proposals`.

CREATE TABLE audit_context (
    seq INTEGER PRIMARY KEY,
    -- The fact that was written.
    fact TEXT,
    reason TEXT NOT NULL
) STRICT;
CREATE INDEX audit_context_of_fact ON audit_context (fact) WHERE fact IS NOT NULL;
CREATE INDEX ops_of_audit ON ops (audit_seq);

-- A reason may repeat words of the fact: it goes with it.
CREATE TRIGGER memories_forget_context AFTER DELETE ON memories BEGIN
    UPDATE audit_context SET reason = '' WHERE fact = old.uuid;
END;

DROP VIEW audit_log;
CREATE VIEW audit_log (id, ts, trace_id, actor, tool_call, args_json, result, reason) AS
    SELECT a.seq, datetime(a.at_us / 1000000, 'unixepoch'),
        CASE WHEN json_valid(a.detail) THEN json_extract(a.detail, '$.session') END,
        a.actor, a.verb, a.detail, a.target,
        coalesce(nullif(c.reason, ''), nullif(o.reason, ''), nullif(p.reason, ''))
    FROM audit AS a
    LEFT JOIN audit_context AS c ON c.seq = a.seq
    LEFT JOIN ops AS o ON o.audit_seq = a.seq
    LEFT JOIN proposals AS p ON p.id =
        coalesce(CASE WHEN json_valid(a.detail) THEN json_extract(a.detail, '$.proposal') END, a.target);
