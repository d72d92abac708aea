//! Passwords that sentences, answers, links and tables of HTML give away.

use inwit_gate::secrets::{as_talk, redact_for_model};

/// Passwords as machines draw them and as people choose them.
const PASSWORDS: &[&str] = &[
    "soN3yzcvGRI3", "5f4c85c211515982313eaae542a18b52", "19384756102938475610", "Harbor_Walnut_65",
    "quartz-thunder-pepper-2", "copper7158", "Tulip42!",
];

fn masked(forms: &[&str]) {
    for form in forms {
        for password in PASSWORDS {
            let text = form.replace('@', password);
            assert!(!redact_for_model(&text).contains(password), "{text}");
        }
    }
}

fn shown(texts: &[&str]) {
    for text in texts {
        assert_eq!(redact_for_model(text), *text);
    }
}

#[test]
fn a_word_that_says_that_a_password_holds_now_stands_before_it() {
    masked(&[
        "password: now @", "password: still @", "password: again @", "password: new: @", "password: (new) @",
        "password: it's @", "password: ✅ @", "- **Password**: now @", "password is still @",
        "password is again @", "le mot de passe c'est @", "비밀번호는 @ 입니다", "password:\n\n\n\n@",
        "I set the DB password to @.",
    ]);
    shown(&[
        "password: now in Bitwarden",
        "password: still the same",
        "password: (new) see vault",
        "password: ✅ rotated",
        "password: it's in the vault",
        "password is again required at login",
        "I set the DB password to expire in 90 days",
        "le mdp du wifi c'est celui de la box",
        "비밀번호는 안전합니다",
    ]);
}

#[test]
fn who_is_asked_for_a_password_answers_in_the_next_line() {
    masked(&[
        "> **Ana:** what was the wifi password?\n> **Bob:** @",
        "**User**: What is the NAS password?\n**Assistant**: It is `@`.",
        "Ana: wifi password?\nBob: it is @",
        "**Ana:** what was the wifi password?\n\n**Bob:** It's still @",
    ]);
    shown(&[
        "**Ana:** what was the wifi password?\n**Bob:** no idea, ask Carl",
        "**User**: What is the NAS password?\n**Assistant**: It is in the file `notes/nas.md`.",
        "**User**: Which password manager?\n**Assistant**: Use `keepassxc-2.7` for that.",
    ]);
}

#[test]
fn a_line_begins_with_a_password_and_says_what_it_is_for() {
    masked(&[
        "- @ – password for the NAS", "@ - password for the NAS", "@ — the wifi password",
        "- use @ for the admin panel password", "use `@` for the wifi password.",
    ]);
    shown(&[
        "- KeePass2 – password manager",
        "- FritzBox7590 – password in the vault",
        "use Bitwarden for the admin panel password",
        "use argon2id for the password hash",
        "use bcrypt12 for the password column",
    ]);
}

#[test]
fn the_target_of_a_link_may_be_a_password() {
    masked(&["password: [link](@)", "- **Password:** [here](@)", "password: [@](https://x.example)"]);
    shown(&[
        "password: [link](https://x.example/reset1a)",
        "password: [docs](docs/passwords2.md)",
        "password: [above](#password-2fa1)",
    ]);
}

#[test]
fn the_column_of_a_table_of_html_is_read_below_its_header() {
    for breaks in ["", "\n"] {
        let table = |row: &str| {
            let rows = format!("<tr>|<th>user</th>|<th>password</th>|</tr>|<tr>|{row}|</tr>");
            format!("<table>|{rows}|</table>").replace('|', breaks)
        };
        masked(&[
            &table("<td>ana</td>|<td>@</td>"),
            &table("<td>ana</td>|<td class=\"x\"> @ </td>|<td>1</td>"),
        ]);
        shown(&[&table("<td>ana</td>|<td>see vault</td>")]);
        let behind = table("<td>ana</td>|<td>see vault</td>") + "<td>x</td><td>Harbor_Walnut_65</td>";
        shown(&[&behind]);
    }
}

/// A word that fills a gap elsewhere may be a part of what a person chose.
#[test]
fn a_password_may_hold_a_word_that_fills_a_gap() {
    for value in ["hunter2Xq!7", "InYourDreams9!", "YourMom69!", "Redacted9!x", "MyExample#9x"] {
        let text = format!("Password: {value}\n");
        assert!(!redact_for_model(&text).contains(value), "{text}");
    }
    shown(&[
        "Password: your-password-here", "Password: YourSecurePassw0rd!", "Password: ChangeMe1!",
        "api_key: sk-your-key-here-1234567890",
    ]);
}

