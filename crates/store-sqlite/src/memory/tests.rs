//! What SQLite must show beyond the contract: several processes, damage, full disks, old files.

use inwit_store::memory::contract::chapters;

use super::SqliteMemory;

#[test]
fn the_memory_keeps_the_contract_in_memory_and_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    for (at, (claim, chapter)) in chapters().iter().enumerate() {
        println_claim(claim);
        chapter(&SqliteMemory::in_memory().unwrap());
        chapter(&SqliteMemory::open(&folder.path().join(format!("{at}.db"))).unwrap());
    }
}

#[expect(clippy::print_stdout, reason = "a failing chapter is named by the last line printed")]
fn println_claim(claim: &str) {
    println!("{claim}");
}
