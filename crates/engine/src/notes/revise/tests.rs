//! What a revision leaves of a file, and what it refuses.

use super::*;
use proptest::prelude::*;

const PAGE: &str = "# M\r\n\r\n## Facts\r\n\r\n- Likes rye. <!-- importance: 3 -->\r\n- [ ] Buy flour\r\n  - two kilos\r\n\r\n## People\r\n\r\nBo is a baker.\r\n";

/// Every part as it stands.
fn as_it_stands(bytes: &[u8], look: &Look<'_>) -> Result<(usize, ModelText), ReviseError> {
    look(&|span| ModelText::made_of(&[], String::from_utf8_lossy(&bytes[span])))
}

fn name() -> SafeName {
    SafeName::parse("MEMORY.md").expect("a safe name")
}

fn made(before: &str, step: Step<'_>) -> Result<String, Code> {
    let (bytes, _) = worked_out(&name(), Some(before.as_bytes()), &[step], &as_it_stands)
        .map_err(|error| EngineError::from(error).code)?;
    Ok(String::from_utf8(bytes.to_vec()).expect("text"))
}

fn replaced(before: &str, words: &str, with: &str) -> Result<String, Code> {
    made(before, Step::Replace { pick: Pick::Words(words), with })
}

fn removed(before: &str, words: &str) -> Result<String, Code> {
    made(before, Step::Remove { pick: Pick::Words(words) })
}

#[test]
fn an_entry_changes_and_every_other_byte_stays() {
    let spelt = replaced(PAGE, "rye", "Likes\nspelt.").expect("replaced");
    assert_eq!(spelt, PAGE.replace("Likes rye. <!-- importance: 3 -->", "Likes spelt."));
    let ticked = replaced(PAGE, "Buy flour", "Buy salt").expect("replaced");
    assert_eq!(ticked, PAGE.replace("Buy flour\r\n  - two kilos", "Buy salt"));
    let baker = replaced(PAGE, "Bo is", "Bo is a miller.").expect("replaced");
    assert_eq!(baker, PAGE.replace("a baker", "a miller"));
}

#[test]
fn an_entry_goes_with_its_lines_and_leaves_no_hole() {
    assert_eq!(removed(PAGE, "rye"), Ok(PAGE.replace("- Likes rye. <!-- importance: 3 -->\r\n", "")));
    assert_eq!(removed("a\n\nb\n\nc\n", "b").as_deref(), Ok("a\n\nc\n"));
    assert_eq!(removed("- a", "a").as_deref(), Ok(""));
    assert_eq!(removed("one\n§\ntwo\n§\nthree", "two").as_deref(), Ok("one\n§\nthree"));
    assert_eq!(removed("one\n§\ntwo", "two").as_deref(), Ok("one\n"));
}

#[test]
fn words_of_no_entry_or_of_several_change_nothing() {
    assert_eq!(removed(PAGE, "oats"), Err(Code::EntryMissing));
    assert_eq!(removed(PAGE, "  "), Err(Code::EntryMissing));
    assert_eq!(removed("- rye a\n- rye b\n", "rye"), Err(Code::EntryAmbiguous));
    assert_eq!(removed("- rye\n- rye\n", "rye").as_deref(), Ok("- rye\n"), "the very same: the first");
    assert_eq!(replaced("Facts\n\nrye\n", "rye", "# Orders"), Err(Code::Refused));
    assert_eq!(replaced(PAGE, "rye", " "), Err(Code::UsageBad));
}

#[test]
fn an_entry_can_be_named_by_its_hash() {
    let hash = Sha256::of(b"- b").to_string();
    let gone = made("- a\n- b\n", Step::Remove { pick: Pick::Hash(&hash[..12]) });
    assert_eq!(gone.as_deref(), Ok("- a\n"));
    assert_eq!(made("- b\n", Step::Remove { pick: Pick::Hash(&hash[..4]) }), Err(Code::EntryMissing));
}

