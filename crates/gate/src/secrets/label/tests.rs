//! Values of labels in whole texts, and the time of the search.

use proptest::prelude::*;

use super::*;
use crate::secrets::command;

fn shown(text: &str) -> Vec<&str> {
    find(text).into_iter().map(|span| &text[span]).collect()
}

/// The text read after a label is bounded in bytes, and the bound may be inside a character.
#[test]
fn a_bound_within_a_character_is_no_fault() {
    for label in ["password (", "token ", "PIN: ", "admin: ", "recovery codes ", "passphrase: "] {
        for filler in 60..200 {
            let text = format!("{label}{}“字”) = x", "a".repeat(filler));
            assert_eq!(shown(&text), [""; 0], "{text}");
        }
    }
}

/// Regression: each label inside one long word read that word again, which took minutes.
#[test]
fn a_label_repeated_without_a_blank_is_read_in_linear_time() {
    let text = "<private>".repeat((150 << 10) / "<private>".len());
    assert_eq!(shown(&text), [""; 0]);
    for word in ["**password**:ab1", "password：ab1", "password&#58;ab1", "<tr><th>password</th>"] {
        let text = word.repeat((150 << 10) / word.len());
        assert!(find(&text).iter().map(Range::len).sum::<usize>() < 2 * text.len(), "{word}");
    }
}

#[test]
fn a_value_stands_behind_before_or_below_its_label() {
    let password = format!("Zebra!{}", 4711);
    let key: String = ["aB3dE5gH7jK9", "mN1pQ2rS4tU6", "vW8x"].concat();
    for form in [
        "admin / @",
        "<td>Password</td><td>@</td>",
        "passwords: first \"Lion?2021\" then \"@\"",
        "password = ENV['X'] || '@'",
        "service;user;password\nmail;ana;@",
        "pw\t@",
    ] {
        let text = form.replace('@', &password);
        assert!(shown(&text).contains(&password.as_str()), "{text}");
    }
    // Words may be in between if nothing follows.
    let plain = format!("Apfelbaum{}", 2021);
    for form in ["Passwort für den Router: @", "the password of the old box is @\n"] {
        assert_eq!(shown(&form.replace('@', &plain)), [plain.as_str()], "{form}");
    }
    assert_eq!(shown(&format!("the password is for {plain} only, not for Ana")), [""; 0]);
    for form in
        ["`@` is the API key of the relay", "use @ as the token", "{\"name\": \"API_KEY\", \"value\": \"@\"}"]
    {
        let text = form.replace('@', &key);
        assert!(shown(&text).contains(&key.as_str()), "{text}");
    }
}

/// Chosen and generated values with any characters.
#[test]
fn the_form_of_a_value_decides_not_the_luck_of_its_characters() {
    let drawn = ["GZiHXJnB8dE3", "xKJm8GAF0wAw"].concat();
    let of_runs = ["sDSuFEhbtyvAYmq", "gq5UGn9MB0bobzj"].concat();
    for (text, value) in [
        (format!("`export STRIPE_KEY={drawn}`"), drawn.as_str()),
        (format!("[dash](https://dash.example/?api_key={of_runs}&x=1)"), of_runs.as_str()),
        ("WLAN-Schlüssel von Oma: Zgdp066&WXaSC".to_owned(), "Zgdp066&WXaSC"),
        ("Password for the nas:\n\n    Yfhh478&ynCTq\n".to_owned(), "Yfhh478&ynCTq"),
        ("password: NLZMfpobZpze".to_owned(), "NLZMfpobZpze"),
        ("- GitHub recovery code: jasxc-nx0or-pl4vf-i1q9p".to_owned(), "jasxc-nx0or-pl4vf-i1q9p"),
        ("passphrase for the disk: \"correct horse battery rye7\"".to_owned(), "correct horse battery rye7"),
        ("nas creds: admin Cifd203%cdOfG".to_owned(), "Cifd203%cdOfG"),
    ] {
        assert!(shown(&text).contains(&value), "{text}: {:?}", shown(&text));
    }
    for text in [
        "CACHE_KEY=user:profile:v2",
        "the passphrase was lost during last migration",
        "password: NetworkManagerConfig",
        "https://x.example/?page=2&token=abc&x=1",
        "login: see the second paragraph",
    ] {
        assert_eq!(shown(text), [""; 0], "{text}");
    }
}

