//! The embedding state of each fact, in columns of its row.
//!
//! Invariant: a changed text is pending again, whichever program changed it: a trigger ensures it.

use inwit_model::fact::When;
use inwit_store::memory::{EmbeddingStates, Fact, FactEmbedded, FactToEmbed, FactVectors};
use inwit_store::{MemoryError, TextKey};
use rusqlite::params;

use super::super::SqliteMemory;
use super::super::receipts::limit_of;
use super::super::row::count;
use super::{SCOPE, SHOWN, STANDING, Side, rows};

impl FactVectors for SqliteMemory {
    fn facts_to_embed(&self, after: i64, most: usize) -> Result<Vec<FactToEmbed>, MemoryError> {
        self.read(|inner| {
            let mut query = inner.db.prepare_cached(
                "SELECT id, changed, content FROM memories
                 WHERE scope_id = ?1 AND id > ?2 AND deleted_ms IS NULL AND deleted_at IS NULL
                   AND embedding_state IN ('pending', 'failed')
                 ORDER BY id LIMIT ?3",
            )?;
            let found = query.query_map(params![SCOPE, after, limit_of(most)], |row| {
                Ok(FactToEmbed { number: row.get(0)?, changed: row.get(1)?, content: row.get(2)? })
            })?;
            Ok(found.collect::<Result<_, _>>()?)
        })
    }

    fn facts_embedded(&self, done: &[FactEmbedded]) -> Result<(), MemoryError> {
        if done.is_empty() {
            return Ok(());
        }
        self.write(|db| {
            let mut update = db.prepare_cached(
                "UPDATE memories SET embedding_state = ?3, embedding_key = ?4
                 WHERE id = ?1 AND changed = ?2 AND scope_id = ?5",
            )?;
            for one in done {
                let key = one.key.map(|key| key.0 as i64);
                update.execute(params![one.number, one.changed, one.state.word(), key, SCOPE])?;
            }
            Ok(())
        })
    }

    fn fact_keys(&self) -> Result<Vec<(i64, TextKey)>, MemoryError> {
        self.read(|inner| {
            let mut query = inner.db.prepare_cached(
                "SELECT id, embedding_key FROM memories
                 WHERE scope_id = ?1 AND embedding_state = 'embedded' AND deleted_ms IS NULL AND deleted_at IS NULL
                   AND status <> 'retired'
                   AND embedding_key IS NOT NULL
                 ORDER BY id",
            )?;
            let found =
                query.query_map([SCOPE], |row| Ok((row.get(0)?, TextKey(row.get::<_, i64>(1)? as u64))))?;
            Ok(found.collect::<Result<_, _>>()?)
        })
    }

    fn kept_fact_keys(&self) -> Result<Vec<TextKey>, MemoryError> {
        self.read(|inner| {
            let mut query = inner.db.prepare_cached(
                "SELECT embedding_key FROM memories WHERE scope_id = ?1 AND embedding_key IS NOT NULL",
            )?;
            let found = query.query_map([SCOPE], |row| Ok(TextKey(row.get::<_, i64>(0)? as u64)))?;
            Ok(found.collect::<Result<_, _>>()?)
        })
    }

    fn embed_facts_again(&self, keys: &[TextKey]) -> Result<(), MemoryError> {
        if keys.is_empty() {
            return Ok(());
        }
        self.write(|db| {
            db.execute_batch("CREATE TEMP TABLE lost_keys (key INTEGER PRIMARY KEY)")?;
            {
                let mut insert = db.prepare("INSERT OR IGNORE INTO lost_keys VALUES (?1)")?;
                for key in keys {
                    insert.execute([key.0 as i64])?;
                }
            }
            db.execute(
                "UPDATE memories SET embedding_state = 'pending', embedding_key = NULL
                 WHERE scope_id = ?1 AND embedding_key IN (SELECT key FROM lost_keys)",
                [SCOPE],
            )?;
            Ok(db.execute_batch("DROP TABLE lost_keys")?)
        })
    }

    fn facts_numbered(&self, numbers: &[i64], when: &When) -> Result<Vec<Fact>, MemoryError> {
        self.read(|inner| {
            let side = Side::Now;
            let sql = format!(
                "{} FROM {} WHERE {} AND {SHOWN} AND {STANDING} AND m.id = :id",
                side.columns(),
                side.table(),
                side.condition()
            );
            let mut facts = Vec::with_capacity(numbers.len());
            for number in numbers {
                facts.extend(rows(inner.db, &sql, when, &[(":id", number)])?);
            }
            Ok(facts.into_iter().map(|found| found.fact).collect())
        })
    }

    fn embedding_states(&self) -> Result<EmbeddingStates, MemoryError> {
        self.read(|inner| {
            let mut query = inner.db.prepare_cached(
                "SELECT embedding_state, count(*) AS facts FROM memories
                 WHERE scope_id = ?1 AND deleted_ms IS NULL AND deleted_at IS NULL GROUP BY embedding_state",
            )?;
            let mut rows = query.query([SCOPE])?;
            let mut states = EmbeddingStates::default();
            while let Some(row) = rows.next()? {
                let facts = count(row, "facts")?;
                match row.get::<_, String>("embedding_state")?.as_str() {
                    "embedded" => states.embedded += facts,
                    "failed" => states.failed += facts,
                    "skipped" => states.skipped += facts,
                    // An unknown state, written by another program, counts as pending.
                    _ => states.pending += facts,
                }
            }
            Ok(states)
        })
    }
}