/// Each was masked because it stood beside a label. The first is the form of a search result.
#[test]
fn places_days_names_of_files_and_code_are_no_passwords() {
    shown(&[
        "[notes/y.md#L3] (Accounts) Password hint is in the drawer.",
        "Change all passwords by 31-Dec-2026!",
        "a password-protected PDF (Invoice_2026-11.pdf)",
        "The password for the router is on the sticker of the FRITZ!Box-7590.",
        "密码学作业：RSA-2048",
        "api_key: process.env.STRIPE_KEY_2!",
    ]);
}

/// A log of a session writes `⏎` for the end of a line that has no full stop.
#[test]
fn a_password_behind_the_sign_for_the_end_of_a_line_is_masked() {
    masked(&[
        "- ada: the password is ⏎ @",
        "- ada: password: ⏎ @",
        "- ada: Here it is ⏎ the wifi password is ⏎ @ ⏎ bring bread",
        "- ada: password = ↵ @",
        "- ada: The password of the router\n  - ⏎ @",
    ]);
    let key = format!("sk_{}_51H8abcDEFghijKLMNopQRstuVWxyz012345", "live");
    let wrapped = format!("- ada: it is {} ⏎ {}", &key[..20], &key[20..]);
    assert!(!redact_for_model(&wrapped).contains(&key[20..]), "{}", redact_for_model(&wrapped));
    shown(&["- ada: the password is ⏎ in the vault", "- ada: password ⏎ manager, then ⏎ bread and butter"]);
}

/// Answers of an agent to a question about a secret, and talks that people kept as notes.
#[test]
fn the_answer_to_a_question_about_a_secret_is_masked() {
    let values = ["nBq3Xs7kLw9TzC", "kPq7Zx2mVt9RwL", "tixlzwxuqaoyhubf"];
    for (asked, answered) in [
        ("do you remember the wifi password?", "Yes! @"),
        ("what is the db password?", "I checked `.env`. The value is `@`."),
        ("what is the db password?", "I found it in `.env`:\n\n```\n@\n```"),
        ("generate a password for the nas", "Here is one:\n\n```\n@\n```"),
        ("rotate the db password", "I rotated it to @ and restarted."),
        ("reset bobs password", "I reset it to `@`."),
        ("do you remember the wifi password?", "Sure, the one for HomeNet is @."),
        ("make me a strong password for github", "Try `@`."),
        ("which token does CI use?", "CI uses `@` from the vault."),
        ("passwort vom nas?", "Moment.\n\n@"),
        ("给我数据库密码", "好的：@"),
    ] {
        for value in values {
            let talk = as_talk(asked, &answered.replace('@', value)).expect("a talk");
            assert!(!redact_for_model(&talk).contains(value), "{talk}");
        }
    }
    for (asked, answered) in [
        ("what is the db password?", "It is in the file `notes/nas.md`, see `Section-4`."),
        ("which password manager do we use?", "Use `keepassxc-2.7` for that."),
        ("how is the password hashed?", "With `argon2id`, as `PasswordHasher2` does."),
        ("where is the password checked?", "In `src/auth2.rs`, by `check_login_v2`."),
        ("what is the password of the nas?", "I do not know it, ask Ana on 2026-11-28."),
        ("which token is used?", "The one of `github-actions-v4`, commit 3f2a9c1."),
    ] {
        let talk = as_talk(asked, answered).expect("a talk");
        assert_eq!(redact_for_model(&talk), talk);
    }
}

#[test]
fn a_talk_that_was_kept_as_a_note_is_masked_in_each_form() {
    for value in ["LZDe1f8rESQedU", "TAwR4y9ojfljoQ", "OzdmenCkhvMdga"] {
        for form in [
            "**Bob** (10:02): what's the wifi password?\n**Ana** (10:03): @",
            "### User\nWhat is the admin password?\n\n### Assistant\nIt is `@`.",
            "Bob  10:02 AM\nwhat is the db password?\n\nAna  10:03 AM\n@",
            "Bob: whats the password\nAna: sec\nAna: @",
            "<bob> root password?\n<ana> @",
            "02/11/2026, 10:02 - Bob: clave del wifi?\n02/11/2026, 10:03 - Ana: es @",
        ] {
            let text = form.replace('@', value);
            assert!(!redact_for_model(&text).contains(value), "{text}");
        }
    }
}
