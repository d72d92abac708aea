//! The ways in which a fact goes for good, once for every proof of what must go with it.

use inwit_gate::FactDeed;
use inwit_store::memory::contract::{approved, at};
use inwit_store::memory::{FactWritten, Facts as _};

use super::knowing::{id, write};
use super::{Ways, sql};

/// By itself, with others, by its number, after its thirty days: each takes fact 1 away, which stands until then.
pub(super) const WAYS: Ways<'static, 4> = [
    ("purged", &|memory| {
        let purge = FactDeed::Purge { id: id(1) };
        assert_eq!(write(memory, Some(&id(1)), 9, 3, purge), FactWritten::Purged(id(1)));
    }),
    ("purged with others", &|memory| {
        let purge = FactDeed::Purge { id: id(1) };
        let purge = approved(memory.fact(&id(1)).unwrap().as_ref(), purge);
        assert_eq!(memory.purge_facts(&[purge], at(3)), Ok(1));
    }),
    ("purged by its number", &|memory| {
        sql(memory, "UPDATE memories SET valid_to_ms = 9223372036854775807 WHERE id = 1");
        let purge = FactDeed::PurgeRow { number: 1 };
        assert_eq!(write(memory, None, 9, 3, purge), FactWritten::PurgedRow(1));
    }),
    ("after its thirty days", &|memory| {
        let base = memory.fact(&id(1)).unwrap().unwrap().text.sha256();
        write(memory, Some(&id(1)), 9, 2, FactDeed::Forget { id: id(1), base });
        let expire = FactDeed::Expire { before: at(9) };
        assert_eq!(write(memory, None, 9, 9, expire), FactWritten::Expired(1));
    }),
];
