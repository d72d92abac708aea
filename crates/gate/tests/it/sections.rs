//! Lists of passwords: below a heading, in a section of configuration, in a field with fields, in a table.

use inwit_gate::secrets::redact_for_model;

/// Secrets as machines draw them and as people choose them.
const SECRETS: &[&str] = &[
    "soN3yzcvGRI3", "Qx7vTz0LmR4bYdK2pW9s", "5f4c85c211515982313eaae542a18b52", "19384756102938475610",
    "Harbor_Walnut_65", "quartz-thunder-pepper-2", "copper7158", "Tulip42!",
];

/// Forms of a list, in which `NAME` stands for the name of an entry and `@` for its value.
const FORMS: &[&str] = &[
    "## Passwords\n\n- Steam: x\n- NAME: @\n",
    "My passwords:\n- Steam: x\n- NAME – `@`\n",
    "**Passwörter**\n\n* Steam: x\n* **NAME**: @\n",
    "Passwords\n=========\n\n- Steam: x\n- NAME: @\n",
    "## Credentials\n\n- Steam: x\n- NAME: @\n",
    "[passwords]\nsteam = \"x\"\n# a remark\nNAME = \"@\" # another\n[other]\n",
    "[app.credentials]\nsteam=x\nNAME=@\n",
    "a:\n  secrets:\n    steam: x\n    more:\n      NAME: @\n  b: 1\n",
    "{\"passwords\": {\"steam\": \"x\", \"more\": {\"NAME\": \"@\"}}}",
    "passwords = {\n  steam: \"x\",\n  NAME: \"@\",\n}\n",
    "passwords = { steam = \"x\", NAME = \"@\" }\n",
    "| Passwords | |\n|---|---|\n| Steam | x |\n| NAME | `@` |\n",
];

#[test]
fn a_secret_in_a_list_of_passwords_is_masked_whatever_the_name_of_its_entry() {
    for form in FORMS {
        for name in
            ["NAS", "Mail", "E-Mail", "Server", "Website", "App", "Phone", "Account", "Host", "Address"]
        {
            for secret in SECRETS {
                let text = form.replace("NAME", name).replace('@', secret);
                assert!(!redact_for_model(&text).contains(secret), "{text}");
            }
        }
    }
}

#[test]
fn what_fields_hold_stays_in_a_list_of_passwords() {
    for form in FORMS {
        for (name, value) in [
            ("Mail", "ana@mail.example"),
            ("Server", "nas01.local"),
            ("Server", "web-front-02"),
            ("Host", "db-01.internal:5432"),
            ("IP", "fd00:1234:5678::12"),
            ("Website", "https://x.example/a1b2"),
            ("Website", "shop24.example/login"),
            ("App", "Bitwarden"),
            ("Account", "checking"),
            ("Phone", "015123456789"),
            ("Port", "8443"),
            ("Date", "2026-01-31"),
            ("Version", "v2.14.0-rc1"),
            ("Updated", "31.01.2026"),
            ("User", "dana_k"),
            ("user", "ameier82"),
            ("Login", "ana.meier"),
            ("Hash", "argon2id"),
        ] {
            let text = form.replace("NAME", name).replace('@', value);
            assert_eq!(redact_for_model(&text), text);
        }
    }
}

/// A list in brackets has no names, so its items are read as those below a heading.
#[test]
fn the_items_of_a_list_of_passwords_are_masked() {
    for form in [
        "{\"passwords\": [\"x\", \"@\"]}",
        "{\n  \"passwords\": [\n    \"x\",\n    \"@\"\n  ]\n}\n",
        "passwords = [\n  '@',\n  'x',\n]\n",
        "passwords:\n  - x\n  - \"@\"\n",
    ] {
        for secret in SECRETS.iter().filter(|secret| secret.contains(char::is_alphabetic)) {
            let text = form.replace('@', secret);
            assert!(!redact_for_model(&text).contains(secret), "{text}");
        }
    }
    for text in [
        "passwords = [entry.password for entry in entries2]",
        "secrets: [db_password, cert_2024]\n",
        "\"passwords\": [\n  \"argon2id\",\n  \"sha256-crypt\"\n]",
        "\"credentials\": [\n  \"https://x.example/v1\",\n  \"ana@mail.example\"\n]",
    ] {
        assert_eq!(redact_for_model(text), text);
    }
}

