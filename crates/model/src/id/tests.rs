//! Which ids are valid, and the file names they become.

use super::*;

#[test]
fn an_agent_id_is_one_plain_folder_name() {
    for good in ["main", "a", "kate-2", "0_x", &"a".repeat(64)] {
        assert!(AgentId::parse(good).is_ok(), "{good}");
    }
    for bad in ["", "Main", "-a", "_a", "a/b", "..", "é", "🐙", "con", &"a".repeat(65)] {
        assert!(AgentId::parse(bad).is_err(), "{bad}");
    }
}

/// Proves N17.
#[test]
fn a_random_uuid_has_its_version_and_its_variant() {
    assert_eq!(uuid_v4([0xff; 16]), "ffffffff-ffff-4fff-bfff-ffffffffffff");
    assert_eq!(uuid_v4([0; 16]), "00000000-0000-4000-8000-000000000000");
    assert!(SessionId::parse(&uuid_v4([7; 16])).is_ok());
}

#[test]
fn a_home_is_named_by_an_agent_or_by_sixteen_hex_digits() {
    let of_folder = HomeId::of_folder(b"/home/ana/notes");
    assert!(of_folder.is_of_folder(), "{of_folder}");
    assert_eq!(HomeId::parse(of_folder.as_str()), Ok(of_folder));
    for agent in ["main", "ws-", "ws-notes", "ws-0123456789ABCDEF", "ws-0123456789abcde"] {
        assert!(!HomeId::parse(agent).is_ok_and(|id| id.is_of_folder()), "{agent}");
    }
    for bad in ["ws-/../../../x", "ws-..", "ws-0123456789abcde/", "ws-\0", "../main", "", "ws-é"] {
        assert!(HomeId::parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn a_session_id_is_one_plain_file_name_and_no_pattern() {
    for good in ["a", "S_1-b", "0190b6f4-7e1c-7cc3-8a54-0d1f5f0a9b1e", &"a".repeat(64)] {
        assert_eq!(SessionId::parse(good).expect("an id").to_string(), good);
    }
    let long = "a".repeat(300);
    for bad in
        ["", "-a", "_a", "..", "a/b", "../x", "*", "[a]", "{}", "a b", "é", "２", "a\0", "a\nb", "NUL", &long]
    {
        assert!(SessionId::parse(bad).is_err(), "{bad}");
    }
    let told = SessionId::parse(&long).expect_err("too long").to_string();
    assert!(told.len() < 320, "{told}");
    assert!(!SessionId::parse("\u{1b}[2J").expect_err("odd").to_string().contains('\u{1b}'));
}

#[test]
fn rooms_that_differ_never_share_a_folder() {
    let folder = |id: &str| RoomId::parse(id).expect("a room id").folder().to_owned();
    assert_eq!(folder("kitchen"), "kitchen");
    let odd = folder("!abc:server");
    assert!(odd.starts_with("abc-server--"), "{odd}");
    assert_ne!(odd, folder("#abc:server"));
    assert_ne!(odd, folder("abc-server"));
    assert!(folder("Kitchen").starts_with("kitchen--"), "case folds on some disks");
    assert_ne!(folder(&odd), odd, "an id that imitates an encoded folder is encoded again");
    assert!(folder("..").starts_with("room--"));
    assert!(folder("con").starts_with("con--"));
    assert!(RoomId::parse("").is_err());
    assert!(RoomId::parse("a\nb").is_err());
}

#[test]
fn a_session_id_is_one_plain_part_of_a_file_name() {
    for good in ["a1b2c3d4", "S", "x_1-2", &"a".repeat(64)] {
        assert!(SessionId::parse(good).is_ok(), "{good}");
    }
    for bad in ["", "..", "*", "[a]", "{}", "-a", "a/b", "a.b", "é", "con", &"a".repeat(65)] {
        assert!(SessionId::parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn ids_of_later_moments_sort_behind_and_are_read_back() {
    let at = |text: &str| text.parse::<jiff::Timestamp>().expect("a moment");
    let early = ReceiptId::new(at("2026-11-21T10:00:00Z"), [0xff; 10]);
    let late = ReceiptId::new(at("2026-11-21T10:00:00.001Z"), [0; 10]);
    assert!(early < late, "{early} {late}");
    assert_eq!(ReceiptId::parse(early.as_str()), Some(early.clone()));
    // The example of RFC 9562, A.6.
    let random = [0x0c, 0xc3, 0x18, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f];
    let uuid = uuid_v7(at("2022-02-22T19:22:22Z"), random);
    assert_eq!(uuid, "017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
    for bad in [
        "",
        "rcpt-",
        &uuid,
        &format!("prop-{uuid}"),
        &format!("rcpt-{uuid}0"),
        &format!("rcpt-X{}", &uuid[1..]),
    ] {
        assert_eq!(ReceiptId::parse(bad), None, "{bad}");
    }
}
