//! Labelled values in the forms in which notes were found to show them unmasked: links, ids, sentences, tokens of vendors.

use std::ops::RangeInclusive;

use inwit_gate::secrets::{redact_for_model, scan};
use inwit_testkit::Chance;
use unicode_normalization::UnicodeNormalization as _;

/// What a model reads of each text must not hold the value.
fn masked(value: &str, texts: &[&str]) {
    for text in texts {
        let text = text.replace('@', value);
        assert!(!redact_for_model(&text).contains(value), "{text}");
    }
}

fn shown(texts: &[&str]) {
    for text in texts {
        assert_eq!(redact_for_model(text), *text);
    }
}

#[test]
fn a_value_in_a_link_or_between_angle_brackets_is_masked() {
    for value in ["Zebra!4711", "winter56stone", "Tr0ub4dor&3"] {
        masked(
            value,
            &[
                "password: <@>",
                "- **Password:** [@](https://x.example/a)",
                "the password is [@](https://x)",
                "| Service | Password |\n|---|---|\n| mail | [@](https://x.example) |",
                "| Service | Password |\n|---|---|\n| mail | <@> |",
                "| password | <@> |",
                "## Passwords\n\n- mail: <@>\n",
            ],
        );
    }
    shown(&[
        "password: [CVE-2024-12345](https://cve.example/CVE-2024-12345)",
        "- password hashing ([a1b2c3d4](https://x.example/commit/a1b2c3d4e5f6))",
        "password: <16-char-password2>",
        "passwords are sent by <ana77x@mail.example>",
    ]);
}

/// Ids stand everywhere; beside the name of a secret one is the secret.
#[test]
fn a_uuid_is_masked_where_its_label_names_a_secret() {
    masked(
        "550e8400-e29b-41d4-a716-446655440000",
        &[
            "API key:\n@", "API key:\n\n```\n@\n```", "the client secret is @", "- API key\n  - @",
            "Heroku API key\n@", "Client Secret\n: @", "API key for Heroku:\n@", "@ is the API key",
            "password\n@",
        ],
    );
    shown(&[
        "client id: 550e8400-e29b-41d4-a716-446655440000",
        "session: 550e8400-e29b-41d4-a716-446655440000",
        "the token of request 550e8400-e29b-41d4-a716-446655440000 expired",
        "cache key\n550e8400-e29b-41d4-a716-446655440000",
        "token id: 550e8400-e29b-41d4-a716-446655440000",
    ]);
}

#[test]
fn a_password_is_masked_where_a_sentence_says_that_it_changed() {
    for value in ["Zebra!4711", "winter56stone", "Sommer2024"] {
        masked(
            value,
            &[
                "password was reset, now @",
                "The password was reset, it is now @.",
                "password was changed to @ yesterday",
                "Password reset: now @",
                "the password was reset - now it's @",
                "password has been changed; new one is @",
                "the new password is @",
                "password changed to @",
            ],
        );
    }
    shown(&[
        "the password was reset, now everything works since 2024",
        "password was changed to comply with policy2024",
        "Password reset: click the link",
        "the password was reset and the server is up again",
    ]);
}

#[test]
fn two_small_words_in_quotes_are_a_phrase_and_a_message_is_none() {
    masked(
        "correct horse",
        &[
            "passphrase: \"@\"", "the passphrase is “@”", "passphrase = '@'", "wifi password: \"@\"",
            "- **Password:** \"@\"",
        ],
    );
    shown(&[
        "password: \"not set\"", "password: \"see vault\"", "\"password\": \"must match\"",
        "{ password: \"blue heron\" }", "passphrase: 'top secret'", "passphrase: \"your passphrase\"",
    ]);
}