/// A list ends with its section, with what is indented less, with its brace, with its table.
#[test]
fn what_stands_behind_a_list_is_no_entry_of_it() {
    for text in [
        "[passwords]\npolicy = \"strict\"\n\n[build]\nname = \"Marble_Copper_61\"",
        "passwords:\n  policy: strict\nname: Marble_Copper_61\n",
        "{\"passwords\": {\"policy\": \"strict\"}, \"name\": \"Marble_Copper_61\"}",
        "| Passwords | |\n|---|---|\n| policy | strict |\n\n| Name | |\n|---|---|\n| a | Marble_Copper_61 |",
        "[passwords] are kept elsewhere\nname = Marble_Copper_61",
        "| Passwords | Count |\n|---|---|\n| weak | 8192 |",
        "if not passwords:\n    name = Marble_Copper_61\n",
    ] {
        assert_eq!(redact_for_model(text), text);
    }
}

#[test]
fn settings_of_passwords_stay() {
    for text in [
        "[passwords]\nmin_length = 12\nmax_age = 86400\nhash = \"sha256\"\nexpires = 2026-01-01",
        "[secrets]\nbackend = \"vault\"\npath = \"secret/data/app1\"\nrotation_days = 90",
        "secrets:\n  db_password:\n    file: ./db_password.txt\n  api:\n    external: true",
        "secrets:\n  - source: cert_2024\n    target: tls.crt\n  - db\n",
        "secrets:\n  cert:\n    external: true\n    name: cert_2024_v3\n",
        "secrets:\n  TOKEN: ${{ secrets.TOKEN }}\n  MAIL: $MAIL_PASSWORD\n",
        "credentials:\n  user: dana\n  host: mail.example.org\n  port: 993\n  secretName: db-credentials-v2\n",
        "{\"credentials\": {\"user\": \"dana\", \"type\": \"oauth2\", \"url\": \"https://x.example/v1\"}}",
    ] {
        assert_eq!(redact_for_model(text), text);
    }
}

/// A user name stands before the password in most lists that people keep.
#[test]
fn a_password_behind_a_user_name_is_masked() {
    for entry in [
        "- Netflix: ana@x.com / @V", "- Netflix: ana, @V", "- Netflix - ana - @V",
        "- Netflix: `ana@x.com` / `@V`", "- **Netflix** ana@x.com / @V", "Netflix: ana@x.com @V",
    ] {
        for heading in ["## Passwords", "## Passwörter", "## Contraseñas", "## 密码"] {
            for value in ["kLnYMGRAbm7", "qv2nvD9v", "thunder8819", "harbor-pepper-cactus-1"] {
                let text = format!("{heading}\n\n{}\n", entry.replace("@V", value));
                assert!(!redact_for_model(&text).contains(value), "{text}");
            }
        }
    }
    let text = "WLAN: Bergblick, q2vnvD9vfV\n\n## Wifi\n\n- Bergblick: kL7nYMGRAbm\n";
    let masked = redact_for_model(text);
    assert!(!masked.contains("q2vnvD9vfV") && !masked.contains("kL7nYMGRAbm"), "{masked}");
    for text in [
        "## Passwords\n\n- Netflix: see the vault, entry2\n- Bank: ask Ben, he knows\n- Mail: ana@x.com, changed 2026-05-01\n",
        "## Passwords\n\n- Router: admin, 192.168.1.1\n- Netflix: ana@x.com / vault\n",
        "WLAN: slow, FritzBox7590\n\n## Wifi\n\n- Home: FritzBox7590\n",
    ] {
        assert_eq!(redact_for_model(text), text);
    }
}

