//! Hashes of texts that stand nowhere any more, in what dreams keep and in what was answered last: whoever guesses a short
//! text would see by one that the guess is right.

use inwit_model::Sha256;
use inwit_store::memory::contract::at;
use inwit_store::memory::{Erasure as _, KnownTexts};

use super::{SqliteMemory, sql};

#[test]
fn dreams_and_the_last_answer_keep_no_hash_of_what_stands_nowhere() {
    let memory = SqliteMemory::in_memory().unwrap();
    let (gone, stands) = (Sha256::of(b"a zorblax"), Sha256::of(b"a cat"));
    sql(
        &memory,
        "INSERT INTO dreams (number, fence, trigger, started_us) VALUES (1, 1, 'verb', 0);
         INSERT INTO sweeps (number, fence, at_us, target, confirmed) VALUES (1, 1, 0, 'MEMORY.md', 1)",
    );
    for (number, text) in [(1, gone), (2, stands)] {
        sql(
            &memory,
            &format!(
                "INSERT INTO dream_reasons VALUES (1, {number}, 'a.md', x'{text}', 'kept', 1.0, '');
                 INSERT INTO promotions VALUES ({number}, 1, 'a.md', x'{text}', x'{text}', 1.0, 1, 1, 'deep');
                 INSERT INTO last_answers VALUES ('main', {number}, {number}, 'a.md', x'{text}', 'search:1:ab')"
            ),
        );
    }
    let known = KnownTexts { passages: [stands].into(), bullets: [stands].into(), ..KnownTexts::default() };
    memory.let_go_of_hashes(&known).unwrap();
    memory.erase(&|_| None, &|_| None, at(9)).unwrap();
    let count = |table: &str, column: &str, hash: Sha256| -> i64 {
        let sql = format!("SELECT count(*) FROM {table} WHERE {column} = x'{hash}'");
        memory.hold().db.query_row(&sql, [], |row| row.get(0)).unwrap()
    };
    for (table, column) in [("dream_reasons", "text"), ("promotions", "text"), ("promotions", "bullet")] {
        assert_eq!(count(table, column, gone), 0, "{table}.{column}");
        assert_eq!(count(table, column, stands), 1, "{table}.{column}: what stands counts on");
    }
    // What was answered last is named by what was asked, too, so none of it stays.
    assert_eq!((count("last_answers", "text", gone), count("last_answers", "text", stands)), (0, 0));
}
