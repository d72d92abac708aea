//! What is left of words in the pages of the file once their rows are gone: nothing, whichever way they went.

use inwit_gate::FactDeed;
use inwit_store::memory::Facts as _;

use super::erasing::stands;
use super::going::WAYS;
use super::knowing::{add, id, says, write};
use super::{SqliteMemory, sql};

/// Full texts keep a deleted word in their pages until they are laid out anew, and the log keeps pages of before; both
/// are gone while the memory is still open. What is said now and what was said before are in a full text each.
/// Proves M82.
#[test]
fn a_fact_that_goes_for_good_leaves_no_word_in_any_page_whichever_way_it_goes() {
    let dropped = "DROP TRIGGER memories_forget_versions; DROP TRIGGER memories_forget_edges";
    for (way, goes) in WAYS {
        for (first, then, before) in
            [("a zorblax", "a cat", ""), ("a cat", "a zorblax", ""), ("a zorblax", "a cat", dropped)]
        {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("memory.db");
            let memory = SqliteMemory::open(&path).unwrap();
            add(&memory, 1, first, 0);
            add(&memory, 2, "a goat", 0);
            let update = FactDeed::Update { id: id(1), base: says(first).sha256(), text: says(then) };
            write(&memory, Some(&id(1)), 9, 1, update);
            assert!(stands(&path), "{way}");
            sql(&memory, before);
            goes(&memory);
            assert!(!stands(&path), "{way}: {first}, then {then}");
            assert_eq!(memory.fact_count(9), Ok(1), "{way}: the goat stays");
        }
    }
}