#[test]
fn tokens_of_vendors_are_masked_in_their_further_forms() {
    let hex = ["9f86d081884c7d65", "9a2feaa0c55ad015"].concat();
    masked(&format!("glpat-{}.01.{}", "XXab12CD", "0w1abc2de"), &["@", "token @ here"]);
    masked(&format!("glpat-{}.01.{}", "kR3xVb7QwZp1Nc8TyH2dLmFgJ5s", "101abcdef"), &["@"]);
    masked(&format!("key-{hex}"), &["@", "mail: @"]);
    masked("1b2c3d4e-5f6a7b8c-9d0e1f2a", &["mailgun key: @", "mailgun webhook signing key @"]);
    masked(
        &hex,
        &["1/1201234567890123:@", "2/1201234567890123/1209876543210987:@", "0/@", "asana: 1/12012345678:@"],
    );
    masked(
        "k3lm8zw9xq",
        &["https://x.example/cb#access_token=@&token_type=bearer", "https://x.example/#state=1&id_token=@"],
    );
    shown(&[
        "objects/0/9f86d081884c7d659a2feaa0c55ad015",
        "10:9f86d081884c7d659a2feaa0c55ad015",
        "build 1b2c3d4e-5f6a7b8c-9d0e1f2a",
        "https://x.example/#access_token=your_token_1",
    ]);
}

/// What people write in notes beside a label that a machine's key stands behind as well, and a second value in one sentence.
#[test]
fn values_that_people_write_in_prose_are_masked_each() {
    const ONE: &str = "tiger!rad4081";
    const OTHER: &str = "lynx!see5522";
    for text in [
        "API_TOKEN={1}",
        "The API_TOKEN={1} is for the shop",
        "export TOKEN={1}",
        "SECRET_KEY={1}",
        "ACCESS_KEY: {1}",
        "The secret is {1}",
        "api key is {1}",
        "token {1} works",
        "Use {1} as password",
        "creds bob:{1}",
        "creds = bob {1}",
        "pw is {1} and bob's is {2}",
        "bob's password is {1}, Ana's is {2}",
        "password for bob is {1} and for ana {2}",
        "my pw: {1} (old: {2})",
        "changed password from {1} to {2}",
        "old password was {1}, new one is {2}",
        "pw is Zebra4711x and bob's is Lynx8833q",
        "recovery codes 8f3k-22lq 91xz-77bb",
        "backup code 4821-9932",
    ] {
        let text = text.replace("{1}", ONE).replace("{2}", OTHER);
        let shown = redact_for_model(&text);
        for value in [ONE, OTHER, "Zebra4711x", "Lynx8833q", "22lq", "77bb", "9932"] {
            assert!(!shown.contains(value), "{text}: {shown}");
        }
    }
}

/// As people choose where nobody asks for more.
#[test]
fn a_small_word_with_a_number_is_masked_behind_its_label() {
    masked(
        "hunter22",
        &["- password: @", "password = @", "DB_PASSWORD=@", "- pass: @", "pwd: @", "passwort: @."],
    );
    shown(&[
        "password: sha256", "password: md5", "password: base64", "password: secret1", "password: argon2",
        "passwords: 2 of bob42", "the password check took step12", "password: column12 of the table",
    ]);
}

/// The same words where nothing is given away.
#[test]
fn what_only_reads_like_a_value_in_prose_stays() {
    shown(&[
        "API_TOKEN=your_token_here",
        "API_TOKEN=${SHOP_TOKEN}",
        "TOKEN_LIMIT=4096",
        "recovery codes are printed on paper",
        "The recovery code runs at step 42 of main.c",
        "backup code 2024-11-21 was the last one",
        "backup code path: modules/core-v2",
        "pass: test_login_v2",
        "Bob's password was rotated on 2026-11-21",
        "the token is v1.2.3-beta",
        "token: page?id",
        "The secret is out!really",
        "password is at least 8 characters and ana's is longer",
        "creds aws:iam",
    ]);
}