/// Common ways to write down a chosen password.
#[test]
fn a_password_is_found_wherever_a_note_keeps_it() {
    let values =
        ["lemon-tiger-89x", "Winter1077!", "winter56stone", "ok#BrWTELQ", "#Lco9TzRWs", "HMkOTjCW8BYB"];
    for form in [
        "- password: @", "- password: @ (since May)", "Password\n--------\n\n@", "Wifi password\n=====\n@",
        "The password is:\n\n    @", "The password is:\n\n```\n@\n```", "user,password\nana,@",
        "user\tpassword\nana\t@", "## Password\n\n- @ (since May)", "### Admin password\n\n1. @",
        "## Password\n\nIt is @, do not share.", "The password\nis @", "- 10:00 password:\n- 10:01 @",
        "パスワードは@です", "the new password is now @", "I changed the password to @ today",
        "password (@)", "[password](@)", "password \"@\"", "password <!-- x --> @", "wifi: SSID home, key @",
        "🔑 @", "client secret: @",
    ] {
        for value in values {
            let text = form.replace('@', value);
            let found =
                find(&text).into_iter().any(|span| text[span].contains(value.trim_start_matches('#')));
            assert!(found, "{text}");
        }
    }
    for text in [
        "the password is sha256-crypted",
        "ConnectionTrafficSecrets::Aes256Gcm { key, iv }",
        "pass session to HTTP2_SESSION2 (Ana)",
        "id=\"pbkdf2password-salt-iterations-keylen-digest\"",
        "\"user\": 88902660,",
        "password: user-v2",
        "password_hash: argon2id",
        "Password manager: 1Password8",
        "password: 12-16chars",
        "secret sauce: tomatoes-and-basil-2024",
        "api_key: env:OPENAI_API_KEY_2",
        "session: 3f2b8c1e-9a4d-4e7f-b1c2-5d6e7f8a9b0c",
        "# 2026-11-24 · session 0193c1e2-7a4d-7e7f-b1c2-5d6e7f8a9b0c-2 · hook",
        "let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(bytes));",
    ] {
        assert_eq!(shown(text), [""; 0], "{text}");
    }
}

/// Capitalised words with a final number are a password if nothing else follows the label.
#[test]
fn two_words_and_a_number_are_a_password_behind_its_label_and_a_title_is_none() {
    for (text, value) in [
        ("- password: Tulip Window58", "Tulip Window58"),
        ("DB_PASSWORD=Marble Copper52", "Marble Copper52"),
        ("Passwort: Wheel Pickle93", "Wheel Pickle93"),
        ("- password: Pickle(54)garden", "Pickle(54)garden"),
        ("- db password is gBrVJ.vfbVpW", "gBrVJ.vfbVpW"),
    ] {
        assert_eq!(shown(text), [value], "{text}");
    }
    for text in [
        "Passwords: Keepass Section12",
        "Password: See Chapter12",
        "Password policy: Windows Server2019",
        "Password: Invalid Length12",
        "- password: Tulip Window58 is what we ask of nobody",
    ] {
        assert_eq!(shown(text), [""; 0], "{text}");
    }
}

/// `pass` is a ticket if the word before it names one: `train pass`.
#[test]
fn a_pass_to_travel_and_the_key_to_success_are_no_labels() {
    for text in ["Train pass: BahnCard50", "- ski pass: Zugspitze24x"] {
        assert_eq!(shown(text), [""; 0], "{text}");
    }
    for (text, value) in [
        ("pass: horse7battery", "horse7battery"),
        ("Wifi pass: horse7battery", "horse7battery"),
        ("La clave es: horse7battery", "horse7battery"),
        ("La clave es: Verano2024", "Verano2024"),
        ("La clave del wifi es: paciencia2026", "paciencia2026"),
        ("clave: paciencia2026", "paciencia2026"),
    ] {
        assert_eq!(shown(text), [value], "{text}");
    }
}