/// People write the name and the password of an entry with a blank between them.
#[test]
fn a_drawn_password_behind_a_name_without_a_sign_is_masked() {
    let forms = [
        "- NAME @\n",
        "1. NAME @\n",
        "NAME @\n",
        "- NAME `@` (old)\n",
        "| NAME | @ |\n|---|---|\n| NAME | x |\n",
        "| NAME | x |\n|---|---|\n| NAME | @ |\n",
        "| NAME | @ |\n",
        "## Mail\n\n- ana / @\n",
    ];
    let headings = [
        "# Passwords\n\n", "# 密码\n\n", "# Пароли\n\n", "**Passwords**\n\n", "Zugangsdaten:\n",
        "My passwords are:\n", "Passwords\n", "# PINs\n\n",
    ];
    for heading in headings {
        // A line that is no heading labels items, and behind a colon rows.
        let is_labelled = |form: &&&str| {
            heading.starts_with('#')
                || form.starts_with(['-', '1'])
                || form.starts_with('|') && heading.contains([':', '*'])
        };
        for form in forms.iter().filter(is_labelled) {
            for name in ["Mail", "NAS", "路由器", "Почта", "Fritz Box"] {
                for secret in ["q7Vx2Lp0Zr8T", "vB6nM3qW8eR1", "wT4-hG7uN2xQ8rV5mZ1k"] {
                    let text = format!("{heading}{}", form.replace("NAME", name).replace('@', secret));
                    assert!(!redact_for_model(&text).contains(secret), "{text}");
                }
            }
        }
    }
    for text in ["# PINs\n\n- Bank 4821\n", "PINs:\n- Bank 4821\n", "# PINs\n\n| Bank | 4821 |\n|---|---|\n"]
    {
        assert!(!redact_for_model(text).contains("4821"), "{text}");
    }
}

/// The heading that ends a list was read with it, and so labelled nothing.
#[test]
fn a_heading_of_passwords_below_another_one_labels_its_own_list() {
    let text = "## Passwords\n\n- Mail q7Vx2Lp0Zr8T\n\n## 密码\n\n- 路由器 hR5tY8uJ2kL9\n\n## Пароли\n\n- Банк vB6nM3qW8eR1\n";
    let masked = redact_for_model(text);
    for secret in ["q7Vx2Lp0Zr8T", "hR5tY8uJ2kL9", "vB6nM3qW8eR1"] {
        assert!(!masked.contains(secret), "{masked}");
    }
}

#[test]
fn prose_and_names_below_a_heading_of_passwords_stay() {
    for text in [
        "## Passwords\n\nPasswords are hashed with Argon2id and never leave the server.\n",
        "## Passwords\n\n- Mail sha256-crypt\n- hashed with PBKDF2\n- Server nas-01\n- changed 2026-01-31\n- user dana_k\n",
        "## Passwords\n\n- Set AdminPassword1Field in the form\n- see RFC 7617 and OAuth2Client\n- Version v2.14.0-rc1\n",
        "## Passwords\n\n| Service | Rule |\n|---|---|\n| Mail | 12 characters |\n| Host | db-01.internal:5432 |\n",
        "Passwords are hashed with:\n- Argon2id q7Vx2Lp0Zr8T\n",
        "## PINs\n\n- updated in 2024\n- PINs have between 4 and 12 digits and 1000 are refused in 2026\n",
    ] {
        assert_eq!(redact_for_model(text), text);
    }
}

/// The name of a field of a Secret says nothing of what it holds.
#[test]
fn the_values_of_a_secret_of_kubernetes_are_masked() {
    let values = ["cTdWeDJMcDBacjhU", "cTdWeDJMcDBacjhUazRXbTlCbjN4UjV5VTFzS2Rm", "q7Vx2Lp0Zr8Tk4Wm"];
    let text = "```yaml\nkind: Secret\ntype: Opaque\ndata:\n  MYSQL_ROOT: cTdWeDJMcDBacjhU\n  \
                config: cTdWeDJMcDBacjhUazRXbTlCbjN4UjV5VTFzS2Rm\n  api-key: cTdWeDJMcDBacjhUazRXbTlCbjN4\n\
                stringData:\n  username: dana\n  SMTP: q7Vx2Lp0Zr8Tk4Wm\n```\n";
    let masked = redact_for_model(text);
    assert!(values.iter().all(|value| !masked.contains(value)), "{masked}");
    assert!(masked.contains("\nstringData:\n  username: dana\n"), "{masked}");
    let text = "kind: ConfigMap\ndata:\n  config: cTdWeDJMcDBacjhUazRXbTlC\n---\nkind: Secret\nmetadata:\n  name: db\n";
    assert_eq!(redact_for_model(text), text);
}

#[test]
fn a_password_in_a_string_of_many_lines_is_masked() {
    for text in ["password = \"\"\"\nq7Vx2Lp0Zr8T\n\"\"\"\n", "password = '''\nq7Vx2Lp0Zr8T\n'''\n"] {
        assert!(!redact_for_model(text).contains("q7Vx2Lp0Zr8T"), "{text}");
    }
}