#[test]
fn a_password_behind_a_flag_or_among_arguments_is_masked() {
    masked(
        "Xk29mmQw",
        &[
            "gpg --batch --passphrase @ -d x.gpg",
            "keytool -importkeystore -srcstorepass @ -alias a",
            "imapsync --user1 ana --password1 @ --host2 b",
            "SSHPASS=@ sshpass -e ssh host",
            "htpasswd -b .htpasswd ana @",
            "rabbitmqctl add_user ana @",
            "sqlplus scott/@",
        ],
    );
    shown(&[
        "the flag --password reads from a file", "use --passphrase with --batch",
        "openssl req -newkey rsa:2048 -nodes", "rabbitmqctl list_queues name messages",
        "htpasswd -c /etc/nginx/passwords ana", "well-known pass phrases2024 are bad",
    ]);
}

/// Each line of a daily log begins with who said it.
#[test]
fn a_prompt_in_a_log_is_no_password_of_its_user() {
    shown(&[
        "- user: issue1234 again", "- user: Sommer2024 Plan zeigen", "- user: Q3Report2024 please",
        "- user: ISO27001 Audit", "- user: a1b2c3d4e5 is the commit",
    ]);
    masked(
        "Zebra!4711",
        &["- user: ana / @", "user: ana, password: @", "- user: the wifi password is @", "account: ana:@"],
    );
}

/// `key` alone names no secret; a value that looks drawn behind it is one.
#[test]
fn a_key_that_a_sentence_names_is_masked_where_it_looks_drawn() {
    let drawn = [
        "qlI7Aucvney1rSdgY0Pr",
        "b49bd649366f6bac68b72f646f6305fc5c9aa7d4",
        "n89u7nvfinq6rna24iyokjuuyrb5qi",
    ];
    drawn.iter().for_each(|value| {
        masked(value, &["my Plex key is @", "The W&B key is `@`.", "its key is @ for now"])
    });
    masked("z1yZdasThsqxW8q12sxlahIJhh3Swkbx", &["- **Mistral**: `@`", "| Hetzner | @ |"]);
    shown(&[
        "the cache key is user:1234567890abcdef1234 in Redis",
        "the idempotency key is 550e8400-e29b-41d4-a716-446655440000",
        "the sort key is created_at_desc_nulls_last",
        "The public key is ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGx8s9d7f6g5h4j3k2l1",
        "Mistral: mistral-large-2411-instruct-v2",
        "Plex: https://plex.example:32400/web/index.html",
    ]);
}

/// People paste a password into an address as it is, whatever marks it has.
#[test]
fn a_password_in_an_address_may_hold_the_marks_of_addresses() {
    for value in ["P@55w0rd!2024", "p@ssw0rd99", "pa/ss99word", "we:ird99pw", "a/b:c@d9X!"] {
        for form in [
            "postgres://ana:VALUE@db.example:5432/shop",
            "redis://:VALUE@cache:6379/0",
            "see smb://CORP;ana:VALUE@nas/share?mode=a@b for it",
        ] {
            let text = form.replace("VALUE", value);
            let read = redact_for_model(&text);
            assert!(!read.contains(value), "{text}");
            assert!(
                ["db.example:5432/shop", "cache:6379/0", "nas/share?mode=a@b for it"]
                    .iter()
                    .any(|end| read.ends_with(end)),
                "{read}"
            );
        }
    }
    shown(&[
        "https://x.example:8080/path/@scope/pkg2 and https://y.example/@ana@z.example",
        "docker://images.example:5000/team/app2@sha256",
        "ssh://git.example.org:team/repo2@v1.2",
        "http://localhost:3000/users/me2@mail.example",
    ]);
}