#[test]
fn what_is_no_secret_stays() {
    for text in [
        "password_encryption = scram-sha-256",
        "token_url: https://id.example/oauth2/Token-2b",
        "Pin-Priority: 1001",
        "pass force_zip64=True to it",
        "the password is stored MD5-encrypted",
        "\"token\": [17, 64, 66, 95, 126, 132, 175, 181, 185, 234, 250, 251, 252, 253, 254, 255]",
        "- Release GPG key: 9554F04D7259F04124DE6B476D5A82AC7E37093B",
        "public key: aB3dE5gH7jK9mN1pQ2rS4tU6vW8x",
        "token/algorithms.py,sha256=kR_3xVb7QwZp1Nc8TyH2dLmFgJ5sA9eUo6iKqWzXtYv,4412",
        "keys of V1IssuingTokenCreatedEvent and V1InvoiceOverdueEvent",
        "lrwxrwxrwx 1 root root 10 23 juil. 08:58 wwn-0x5000c50015c4842f-part1 -> ../../sda1",
    ] {
        assert_eq!(shown(text), [""; 0], "{text}");
    }
}

/// A mask contains a class name, which does not label the following text.
#[test]
fn a_mask_labels_nothing() {
    let key: String = ["aB3dE5gH7jK9", "mN1pQ2rS4tU6", "vW8x"].concat();
    for mask in ["[masked: api_token]", "[REDACTED:generic_secret]", "[masked: url_password]"] {
        assert_eq!(shown(&format!("{mask} {key} and")), [""; 0], "{mask}");
    }
    assert_eq!(shown(&format!("[masked: email] token: {key}")), [key]);
}

#[test]
fn a_password_of_any_script_is_found_behind_its_label() {
    for (label, value) in [
        ("Пароль: ", "Привет!Мир77x9"),
        ("password: ", "naïve!Été99"),
        ("Κωδικός: ", "Θάλασσα!7ab"),
        ("密码：", "小猫咪2024!x"),
        ("Passwort: ", "grüße2019öl"),
    ] {
        assert_eq!(shown(&format!("{label}{value}")), [value], "{label}{value}");
    }
    for text in [
        "密码：至少8个字符", "密码：2024年1月15日更新", "пароль: версия2", "password: café",
        "Пароль: смотри!", "password: naïve-user-v2",
    ] {
        assert_eq!(shown(text), [""; 0], "{text}");
    }
}

/// A part of a token that equals a label is not a label, and the text after it belongs to the sentence.
#[test]
fn a_part_of_a_longer_token_is_no_label() {
    let token = format!("github_{}_{}", "pat", "aB3dE5gH7jK9mN1p".repeat(5));
    assert_eq!(shown(&format!("it is {token}. Keep it.")), [""; 0]);
}

#[test]
fn a_character_at_the_end_of_what_is_read_is_not_cut() {
    for text in [
        format!("password({}", "é".repeat(60)),
        "ключ (его можно получить у администратора по запросу; password (пароль".repeat(3),
        "API key (v2，用于测试环境的密钥服务器，备份账户过期时间是明年三月，请不要外传给别人)".to_owned(),
    ] {
        assert!(find(&text).iter().all(|span| text.get(span.clone()).is_some()), "{text}");
    }
}

/// All rows of a table count, however many, and a row is not a header of the rows below it.
#[test]
fn every_row_of_a_column_of_passwords_is_found() {
    let rows: String =
        (0..400).map(|at| format!("okapi{at},https://x.example,ana,X{at}k#9mPq2vL\n")).collect();
    let text = format!("name,url,username,password\n{rows}");
    assert_eq!(find(&text).len(), 400);
    let again = format!("password,a,b\n{}", "password,a,b\n".repeat(1_000));
    assert!(find(&again).is_empty());
}

