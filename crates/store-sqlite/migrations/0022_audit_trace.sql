-- memory.db: the request in which a row of the audit was written, as its log line and its answer name it. It is beside
-- the rows, since they are chained and those of earlier versions have none.

DROP VIEW audit_log;
CREATE VIEW audit_log (id, ts, trace_id, actor, tool_call, args_json, result, reason) AS
    SELECT a.seq, datetime(a.at_us / 1000000, 'unixepoch'),
        coalesce(t.trace_id, CASE WHEN json_valid(a.detail) THEN json_extract(a.detail, '$.session') END),
        a.actor, a.verb, a.detail, a.target,
        coalesce(nullif(c.reason, ''), nullif(o.reason, ''), nullif(p.reason, ''))
    FROM audit AS a
    LEFT JOIN audit_trace_ids AS t ON t.seq = a.seq
    LEFT JOIN audit_context AS c ON c.seq = a.seq
    LEFT JOIN ops AS o ON o.audit_seq = a.seq
    LEFT JOIN proposals AS p ON p.id =
        coalesce(CASE WHEN json_valid(a.detail) THEN json_extract(a.detail, '$.proposal') END, a.target);

-- SQLite checks for lost pages only if the table that its hash of names puts first has pages of its own, which views do
-- not have. With this name it does; a test shows it.
CREATE TABLE audit_trace_ids (
    seq INTEGER PRIMARY KEY,
    trace_id TEXT NOT NULL
) STRICT;