/// Comments of programs and numbers of lines stand before the parts of a token that was wrapped.
#[test]
fn a_wrapped_token_is_masked_behind_the_marks_of_its_lines() {
    let token = format!("sk-ant-api03-{}", "aB3dE5gH7jK9".repeat(8));
    for mark in ["# ", "// ", "; ", "% ", "-- ", "12 ", "12: ", "3. ", "> ", "    "] {
        let lines: Vec<String> = token
            .as_bytes()
            .chunks(40)
            .map(|part| format!("{mark}{}", String::from_utf8_lossy(part)))
            .collect();
        let read = redact_for_model(&lines.join("\n"));
        assert!(!read.contains("jK9"), "{read}");
    }
    shown(&[
        "# commit a1b2c3d4e5f6a7b8c9d0\n# commit 0d9c8b7a6f5e4d3c2b1a",
        "1. release-2024-11-26\n2. release-2024-11-27",
    ]);
}

#[test]
fn keys_of_networks_and_logins_without_a_scheme_are_masked() {
    for form in
        ["ssh ana:VALUE@host.example", "export HTTP_PROXY=ana:VALUE@proxy.example:3128", "Гасло: VALUE"]
    {
        let read = redact_for_model(&form.replace("VALUE", "Xk29!mmQ"));
        assert!(!read.contains("Xk29!mmQ"), "{read}");
    }
    let key = "6acef03f62675b4b1bbd03e53b187727\n423cea742242106cb2916a8a4c829756";
    let text = format!("-----BEGIN OpenVPN Static key V1-----\n{key}\n-----END OpenVPN Static key V1-----");
    assert!(!redact_for_model(&text).contains("423cea"));
    shown(&["scp notes-v2.md ana@host.example:docs/Old@2024", "-----BEGIN OpenVPN Static key V2-----"]);
}

/// Short keys change seldom enough to look like a name of code; directly behind the label of a key they are the key.
#[test]
fn a_short_key_of_letters_and_digits_is_masked_behind_its_label() {
    for value in ["NqVwYS81VP7H", "89Sm995ytbxA", "RV0LicaqJDR6", "4POEdw1knpUX", "ZFSQ50UXeAS2"] {
        masked(
            value,
            &["API_KEY=@", "token: \"@\"", "secret = @", "export AWS_SECRET_ACCESS_KEY=@", "- api key: @"],
        );
    }
    shown(&[
        "secret = OAuth2Client", "API_KEY=Debian12Slim", "token: Ubuntu2404LTS", "api key: parseJson2Map",
    ]);
}

/// A drawn password may have `&` and `=` in it, as fields of an address are parted.
#[test]
fn an_ampersand_parts_a_value_only_among_the_fields_of_an_address() {
    for value in ["LRersl9&a6sL=ABH", "RgwK16R&FfU9=taE", "l5RqRhx&2A1s=SgE"] {
        masked(
            value,
            &[
                "password: @", "DB_PASSWORD=@", "db:\n  password: @\n", "the password is @", "Passwort: `@`",
                "{\"password\": \"@\"}", "## Passwords\n\n- NAS: @\n", "wifi password @",
            ],
        );
    }
    for (before, behind) in [
        ("https://x.example/a?password=", "&user=x"),
        ("?password=", "&Id7=x"),
        ("curl -d user=ana&password=", "&x=Y"),
        ("password=", "&user=x"),
    ] {
        let text = redact_for_model(&format!("{before}Zebra7x4711{behind}"));
        assert_eq!(text, format!("{before}[REDACTED:generic_secret]{behind}"));
    }
}

/// The numbers on a card and of a bank are shorter or longer than a PIN, and a passcode needs no sign before it.
#[test]
fn numbers_of_cards_and_phones_are_masked_where_they_are_named() {
    masked("822", &["CVC: @", "cvv @", "- CVV: @", "| Card | CVC |\n|---|---|\n| Visa | @ |"]);
    masked(
        "634464",
        &["TAN: @", "- TAN @", "pushTAN: @", "iPhone passcode @", "- Ana's phone passcode is @"],
    );
    masked("8481", &["alarm code: @", "passcode @"]);
    shown(&[
        "Alarm: 8481", "Alarm 0630", "TAN 2024", "tan(634464)", "the tan 634464 dress", "CVC of 3 digits",
        "passcode has 6 digits",
    ]);
}