#[test]
fn a_column_of_passwords_is_read_as_programs_write_it() {
    let value = ["vv4Pz", "7vv4qL"].join("-");
    for table in [
        "name,url,username,password,notes\n\"Netflix, family\",https://n.example,ana,VALUE,home\n",
        "name,notes,password\nNetflix,\"one line,\nand another\",VALUE\nx,y,z\n",
        "name;password;notes\nNetflix;\"VALUE\";5\" screen\n",
        "name,size,password\nNetflix,5\" screen,VALUE\nother,6\" screen,none\n",
        "name,note,password\nNetflix,\"never closed,VALUE\nother,x,none\n",
        "name,note,password\nNetflix,\"a \"\"b\"\", c\",VALUE\n",
        "| service | password |\n|---|---|\n| `a\\|b` | VALUE |\n",
        "| service | password |\n|---|---|\n| nas | ab12, VALUE |\n",
        "| service | password |\n|---|---|\n| nas | none<br>old: VALUE |\n",
        "+------+--------------+\n| user | password     |\n+------+--------------+\n| ana  | VALUE |\n",
        " user |   password   \n------+--------------\n ana  | VALUE\n(1 row)\n",
        "│ user │ password     │\n├──────┼──────────────┤\n│ ana  │ VALUE │\n",
        "NAME   PASSWORD       AGE\nana    VALUE   3d\n",
    ] {
        let text = table.replace("VALUE", &value);
        assert_eq!(shown(&text), [&value], "{text}");
    }
    for other in [
        "The guest  password\nlies  on-the-2nd-card\n",
        "| password | changed |\n|---|---|\n| in the vault | 2026-03-08 |\n",
        "name,password policy,owner\nNetflix,at least 12 characters,ana\n",
    ] {
        assert_eq!(shown(other), [""; 0], "{other}");
    }
}

/// A long value is checked once, not once per label in it.
#[test]
fn what_one_label_has_read_is_not_read_for_the_next() {
    for label in ["key", "auth", "token"] {
        let text = format!("{label}=").repeat(2_000);
        let first = Label { span: 0..label.len(), kind: Kind::Key };
        let read = beside(&text, &first, label.len(), &mut Vec::new());
        assert!(read > label.len() + LONG_BYTES, "{label}: {read}");
    }
}

#[test]
fn behind_very_many_labels_the_rest_counts_as_one_value() {
    let text = "pass ".repeat(LABELS_MAX + 1_000);
    let last = find(&text).pop().expect("found");
    assert_eq!((last.start, last.end), (LABELS_MAX * "pass ".len(), text.len()));
}

#[test]
fn a_blank_beyond_ascii_in_an_object_is_passed_over_whole() {
    for text in ["password={AA\u{2000}", "password={\u{2002}x: \u{2003}", "token={\u{a0}\u{3000}\"a\": 1}"] {
        assert!(find(text).into_iter().all(|span| text.get(span).is_some()), "{text}");
    }
}

proptest! {
    #[test]
    fn whatever_stands_behind_a_label_is_read_to_the_end_of_a_character(
        label in "(password|api key|token|密码|mysql|zip |chpasswd)",
        sign in "[(:= |]{0,3}",
        behind in "\\PC{0,90}",
    ) {
        let text = format!("{label}{sign}{behind}");
        for span in find(&text).into_iter().chain(command::find(&text)) {
            prop_assert!(text.get(span).is_some());
        }
    }
}

/// The name of an environment variable leaves no doubt, so a word counts; defaults of manuals do not.
#[test]
fn a_variable_with_a_password_may_hold_a_word() {
    for text in [
        "DB_PASSWORD=\"Fuerteventura\"\n", "DB_PASSWORD=Fuerteventura\n",
        "MYSQL_ROOT_PASSWORD: Fuerteventura\n", "\"SMTP_PASS\": \"Fuerteventura\",\n",
    ] {
        assert_eq!(shown(text), ["Fuerteventura"], "{text}");
    }
    for other in [
        "DB_PASSWORD=password\n", "DB_PASSWORD: postgres\n", "DB_PASSWORD=${OTHER}\n",
        "DB_PASSWORD=YOUR_PASSWORD\n", "DB_PASSWORD=changeme\n", "MYSQL_ALLOW_EMPTY_PASSWORD=required\n",
        "password: Fuerteventura\n",
    ] {
        assert_eq!(shown(other), [""; 0], "{other}");
    }
}
