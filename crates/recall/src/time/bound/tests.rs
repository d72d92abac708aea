//! Meanings of a single time as a bound, on Sunday 22 November 2026.

use jiff::civil::date;

use super::*;

const SUNDAY: Date = date(2026, 11, 22);

/// The flags of a search on a Sunday: the complete value is parsed, and has one reading.
#[test]
fn a_flag_means_one_time_or_none() {
    let read = |text: &str| match meant(text, Side::Since, SUNDAY) {
        Some(read) => format!("{}..{}", shown_day(read.since), shown_day(read.until)),
        None => "none".to_owned(),
    };
    let rows = [
        ("2026-11-31", "none"),
        ("31.11.2026", "none"),
        ("31 November", "none"),
        ("2026-02-29", "none"),
        ("2026-13-40", "none"),
        ("2026-W45", "none"),
        ("2 Nov banana", "none"),
        ("2026-11-02T25:00", "none"),
        ("2026-11-02Tea", "none"),
        ("2026-11-31T10:00", "none"),
        ("May 2025 and June 2025", "none"),
        ("", "none"),
        ("2026-11-02T10:00", "2026-11-02..2026-11-02"),
        ("2026-11-02 10:00:30", "2026-11-02..2026-11-02"),
        ("2026-11-02T10:00:30.5Z", "2026-11-02..2026-11-02"),
        ("2026-11-02T10:00+09:00", "2026-11-02..2026-11-02"),
        ("2026-11-02T10:00[Asia/Tokyo]", "2026-11-02..2026-11-02"),
        ("2 Nov", "2026-11-02..2026-11-02"),
        ("on the 2nd of November", "2026-11-02..2026-11-02"),
        ("am 13. November", "2026-11-13..2026-11-13"),
        ("January", "2026-01-01..2026-01-31"),
        ("November", "2026-11-01..2026-11-30"),
        ("December", "2025-12-01..2025-12-31"),
        ("December 2026", "2026-12-01..2026-12-31"),
        ("Friday", "2026-11-20..2026-11-20"),
        ("last Friday", "2026-11-20..2026-11-20"),
        ("next Friday", "2026-11-27..2026-11-27"),
        ("Sunday", "2026-11-22..2026-11-22"),
        ("two weeks ago", "2026-11-08..2026-11-08"),
        ("hace dos semanas", "2026-11-08..2026-11-08"),
        ("letzte Woche", "2026-11-09..2026-11-15"),
        ("monday", "2026-11-16..2026-11-16"),
        ("bread", "none"),
        ("3/12/2026", "2026-03-12..2026-03-12"),
        ("1.12.2026", "2026-12-01..2026-12-01"),
        ("2026-11", "2026-11-01..2026-11-30"),
        ("since May", "2026-05-01.."),
        ("上周五", "2026-11-13..2026-11-13"),
    ];
    let wrong: Vec<String> = rows
        .iter()
        .filter(|(text, expected)| read(text) != *expected)
        .map(|(text, expected)| format!("{text}: {}, not {expected}", read(text)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn shown_day(day: Option<Date>) -> String {
    day.map_or_else(String::new, |day| day.to_string())
}

/// A value may repeat the word of its flag, in each language, without a change of meaning.
#[test]
fn a_word_of_the_flag_in_its_value_changes_nothing() {
    let shown = |text: &str, side| meant(text, side, SUNDAY).map(|read| (read.since, read.until));
    let rows: [(Side, &[(&str, &str)]); 4] = [
        (
            Side::Until,
            &[
                ("until May", "May"),
                ("up to last Friday", "last Friday"),
                ("by Monday", "Monday"),
                ("hasta mayo", "mayo"),
                ("hasta el viernes", "viernes"),
                ("bis Mai", "Mai"),
                ("bis zum 3. Mai", "3. Mai"),
                ("bis Ende Mai", "Ende Mai"),
                ("jusqu'en mai", "mai"),
                ("jusqu'à vendredi", "vendredi"),
                ("直到五月", "五月"),
                ("到上周五为止", "上周五"),
                ("until two months ago", "two months ago"),
            ],
        ),
        (
            Side::Since,
            &[
                ("since Monday", "Monday"),
                ("since last Friday", "last Friday"),
                ("Since May", "May"),
                ("from May", "May"),
                ("desde el lunes", "lunes"),
                ("a partir de mayo", "mayo"),
                ("desde hace dos semanas", "hace dos semanas"),
                ("seit Montag", "Montag"),
                ("ab Mai", "Mai"),
                ("depuis lundi", "lundi"),
                ("à partir de mai", "mai"),
                ("自从五月", "五月"),
                ("五月以来", "五月"),
                ("从星期一开始", "星期一"),
            ],
        ),
        (
            Side::Around,
            &[
                ("around May", "May"),
                ("about last Friday", "last Friday"),
                ("near 3 May 2026", "3 May 2026"),
                ("alrededor de mayo", "mayo"),
                ("hacia mayo", "mayo"),
                ("ungefähr Mai", "Mai"),
                ("um den 3. Mai", "3. Mai"),
                ("vers mai", "mai"),
                ("autour du 3 mai", "3 mai"),
                ("五月左右", "五月"),
                ("大约五月", "五月"),
            ],
        ),
        (
            Side::AsOf,
            &[
                ("as of May", "May"),
                ("as of last week", "last week"),
                ("until May", "May"),
                ("Stand Mai", "Mai"),
                ("截至五月", "五月"),
            ],
        ),
    ];
    let mut wrong = Vec::new();
    for (side, rows) in rows {
        for (said_again, plain) in rows {
            let (said_again, plain) = ((said_again, shown(said_again, side)), (plain, shown(plain, side)));
            let ends = |read: Option<(Option<Date>, Option<Date>)>| match side {
                Side::Since => read.and_then(|(since, _)| since).map(|day| (day, day)),
                Side::Until | Side::AsOf => read.and_then(|(_, until)| until).map(|day| (day, day)),
                Side::Around => read.and_then(|(since, until)| since.zip(until)),
            };
            if ends(plain.1).is_none() || ends(said_again.1) != ends(plain.1) {
                wrong.push(format!("{side:?}: {said_again:?} is not {plain:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A word for another bound opens no range.
#[test]
fn another_bound_than_the_one_that_is_asked_for_is_no_time_there() {
    for (side, texts) in [
        (
            Side::Since,
            &["until May", "before Friday", "bis Mai", "hasta mayo", "avant lundi", "五月之前"][..],
        ),
        (
            Side::Until,
            &["since May", "after Friday", "seit Mai", "desde mayo", "depuis lundi", "五月以来"][..],
        ),
        (
            Side::Around,
            &["since May", "until May", "before Friday", "around a feast", "seit zwei Wochen"][..],
        ),
        (Side::AsOf, &["since May", "after Friday", "seit zwei Wochen", "as of", "as of a feast"][..]),
    ] {
        for text in texts {
            assert_eq!(meant(text, side, SUNDAY), None, "{side:?}: {text}");
        }
    }
    assert!(is_time("since May", SUNDAY) && is_time("until May", SUNDAY) && !is_time("a feast", SUNDAY));
}

/// "before" and "after" exclude the named time.
#[test]
fn before_and_after_leave_out_what_they_name() {
    let day = |year, month, day| Some(date(year, month, day));
    let until = |text| meant(text, Side::Until, SUNDAY).and_then(|read| read.until);
    let since = |text| meant(text, Side::Since, SUNDAY).and_then(|read| read.since);
    assert_eq!(until("before May"), day(2026, 4, 30));
    assert_eq!(until("vor Freitag"), day(2026, 11, 19));
    assert_eq!(until("antes de mayo"), day(2026, 4, 30));
    assert_eq!(until("五月之前"), day(2026, 4, 30));
    assert_eq!(since("after May"), day(2026, 6, 1));
    assert_eq!(since("nach dem 3. Mai"), day(2026, 5, 4));
    // The same words at the start of a day are not bounds.
    assert_eq!(until("avant-hier"), day(2026, 11, 20));
    assert_eq!(until("vor drei Wochen"), day(2026, 11, 1));
    assert_eq!(since("seit zwei Wochen"), day(2026, 11, 8));
}

/// "as of" a distance means that day; of a period it means its end.
#[test]
fn a_moment_that_is_looked_back_at_is_the_end_of_what_is_named() {
    let until = |text| meant(text, Side::AsOf, SUNDAY).and_then(|read| read.until).map(|day| day.to_string());
    for (text, day) in [
        ("Friday", "2026-11-20"),
        ("viernes", "2026-11-20"),
        ("Freitag", "2026-11-20"),
        ("vendredi", "2026-11-20"),
        ("星期五", "2026-11-20"),
        ("next Friday", "2026-11-27"),
        ("Sunday", "2026-11-22"),
        ("now", "2026-11-22"),
        ("Jetzt", "2026-11-22"),
        ("现在", "2026-11-22"),
        ("last week", "2026-11-15"),
        ("la semana pasada", "2026-11-15"),
        ("letzte Woche", "2026-11-15"),
        ("la semaine dernière", "2026-11-15"),
        ("上周", "2026-11-15"),
        ("last month", "2026-10-31"),
        ("May", "2026-05-31"),
        ("mayo", "2026-05-31"),
        ("Mai", "2026-05-31"),
        ("五月", "2026-05-31"),
        ("December", "2025-12-31"),
        ("early May", "2026-05-10"),
        ("end of May", "2026-05-31"),
        ("3 May", "2026-05-03"),
        ("two months ago", "2026-09-22"),
        ("vor drei Monaten", "2026-08-22"),
        ("a year ago", "2025-11-22"),
        ("last night", "2026-11-21"),
        ("2025", "2025-12-31"),
        ("in 2025", "2025-12-31"),
        ("Q3", "2026-09-30"),
        ("May to July", "2026-07-31"),
    ] {
        assert_eq!(until(text).as_deref(), Some(day), "{text}");
    }
}

/// Regression: each start was tried, so a text of 90 KB took 8 seconds before it was refused.
#[test]
fn words_beyond_the_limit_are_no_time() {
    let long = |bytes: usize| format!("last Friday{}", " ".repeat(bytes - 11));
    assert!(said(&long(TIME_BYTES_MAX), Side::Since, SUNDAY).is_some());
    assert_eq!(said(&long(TIME_BYTES_MAX + 1), Side::Since, SUNDAY), None);
}