/// A sign that ends a value is none of a list: each that is not ASCII ends it, and so does the end of a link or a sentence.
#[test]
fn a_value_ends_where_its_sentence_quotation_or_link_does() {
    let value = "Bn5Kt8Wq1Zr6Hf3Jm";
    for label in ["token: ", "token=", "api_key=", "the API key for maps is ", "access token: ", "password: "]
    {
        for (before, behind) in [
            ("", "."),
            ("", "..."),
            ("", "…"),
            ("“", "” he said"),
            ("‘", "’"),
            ("", "—then"),
            ("", "–"),
            ("", "🙂"),
            ("", "입니다"),
            ("", "•"),
            ("", "×2"),
            ("", "»"),
            ("[", "](https://boiler.example.org)"),
            ("![", "](a.png)"),
            ("[", "][1]"),
            ("(", ")."),
            ("《", "》"),
        ] {
            let text = format!("{before}{label}{value}{behind}");
            let hits = scan(&text);
            let is_whole = hits.iter().any(|hit| text[hit.span.clone()].contains(value));
            assert!(is_whole, "{text}: {hits:?}");
        }
    }
}

/// Every label looks back and forth by a bounded way: squared, half a megabyte would take minutes.
#[test]
fn a_line_of_very_many_labels_is_read_in_a_bounded_time_for_each() {
    for entry in
        ["密码：Hq7Lw2Zt9Kd4，", "password：Hq7Lw2Zt9Kd4，", "pw=Hq7Lw2Zt9Kd4;", "密码是Hq7Lw2Zt9Kd4，"]
    {
        let text = entry.repeat(128 * 1024 / entry.len());
        let end = scan(&text).iter().map(|hit| hit.span.end).max();
        assert!(end.is_some_and(|end| end + "，".len() >= text.len()), "{entry}: the last one is masked too");
    }
}

/// Angle brackets, a second colon and a mark are of tags, paths and variables too; a random value is none of them.
#[test]
fn a_random_value_is_masked_whatever_mark_or_letter_stands_beside_it() {
    for value in ["q7Rk2Lx9VbT4mZ8sWp3N", "Tn8Vq3Zk6Rw1Yb5Hc9Jd2Lf", "bX4cT9vK2mQ7zR5wN8pL3sD6gH1j"] {
        masked(
            value,
            &[
                "<password: @>", "<token: @>", "<api_key=@>", "password::@", "token::@", "token: #@",
                "token: -@", "token: $@", "password: $@", "token=@ä", "token: @é.", "API_KEY=@öl",
            ],
        );
    }
    shown(&[
        "<token:Base64Binary id=\"x\"/>", "<password: your-password-1>", "<token: string>",
        "use token::Tls13CipherSuite;", "password::hash::Argon2id", "Token::Http2Connection => continue,",
        "token: $GITHUB_TOKEN2", "$token = $oAuth2Client;", "password: %DbPwd1%", "token: #section-v2-intro",
        "token: -Xmx512m", "token=Zertifikatsprüfung2",
    ]);
}

/// By chance a key has a few digits in their order; a key that has nothing else fills a gap.
#[test]
fn a_key_with_digits_in_their_order_is_masked_where_the_rest_is_random() {
    for value in ["q7Rk2Lx9VbT40123456789", "0123456789Tn8Vq3Zk6R", "Hc9Jd2L1234567f8Wp3N"] {
        masked(
            value,
            &["Authorization: Bearer @", "curl -H 'Authorization: Bearer @' x", "token: @", "password: @"],
        );
    }
    shown(&[
        "Authorization: Bearer 0123456789abcdef0123456789abcdef",
        "Authorization: Bearer abcdefghijklmnopqrstuvwxyz0123456789",
        "Authorization: Bearer AbCdEfGhIj0123456789",
        "token: 1234567890abcdefGHIJKLMN",
        "token: my1234567890Token",
    ]);
}

