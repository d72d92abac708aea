//! Readings of expressions by language; each row was computed by hand.

use super::*;
use jiff::civil::date;
use proptest::prelude::*;

/// A Wednesday.
const TODAY: Date = date(2026, 11, 18);

/// The readings as text, and their words.
fn shown(text: &str, today: Date) -> String {
    let folded = Folded::of(text);
    let when = read(&folded, &[], Some(today));
    let day = |day: Option<Date>| day.map_or_else(String::new, |day| day.to_string());
    let readings: Vec<String> = when
        .readings
        .iter()
        .map(|reading| match reading.interval.days() {
            Some(1) => day(reading.interval.since),
            _ => format!("{}..{}", day(reading.interval.since), day(reading.interval.until)),
        })
        .collect();
    readings.join(" | ")
}

#[track_caller]
fn check(rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter(|(text, expected)| shown(text, TODAY) != *expected)
        .map(|(text, expected)| format!("{text}\n  is    {}\n  not   {expected}", shown(text, TODAY)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn english() {
    check(&[
        ("what did we do yesterday", "2026-11-17"),
        ("the day before yesterday", "2026-11-16"),
        ("who called last Friday?", "2026-11-13"),
        ("what happened on Tuesday", "2026-11-17 | 2026-11-24"),
        ("last week", "2026-11-09..2026-11-15"),
        ("Friday of last week", "2026-11-13"),
        ("the week before last", "2026-11-02..2026-11-08"),
        ("this month", "2026-11-01..2026-11-30"),
        ("two weeks ago", "2026-11-04 | 2026-11-01..2026-11-07 | 2026-11-02..2026-11-08"),
        ("3 days ago", "2026-11-15"),
        ("in the last three days", "2026-11-15..2026-11-18"),
        ("in three days", "2026-11-21"),
        ("last weekend", "2026-11-14..2026-11-15"),
        ("on 3 May 2026", "2026-05-03"),
        ("May 3rd, 2026", "2026-05-03"),
        ("on July 3rd", "2026-07-03 | 2027-07-03"),
        ("in May 2023", "2023-05-01..2023-05-31"),
        ("in May", "2026-05-01..2026-05-31 | 2027-05-01..2027-05-31"),
        ("last year in May", "2025-05-01..2025-05-31"),
        ("in May last year", "2025-05-01..2025-05-31"),
        ("last summer", "2026-06-01..2026-09-22 | 2025-06-01..2025-09-22"),
        ("in the summer of 2025", "2025-06-01..2025-09-22"),
        ("in the third quarter of 2026", "2026-07-01..2026-09-30"),
        ("Q1 2026", "2026-01-01..2026-03-31"),
        ("between May and July 2026", "2026-05-01..2026-07-31"),
        ("between 3 and 7 May 2026", "2026-05-03..2026-05-07"),
        ("in the week before 16 November 2026", "2026-11-09..2026-11-15"),
        ("two days after 3 May 2026", "2026-05-05 | 2026-05-04..2026-05-05"),
        ("from Monday to Wednesday", "2026-11-16..2026-11-18 | 2026-11-23..2026-11-25"),
        ("since May", "2026-05-01.."),
        ("until last Friday", "..2026-11-13"),
        ("before 2026-05-03", "..2026-05-02"),
        ("after 3 May 2026", "2026-05-04.."),
        ("2026-11-02", "2026-11-02"),
        ("what was in 2022", "2022-01-01..2022-12-31"),
        (
            "at the end of October",
            "2026-10-20..2026-10-31 | 2026-10-01..2026-10-31 | 2027-10-20..2027-10-31 | 2027-10-01..2027-10-31",
        ),
        ("what does she do every Friday", ""),
        ("may I ask who fell", ""),
        ("the sun sat over the march", ""),
        ("which bread", ""),
        ("3 days", ""),
    ]);
}

#[test]
fn spanish() {
    check(&[
        ("¿qué hicimos ayer?", "2026-11-17"),
        ("anteayer", "2026-11-16"),
        ("el viernes pasado", "2026-11-13"),
        ("hace dos semanas", "2026-11-04 | 2026-11-01..2026-11-07 | 2026-11-02..2026-11-08"),
        ("la semana pasada", "2026-11-09..2026-11-15"),
        ("el mes que viene", "2026-12-01..2026-12-31"),
        ("este año", "2026-01-01..2026-12-31"),
        ("el 3 de mayo de 2026", "2026-05-03"),
        ("en mayo del año pasado", "2025-05-01..2025-05-31"),
        ("el verano pasado", "2026-06-01..2026-09-22 | 2025-06-01..2025-09-22"),
        ("entre mayo y julio de 2026", "2026-05-01..2026-07-31"),
        ("del 3 al 7 de mayo de 2026", "2026-05-03..2026-05-07"),
        ("desde hace tres semanas", "2026-10-28.."),
        ("hasta el 3 de mayo de 2026", "..2026-05-03"),
        ("el fin de semana pasado", "2026-11-14..2026-11-15"),
        ("las últimas dos semanas", "2026-11-04..2026-11-18"),
        ("el primer trimestre de 2026", "2026-01-01..2026-03-31"),
        ("cada viernes", ""),
        ("¿qué como por la mañana?", ""),
    ]);
}

#[test]
fn german() {
    check(&[
        ("was war gestern Abend", "2026-11-17"),
        ("vorgestern", "2026-11-16"),
        ("letzten Freitag", "2026-11-13"),
        ("vor drei Monaten", "2026-08-11..2026-08-25 | 2026-08-03..2026-09-02 | 2026-08-01..2026-08-31"),
        ("vor zwei Tagen", "2026-11-16"),
        ("letzte Woche", "2026-11-09..2026-11-15"),
        ("nächsten Monat", "2026-12-01..2026-12-31"),
        ("am 3. Mai 2026", "2026-05-03"),
        ("am 3.5.2026", "2026-05-03"),
        ("am 21.10.", "2026-10-21 | 2027-10-21"),
        ("im Mai letzten Jahres", "2025-05-01..2025-05-31"),
        ("letzten Sommer", "2026-06-01..2026-09-22 | 2025-06-01..2025-09-22"),
        ("zwischen Mai und Juli 2026", "2026-05-01..2026-07-31"),
        ("vom 3. bis zum 7. Mai 2026", "2026-05-03..2026-05-07"),
        ("seit drei Wochen", "2026-10-28.."),
        ("vor dem 3. Mai 2026", "..2026-05-02"),
        ("am Freitagabend", "2026-11-13 | 2026-11-20"),
        ("im dritten Quartal 2026", "2026-07-01..2026-09-30"),
        ("jeden Freitag", ""),
        ("was esse ich am Morgen", ""),
    ]);
}

#[test]
fn french() {
    check(&[
        ("qu'avons-nous fait hier soir ?", "2026-11-17"),
        ("avant-hier", "2026-11-16"),
        ("vendredi dernier", "2026-11-13"),
        ("il y a deux jours", "2026-11-16"),
        ("la semaine dernière", "2026-11-09..2026-11-15"),
        ("le mois prochain", "2026-12-01..2026-12-31"),
        ("le 3 mai 2026", "2026-05-03"),
        ("en mai de l'année dernière", "2025-05-01..2025-05-31"),
        ("l'été dernier", "2026-06-01..2026-09-22 | 2025-06-01..2025-09-22"),
        ("entre mai et juillet 2026", "2026-05-01..2026-07-31"),
        ("du 3 au 7 mai 2026", "2026-05-03..2026-05-07"),
        ("depuis trois semaines", "2026-10-28.."),
        ("jusqu'au 3 mai 2026", "..2026-05-03"),
        ("le week-end dernier", "2026-11-14..2026-11-15"),
        ("les trois derniers jours", "2026-11-15..2026-11-18"),
        ("au deuxième trimestre 2026", "2026-04-01..2026-06-30"),
        ("aujourd'hui", "2026-11-18"),
        ("chaque vendredi", ""),
        ("où a-t-il été", ""),
    ]);
}

#[test]
fn chinese() {
    check(&[
        ("昨天做了什么", "2026-11-17"),
        ("前天", "2026-11-16"),
        ("上周五谁来了", "2026-11-13"),
        ("上上周", "2026-11-02..2026-11-08"),
        ("三个星期前", "2026-10-28 | 2026-10-25..2026-10-31 | 2026-10-26..2026-11-01"),
        ("两天前", "2026-11-16"),
        ("去年五月", "2025-05-01..2025-05-31"),
        ("今年三月三号", "2026-03-03"),
        ("2026年5月3日", "2026-05-03"),
        ("二〇二六年五月", "2026-05-01..2026-05-31"),
        ("上个月", "2026-10-01..2026-10-31"),
        ("这个週末", "2026-11-21..2026-11-22"),
        ("去年夏天", "2025-06-01..2025-09-22"),
        ("从五月到七月", "2026-05-01..2026-07-31 | 2027-05-01..2027-07-31"),
        ("2026年5月3日到7日", "2026-05-03..2026-05-07"),
        ("去年以来", "2025-01-01.."),
        ("2026年5月之前", "..2026-04-30"),
        ("最近三天", "2026-11-15..2026-11-18"),
        ("第三季度", "2026-07-01..2026-09-30 | 2027-07-01..2027-09-30"),
        ("星期一", "2026-11-16 | 2026-11-23"),
        ("用户名是什么", ""),
        ("一天做一次", ""),
    ]);
}

#[test]
fn parts_of_the_day_and_hours_ago_are_days() {
    check(&[
        ("this morning", "2026-11-18"),
        ("what did I eat this afternoon?", "2026-11-18"),
        ("this evening", "2026-11-18"),
        ("last night", "2026-11-17 | 2026-11-18"),
        ("an hour ago", "2026-11-18"),
        ("half an hour ago", "2026-11-18"),
        ("an hour and a half ago", "2026-11-18"),
        ("ten minutes ago", "2026-11-18"),
        ("20 hours ago", "2026-11-18 | 2026-11-17"),
        ("48 hours ago", "2026-11-16"),
        ("esta mañana", "2026-11-18"),
        ("anoche", "2026-11-17 | 2026-11-18"),
        ("hace una hora", "2026-11-18"),
        ("hace media hora", "2026-11-18"),
        ("heute Morgen", "2026-11-18"),
        ("diesen Nachmittag", "2026-11-18"),
        ("letzte Nacht", "2026-11-17 | 2026-11-18"),
        ("vor einer Stunde", "2026-11-18"),
        ("vor einer halben Stunde", "2026-11-18"),
        ("ce matin", "2026-11-18"),
        ("hier soir", "2026-11-17"),
        ("avant hier", "2026-11-16"),
        ("la nuit dernière", "2026-11-17 | 2026-11-18"),
        ("il y a une heure", "2026-11-18"),
        ("il y a une demi-heure", "2026-11-18"),
        ("今天早上", "2026-11-18"),
        ("一小时前", "2026-11-18"),
        ("半个小时前", "2026-11-18"),
        ("what can I bake in an hour", ""),
        ("an hour of bread", ""),
    ]);
}

#[test]
fn a_half_counts() {
    const YEAR: &str = "2025-04-03..2025-07-02 | 2025-02-17..2025-08-16";
    const HALF_YEAR: &str = "2026-04-03..2026-07-02 | 2026-02-17..2026-08-16";
    const MONTH: &str = "2026-09-26..2026-10-10 | 2026-09-18..2026-10-18";
    check(&[
        ("a year and a half ago", YEAR),
        ("one and a half years ago", YEAR),
        ("half a year ago", HALF_YEAR),
        ("a month and a half ago", MONTH),
        ("a week and a half ago", "2026-11-05..2026-11-11"),
        ("hace un año y medio", YEAR),
        ("hace medio año", HALF_YEAR),
        ("hace un mes y medio", MONTH),
        ("vor anderthalb Jahren", YEAR),
        ("vor einem halben Jahr", HALF_YEAR),
        ("vor eineinhalb Monaten", MONTH),
        ("il y a un an et demi", YEAR),
        ("il y a un mois et demi", MONTH),
        ("一年半前", YEAR),
        ("一个半月前", MONTH),
        ("since a year and a half ago", "2025-05-18.."),
        ("seit anderthalb Jahren", "2025-05-18.."),
        ("3 Monate her", "2026-08-11..2026-08-25 | 2026-08-03..2026-09-02 | 2026-08-01..2026-08-31"),
    ]);
}

/// Queries about notes of earlier years omit the year, for any part of a month.
#[test]
fn a_part_of_a_month_may_be_of_any_year() {
    for text in
        ["in November", "in the second week of November", "early in November", "Anfang des Monats November"]
    {
        let when = read(&Folded::of(text), &[], Some(TODAY));
        assert_eq!(when.yearly, [Yearly { month: 11, day: None }], "{text}");
    }
}

#[test]
fn a_week_of_a_month_is_seven_days_of_it() {
    const FIRST: &str = "2026-05-01..2026-05-07 | 2026-05-01..2026-05-31";
    const EARLY: &str = "2026-05-01..2026-05-10 | 2026-05-01..2026-05-31";
    check(&[
        (
            "the first week of May",
            "2026-05-01..2026-05-07 | 2026-05-01..2026-05-31 | 2027-05-01..2027-05-07 | 2027-05-01..2027-05-31",
        ),
        ("in the first week of May 2026", FIRST),
        ("the last week of May 2026", "2026-05-25..2026-05-31 | 2026-05-01..2026-05-31"),
        ("la primera semana de mayo de 2026", FIRST),
        ("in der ersten Woche im Mai 2026", FIRST),
        ("la première semaine de mai 2026", FIRST),
        ("la dernière semaine de mai 2026", "2026-05-25..2026-05-31 | 2026-05-01..2026-05-31"),
        ("2026年五月第一周", FIRST),
        ("at the beginning of the month of May 2026", EARLY),
        ("a principios del mes de mayo de 2026", EARLY),
        ("Anfang des Monats Mai 2026", EARLY),
        ("au début du mois de mai 2026", EARLY),
        ("à la fin du mois de mai 2026", "2026-05-20..2026-05-31 | 2026-05-01..2026-05-31"),
        ("the first week of school", ""),
    ]);
}

/// Parts of expressions, in all languages.
const PIECES: &[&str] = &[
    "last", "next", "Friday", "May", "2026", "3", "31", "week", "ago", "between", "and", "to", "since",
    "hace", "dos", "semanas", "pasado", "mes", "vor", "drei", "Monaten", "letzten", "il", "y", "a", "deux",
    "jours", "dernier", "上", "个", "星期", "五", "月", "前", "到", "去年", "-", ".", "/", "12", "999",
    "years", "Jahre", "第", "季度", "Q4", "day", "before", "yesterday", "from", "ende", "fin", "de",
];

proptest! {
    #[test]
    fn any_text_gives_ordered_intervals_in_ordered_places(
        picks in proptest::collection::vec((0..PIECES.len(), proptest::bool::ANY), 0..12),
        noise in r"\PC{0,12}",
        days in 0i32..3_000_000,
    ) {
        let today = calendar::moved(calendar::moved(Date::MIN, calendar::Unit::Year, days / 300), calendar::Unit::Day, days % 300);
        let mut text = noise;
        for (at, glued) in picks {
            text.push_str(if glued { "" } else { " " });
            text.push_str(PIECES[at]);
        }
        let folded = Folded::of(&text);
        for today in [None, Some(today)] {
            let when = read(&folded, &[], today);
            for reading in &when.readings {
                if let (Some(since), Some(until)) = (reading.interval.since, reading.interval.until) {
                    prop_assert!(since <= until, "{text}: {reading:?}");
                }
                prop_assert!(passage::terms_within(&reading.interval).len() < 200);
            }
            prop_assert!(when.places.windows(2).all(|pair| pair[0].end <= pair[1].start), "{text}: {:?}", when.places);
            prop_assert!(when.places.iter().all(|place| folded.text.get(place.clone()).is_some()));
            prop_assert_eq!(when.readings.is_empty(), when.places.is_empty());
            prop_assert!(folded.without(&when.places).len() <= folded.composed.len() + when.places.len());
        }
    }
}

/// A timestamp is the day it names, with all of its digits, and text after it is not part of it.
#[test]
fn a_timestamp_is_its_day() {
    check(&[
        ("what failed at 2026-11-02T10:00", "2026-11-02"),
        ("the log of 2026-11-02T10:00:30.125Z", "2026-11-02"),
        ("the log of 2026-11-02T10:00+02:00 and of 2026-10-01", "2026-11-02 | 2026-10-01"),
    ]);
    let folded = Folded::of("the log of 2026-11-02T10:00:30.125Z. 5 loaves");
    let when = read(&folded, &[], Some(TODAY));
    assert_eq!(folded.without(&when.places), "the log of  . 5 loaves");
}

/// Readings of a query as text; `@` marks those that only queries have.
fn asked(text: &str) -> String {
    let when = read_question(&Folded::of(text), &[], TODAY);
    let day = |day: Option<Date>| day.map_or_else(String::new, |day| day.to_string());
    let readings = when.readings.iter().map(|reading| match reading.interval.days() {
        Some(1) => day(reading.interval.since),
        _ => format!("{}..{}", day(reading.interval.since), day(reading.interval.until)),
    });
    readings.collect::<Vec<String>>().join(" | ")
}

#[test]
fn questions_name_days_by_holidays() {
    for (text, expected) in [
        (
            "what did we eat on Thanksgiving",
            "2025-11-27 | 2025-11-27..2025-11-30 | 2026-11-26 | 2026-11-26..2026-11-29",
        ),
        ("Thanksgiving 2024", "2024-11-28 | 2024-11-28..2024-12-01"),
        ("on Halloween", "2026-10-31 | 2027-10-31"),
        ("am Pfingstmontag", "2026-05-25 | 2027-05-17"),
        ("el martes de carnaval", "2026-02-17 | 2027-02-09"),
        ("le jeudi de l'Ascension", "2026-05-14 | 2027-05-06"),
        ("em Finados", "2026-11-02 | 2027-11-02"),
        ("去年端午节吃了什么", "2025-05-31"),
        ("the day before Christmas Eve", "2025-12-23 | 2026-12-23"),
        ("la veille de la Chandeleur", "2026-02-01 | 2027-02-01"),
        ("平安夜前三天", "2025-12-21 | 2026-12-21"),
        ("entre la rentrée de septembre et la Toussaint", "2026-09-01..2026-11-01"),
    ] {
        assert_eq!(asked(text), expected, "{text}");
    }
    assert_eq!(shown("Thanksgiving dinner", TODAY), "", "in a note it is a word");
}

#[test]
fn parts_of_a_month_are_counted() {
    let first = |text: &str| asked(text).split(" | ").next().unwrap_or_default().to_owned();
    for (text, expected) in [
        ("the second Tuesday of March", "2026-03-10"),
        ("on the last Friday of May 2025", "2025-05-30"),
        ("the fifth Monday of February 2026", "2026-02-01..2026-02-28"),
        ("el último martes de marzo", "2026-03-31"),
        ("am zweiten Novemberwochenende", "2026-11-14..2026-11-15"),
        ("a segunda quarta-feira de setembro", "2026-09-09"),
        ("na segunda quinzena de agosto", "2026-08-16..2026-08-31"),
        ("三月第二个星期二", "2026-03-10"),
        ("五月最后一个周末", "2026-05-30..2026-05-31"),
        ("the Wednesday before last", "2026-11-04"),
        ("the first half of 2025", "2025-01-01..2025-06-30"),
        ("zweites Halbjahr 2025", "2025-07-01..2025-12-31"),
    ] {
        assert_eq!(first(text), expected, "{text}");
    }
}

#[test]
fn days_of_a_month_are_written_as_words() {
    for (text, expected) in [
        ("the twenty-second of October 2025", "2025-10-22"),
        ("el treinta y uno de enero de 2026", "2026-01-31"),
        ("am zweiundzwanzigsten September 2025", "2025-09-22"),
        ("le vingt et un mars 2026", "2026-03-21"),
        ("vinte e dois de julho de 2025", "2025-07-22"),
    ] {
        assert_eq!(asked(text), expected, "{text}");
    }
}

#[test]
fn a_distance_is_meant_to_the_day_where_words_say_so() {
    for text in [
        "a year ago today", "hoy hace un año", "heute vor einem Jahr", "il y a un an jour pour jour",
        "há exatamente um ano", "去年今天",
    ] {
        assert_eq!(asked(text), "2025-11-18", "{text}");
    }
}

/// Regression: it was counted from the end of the next one, so nothing matched.
#[test]
fn an_open_range_is_bounded_by_the_latest_day_that_has_begun() {
    for (text, expected) in [
        ("after 10 October", "2026-10-11.."),
        ("after 10 December", "2025-12-11.."),
        ("until 31 August", "..2026-08-31"),
        ("hasta el 31 de diciembre", "..2025-12-31"),
        ("八月底之前", "..2026-08-19"),
    ] {
        assert_eq!(asked(text), expected, "{text}");
    }
}

#[test]
fn distances_from_events_and_orders_are_known() {
    let event = |text: &str| {
        let folded = Folded::of(text);
        let when = read_question(&folded, &[], TODAY);
        when.offsets
            .first()
            .map(|offset| (folded.text[offset.event.clone()].to_owned(), offset.unit, offset.count))
    };
    for (text, expected) in [
        (
            "physio three days after the dentist put the crown on?",
            ("the dentist put the crown on", Unit::Day, 3),
        ),
        ("the hike a week before Nora's graduation", ("Nora's graduation", Unit::Week, -1)),
        ("zwei Tage, nachdem der Schein da war, wohin?", ("der Schein da war", Unit::Day, 2)),
        ("repas le surlendemain du permis", ("permis", Unit::Day, 2)),
        ("女儿拔牙三天后打电话", ("女儿拔牙", Unit::Day, 3)),
        ("婚礼的前一天", ("婚礼", Unit::Day, -1)),
    ] {
        let (words, unit, count) = expected;
        assert_eq!(event(text), Some((words.to_owned(), unit, count)), "{text}");
    }
    for text in ["three days ago", "two days after 3 May", "dos días después fuimos al cine", "三天后"] {
        assert_eq!(event(text), None, "{text}");
    }
    let order = |text: &str| read_question(&Folded::of(text), &[], TODAY).order.map(|(order, _)| order);
    assert_eq!(order("Where did the first hike go?"), Some(Order::First));
    assert_eq!(order("¿Qué vimos en la última clase?"), Some(Order::Latest));
    assert_eq!(order("最近一次跟薛涛通话"), Some(Order::Latest));
    for text in ["last Friday", "in the last week of May", "how long did it last", "the twenty-first of May"]
    {
        assert_eq!(order(text), None, "{text}");
    }
}