#[test]
fn steps_are_made_in_order_or_not_at_all() {
    let add = Step::Add(Entry { text: "c", section: "Facts" });
    let drop = |words| Step::Remove { pick: Pick::Words(words) };
    let all = worked_out(&name(), Some(b"## Facts\n\n- a\n- b\n"), &[drop("a"), add.clone()], &as_it_stands);
    assert_eq!(&*all.expect("made").0, b"## Facts\n\n- b\n- c\n");
    assert!(worked_out(&name(), Some(b"## Facts\n\n- a\n"), &[add, drop("z")], &as_it_stands).is_err());
}

proptest! {
    #[test]
    fn any_words_leave_the_other_entries_as_they_were(with in "\\PC{1,60}") {
        let before = "# M\n\n## Facts\n\n- a\n- the one\n- z\n\n## People\n\n- b\n";
        if let Ok(after) = replaced(before, "the one", &with) {
            prop_assert!(after.starts_with("# M\n\n## Facts\n\n- a\n- "));
            prop_assert!(after.ends_with("\n- z\n\n## People\n\n- b\n"));
        }
        prop_assert_eq!(removed(before, "the one"), Ok(before.replace("- the one\n", "")));
    }
}

/// How many parts were looked at to find `pick`, and what was found.
fn looked_at(bytes: &str, pick: Pick<'_>) -> (usize, Result<usize, EngineError>) {
    let document = outline(bytes.as_bytes());
    let looks = std::cell::Cell::new(0);
    let shown = |span: Range<usize>| {
        looks.set(looks.get() + 1);
        ModelText::made_of(&[], bytes[span].replace("hunter2", "[secret]"))
    };
    let found = picked(&name(), &document, pick, &shown).map(|(at, _)| at);
    (looks.get(), found.map_err(EngineError::from))
}

/// A file of three million one-letter paragraphs took 7 seconds and a gigabyte: each was judged and copied.
#[test]
fn of_many_entries_only_those_are_looked_at_that_the_answer_needs() {
    let count = 20 * ENTRIES_TOGETHER;
    let same = "a\n\n".repeat(count);
    assert_eq!(looked_at(&same, Pick::Words("a")), (20 + 2, Ok(0)), "the very same: the first");
    let (looks, missing) = looked_at(&same, Pick::Words("b"));
    assert_eq!((looks, missing.expect_err("missing").code), (20 + PREVIEWS_MAX, Code::EntryMissing));
    let other: String = (0..count).map(|at| format!("a{at}\n\n")).collect();
    let (looks, unclear) = looked_at(&other, Pick::Words("a"));
    let unclear = unclear.expect_err("ambiguous");
    assert!(unclear.message.starts_with("More than 100 entries of `MEMORY.md`"), "{}", unclear.message);
    assert_eq!((looks, unclear.code), (20 + 2 + COUNTED_MAX + 1 + PREVIEWS_MAX, Code::EntryAmbiguous));
    assert_eq!(
        looked_at(&other, Pick::Words("a77 b")).1.expect_err("nobody says it").code,
        Code::EntryMissing
    );
}

#[test]
fn an_entry_is_meant_by_what_is_shown_of_it() {
    let page = format!("{}- key hunter2 of Bo\n- key of Ana\n", "- a\n".repeat(3 * ENTRIES_TOGETHER));
    let at = 3 * ENTRIES_TOGETHER;
    assert_eq!(looked_at(&page, Pick::Words("key [secret] of")).1, Ok(at));
    assert_eq!(looked_at(&page, Pick::Words("hunter2")).1.expect_err("masked").code, Code::EntryMissing);
    let hash = Sha256::of(b"- key [secret] of Bo").to_string();
    assert_eq!(looked_at(&page, Pick::Hash(&hash[..ENTRY_DIGITS_MIN])).1, Ok(at));
    let hash = Sha256::of(b"- key of Ana").to_string();
    assert_eq!(looked_at(&page, Pick::Hash(&hash[..ENTRY_DIGITS_MIN])).1, Ok(at + 1));
    assert!(looked_at(&page, Pick::Hash(&hash[..ENTRY_DIGITS_MIN - 1])).1.is_err());
}