/// Of `draws` random keys of `lengths` letters and digits, of each kind at least one: those that are shown in `form`.
fn shown_of(draws: usize, lengths: RangeInclusive<usize>, form: &str, chance: &mut Chance) -> Vec<String> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let draw = || {
        let len = lengths.start() + chance.below(lengths.end() + 1 - lengths.start());
        (0..len).map(|_| char::from(*chance.pick(ALPHABET))).collect::<String>()
    };
    let kinds = [char::is_lowercase, char::is_uppercase, char::is_numeric];
    let keys = std::iter::repeat_with(draw).filter(|key| kinds.iter().all(|kind| key.contains(*kind)));
    keys.take(draws).filter(|key| redact_for_model(&form.replace('@', key)).contains(key.as_str())).collect()
}

/// The shares that docs/reliability.md gives for values that nothing joins to their label, where names of code stand.
#[test]
fn of_random_keys_behind_a_bare_label_as_many_are_shown_as_is_documented() {
    const DRAWS: usize = 1_000;
    for (form, long_max) in [("token @", 8), ("token::@", 8), ("token: $@", 20)] {
        let short = shown_of(DRAWS, 12..=17, form, &mut Chance::of(6)).len();
        assert!((40..=70).contains(&short), "{form}: {short} of {DRAWS} short ones");
        let long = shown_of(DRAWS, 20..=40, form, &mut Chance::of(6)).len();
        assert!(long <= long_max, "{form}: {long} of {DRAWS} long ones");
    }
}

/// How often letters, capitals and digits change is chance: a key is known by what it is not, words and numbers.
#[test]
fn of_short_random_keys_nearly_all_are_masked_and_names_of_code_stay() {
    const DRAWS: usize = 400;
    let chance = &mut Chance::of(6);
    for form in ["token: @", "the token is @", "API key for maps is @", "token: #@", "API_TOKEN=@"] {
        let left = shown_of(DRAWS, 12..=17, form, chance);
        assert!(left.len() <= DRAWS / 50, "{form}: {left:?}");
    }
    for name in [
        "ChaCha20Core", "OAuth2AccessToken", "V1SecretKeySelector", "Aes256GcmAead", "Base64UrlSafe",
        "RawEntryApiV1", "X509Certificate2", "FromUtf16Error",
    ] {
        for form in ["token: @", "secret = @", "the token is @", "token @", "the API key is @ in Rust"] {
            let text = form.replace('@', name);
            assert_eq!(redact_for_model(&text), text);
        }
    }
    shown(&[
        "In XF86DGAGetVideoLL(), we pass offset param as int.",
        "EncryptCtr32, Iv, Overlapping, AES_KEY};",
    ]);
}

/// Files from macOS, and what is copied from a PDF, have letters in parts: `ü` as `u` and two dots.
#[test]
fn a_label_in_decomposed_letters_names_its_value_too() {
    let labels = [
        "비밀번호", "contraseña", "Contraseña", "CONTRASEÑA", "Schlüssel", "パスワード", "mật khẩu",
        "lösenord", "şifre", "clé", "hasło", "парола", "κωδικός", "トークン",
    ];
    for label in labels {
        let parts: String = label.nfd().collect();
        let mut count = 0;
        for value in
            ["Kx93mnPq77", "soN3yzcvGRI3", "Tulip42!", "copper7158", "5f4c85c211515982313eaae542a18b52"]
        {
            for joint in [": ", " = ", ":\n", "：", "** ", " "] {
                let is_masked = |label: &str| {
                    let text = format!("- **{label}{joint}{value}\n");
                    !redact_for_model(&text).contains(value)
                };
                assert_eq!(is_masked(&parts), is_masked(label), "{label}{joint}{value}");
                count += usize::from(is_masked(&parts));
            }
        }
        assert!(count > 0, "{label}");
    }
    shown(&["contrasen\u{303}a: en el llavero", "Schlu\u{308}ssel: am Haken"]);
}
