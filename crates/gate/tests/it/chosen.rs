//! Values that people choose: one word, a few words in quotes, an id, in SQL, in variables and in sentences.

use inwit_gate::secrets::redact_for_model;

/// The secret stands between `⟨` and `⟩`, which are taken out.
fn masked(forms: &[&str]) {
    let mut left = Vec::new();
    for form in forms {
        let clean = redact_for_model(&form.replace(['⟨', '⟩'], ""));
        let secrets = form.split('⟨').skip(1).filter_map(|rest| rest.split_once('⟩'));
        left.extend(
            secrets.filter(|(secret, _)| clean.contains(secret)).map(|_| format!("{form} → {clean}")),
        );
    }
    assert!(left.is_empty(), "{}", left.join("\n"));
}

fn shown(texts: &[&str]) {
    let changed = texts.iter().map(|text| (text, redact_for_model(text)));
    let changed: Vec<String> = changed
        .filter(|(text, clean)| clean != **text)
        .map(|(text, clean)| format!("{text} → {clean}"))
        .collect();
    assert!(changed.is_empty(), "{}", changed.join("\n"));
}

/// Proves X35.
#[test]
fn a_password_in_a_statement_about_a_user_is_masked() {
    masked(&[
        "CREATE USER ana IDENTIFIED WITH mysql_native_password BY '⟨Sommerwind⟩';",
        "ALTER USER ana IDENTIFIED WITH caching_sha2_password BY \"⟨Sommerwind⟩\"",
        "ALTER USER 'ana'@'%' IDENTIFIED WITH 'mysql_native_password' BY '⟨Sommerwind⟩' REPLACE 'x';",
        "create user ana identified with sha256_password by '⟨Sommerwind⟩';",
        "CREATE USER ana\n  IDENTIFIED WITH mysql_native_password BY '⟨Sommerwind⟩';",
        "create user ana identified by '⟨Sommerwind⟩';",
        "CREATE ROLE ana WITH LOGIN PASSWORD '⟨Sommerwind⟩';",
        "CREATE ROLE ana\n  WITH LOGIN\n  PASSWORD '⟨Sommerwind⟩';",
        "CREATE USER ana WITH ENCRYPTED PASSWORD '⟨Sommerwind⟩' CREATEDB;",
        "alter role ana password '⟨Sommerwind⟩'",
        "ALTER LOGIN ana WITH PASSWORD = '⟨Sommerwind⟩', CHECK_POLICY = OFF;",
        "CREATE LOGIN ana WITH PASSWORD=N'⟨Sommerwind⟩'",
    ]);
    shown(&[
        "CREATE USER ana IDENTIFIED WITH auth_socket;",
        "CREATE USER ana IDENTIFIED WITH mysql_native_password BY RANDOM PASSWORD;",
        "CREATE USER ana IDENTIFIED WITH mysql_native_password BY 'password';",
        "CREATE USER ana IDENTIFIED WITH mysql_native_password BY '$DB_PASSWORD';",
        "CREATE USER ana IDENTIFIED WITH mysql_native_password BY '<password>';",
        "CREATE ROLE reader NOLOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader;",
        "CREATE ROLE ana WITH LOGIN PASSWORD NULL;",
        "ALTER ROLE ana PASSWORD 'your_password';",
        "ALTER USER ana PASSWORD EXPIRE INTERVAL 90 DAY;",
        "CREATE USER ana; -- the password 'Sommerwind' is a sample",
        "CREATE ROLE ana ADMIN bob GRANTED BY 'Sommerwind';",
        "The song was identified with ease by 'Sommerwind' fans.",
        "We create user accounts; the label 'Sommerwind' is the name of a team.",
        "ALTER USER ana DEFAULT ROLE 'Sommerwind';",
    ]);
}

/// Proves X35.
#[test]
fn a_word_behind_a_variable_of_a_password_or_secret_is_masked() {
    masked(&[
        "DBPASSWORD=⟨Sommerwind7⟩",
        "DBPASSWORD=⟨Sommerwind⟩",
        "DBPASSWD=⟨Sommerwind⟩",
        "MYSQLPASSWORD=⟨Sommerwind⟩",
        "KEYSTOREPASSWORD=⟨Sommerwind⟩",
        "export PGPASSWORD=⟨Sommerwind⟩",
        "PGPASSWORD=⟨Sommerwind⟩ psql -h db.example ledger",
        "PGPASSWORD='⟨Sommerwind⟩' pg_dump ledger",
        "\"SMTPPASSWORD\": \"⟨Sommerwind⟩\",",
        "APP_SECRET=⟨Sommerwind⟩",
        "SESSION_SECRET=\"⟨Sommerwind⟩\"",
        "JWT_SECRET=⟨Sommerwind⟩",
        "      JWT_SECRET: ⟨Sommerwind⟩",
        "\"COOKIE_SECRET\": \"⟨Sommerwind⟩\"",
    ]);
    shown(&[
        "DBPASSWORD=password",
        "DBPASSWORD=${OTHER}",
        "DBPASSWORD=changeme",
        "MYSQLPASSWORD=required",
        "PGPASSWORD=$(cat /run/secrets/db) psql",
        "PGPASSFILE=Sommerwind",
        "%sudo ALL=(ALL) NOPASSWD: Everything",
        "FORGOTPASSWORD=Vergessen",
        "SHOWPASSWORD=Anzeigen",
        "CONFIRMPASSWORD=Confirmar",
        "PRINTPASSWORD=Drucken",
        "MISSINGPASSWORD=Fehlend",
        "JWT_SECRET=production",
        "AUTH_SECRET=generated",
        "APP_SECRET: Incomplete",
        "CLIENT_SECRET: Optional[str]",
        "the variable PGPASSWORD overrides the file",
        "PGPASSWORD is deprecated; use a service file",
        "IMAGE_PULL_SECRET=registrycred",
        "TLS_SECRET: letsencrypt",
        "JWT_SECRET=required",
        "JWT_SECRET: ${JWT_SECRET}",
        "APP_SECRET=changeme",
        "APP_SECRET: string;",
        "if (APP_SECRET === undefined) throw new Error(\"missing\")",
        "const JWT_SECRET = process.env.JWT_SECRET",
        "secret = Sommerwind",
        "OPEN_SECRET=Sommerwind",
        "OLDPWD=/home/ana/Sommerwind",
    ]);
}

/// Proves X35.
#[test]
fn a_uuid_directly_after_the_word_password_is_masked() {
    masked(&[
        "user ana, password ⟨3fa85f64-5717-4562-b3fc-2c963f66afa6⟩",
        "user ana, password ⟨3fa85f64-5717-4562-b3fc-2c963f66afa6⟩ on the staging host",
        "The password ⟨3fa85f64-5717-4562-b3fc-2c963f66afa6⟩ was rotated.",
        "Passwort `⟨3fa85f64-5717-4562-b3fc-2c963f66afa6⟩` gilt bis Mai",
        "la contraseña ⟨3fa85f64-5717-4562-b3fc-2c963f66afa6⟩ ya no sirve",
    ]);
    shown(&[
        "user ana, request 3fa85f64-5717-4562-b3fc-2c963f66afa6",
        "password reset 3fa85f64-5717-4562-b3fc-2c963f66afa6 was sent",
        "password of request 3fa85f64-5717-4562-b3fc-2c963f66afa6 was wrong",
        "password_id 3fa85f64-5717-4562-b3fc-2c963f66afa6",
        "pass 3fa85f64-5717-4562-b3fc-2c963f66afa6 to the handler",
        "wrong password, session 3fa85f64-5717-4562-b3fc-2c963f66afa6 closed",
        "Passwort geändert, Vorgang 3fa85f64-5717-4562-b3fc-2c963f66afa6",
        "contraseña olvidada, caso 3fa85f64-5717-4562-b3fc-2c963f66afa6",
        "3fa85f64-5717-4562-b3fc-2c963f66afa6 asked for a password",
    ]);
}

/// Proves X35.
#[test]
fn a_word_with_digits_directly_after_the_word_password_is_masked() {
    masked(&[
        "The old password ⟨bcdfga77⟩ no longer works",
        "my password was ⟨bcdfga77⟩",
        "my password was ⟨bcdfga77⟩ until Monday",
        "das alte Passwort ⟨bcdfga77⟩ gilt nicht mehr",
        "la contraseña ⟨bcdfga77⟩ ya no sirve",
        "The old password ⟨Sommer24⟩ no longer works",
        "the new password ⟨winterhut42⟩ works on both hosts",
        "das alte Passwort ⟨Sommer24⟩ gilt nicht mehr",
        "mi nueva contraseña ⟨verano70⟩ funciona",
        "mein Passwort war ⟨winterhut42⟩, jetzt nicht mehr",
        "The password ⟨x7k2m9q4⟩ is on the sticker",
    ]);
    shown(&[
        "password reset 2024",
        "password policy v2",
        "password manager 1Password",
        "the password field2 is broken",
        "the new password field22 is broken",
        "the old password page404 was deleted",
        "the old password policy2024 no longer applies",
        "the new password screen42 works on both hosts",
        "the password issue4711 is closed",
        "The old password table12 is empty",
        "password sha256 no longer works",
        "the new password bcrypt12 works",
        "the password hash a1b2c3d4 is old",
        "commit of the new password a1b2c3d4 is on main",
        "the new passwords 2024 work",
        "the password RFC9106 is about argon2",
        "the last password attempt42 was at noon",
        "our new password service42 is live",
        "my password book2024 is on the shelf",
        "the current password screenshot12 is outdated",
        "the new password Sommer24 calendar is out",
        "a password winter24 is a bad idea",
        "das neue Passwort Konzept2025 gilt ab Mai",
        "das neue Passwort Formular24 ist kaputt",
        "das alte Passwort Feld12 ist leer",
        "la nueva contraseña version24 funciona",
        "my password was reset24 hours ago",
        "my password was changed in 2024",
        "test password_old bcdfga77x.rs:12 failed",
        "use password utf8mb4 collation",
        "the new password OAuth2 flow works",
        "expect(password).toBe(h264x265)",
    ]);
}

/// Proves X35.
#[test]
fn three_words_in_quotes_are_a_password_where_the_label_is_the_key_of_the_line() {
    masked(&[
        "password: \"⟨correct horse battery⟩\"",
        "password = '⟨correct horse battery⟩'",
        "passphrase = '⟨blue jar window⟩'",
        "- pwd: \"⟨blue jar window⟩\"",
        "  \"password\": \"⟨blue jar window⟩\",",
        "db:\n  password: \"⟨blue jar window⟩\"  # since May",
        "Passwort: „⟨Blauer Krug Fenster⟩“",
        "contraseña: \"⟨jarra azul ventana⟩\"",
        "- **Password:** \"⟨Blue jar window⟩\"",
        "password: \"⟨lamp river stone correct horse battery window garden⟩\"",
    ]);
    shown(&[
        "Password: \"must be changed every week\"",
        "password: \"see shared vault\"",
        "password: \"stored elsewhere\"",
        "password: \"kept inside vault\"",
        "password: \"ask Ana first\"",
        "password: \"enter new password\"",
        "password: \"incorrect login data\"",
        "password: \"eight small letters\"",
        "Passwort: \"steht im Tresor\"",
        "Passwort: \"bitte gleich wechseln\"",
        "contraseña: \"pedir antes siempre\"",
        "contraseña: \"guardada con llave\"",
        "password: \"managed through Terraform\"",
        "password: \"rotated each quarter\"",
        "\"password\": \"Show the character\"",
        "\"password\": \"Geheimes Wort eingeben\",",
        "password: \"Angaben sind falsch\"",
        "pass: \"three unit tests\"",
        "pass = \"render opaque geometry\"",
        "clave: \"orden por fecha\"",
        "placeholder for password: \"blue jar window\"",
        "show(password: \"blue jar window\")",
        "log.warn(\"password: 'blue jar window'\")",
        "password: \"blue jar window\" + suffix",
        "password_hint: \"blue jar window\"",
        "password policy: \"blue jar window\"",
        "The password \"blue jar window\" appears in the novel.",
    ]);
}

/// A statement without its semicolon and a sentence without its end are read by a bounded way from each label.
#[test]
fn of_very_many_statements_and_sentences_on_one_line_each_is_masked() {
    for (entry, value) in [
        ("CREATE ROLE ana PASSWORD 'Sommerwind' ", "Sommerwind"),
        ("my password bcdfga77 works, ", "bcdfga77"),
        ("JWT_SECRET=Sommerwind ", "Sommerwind"),
    ] {
        let text = entry.repeat(64 * 1024 / entry.len());
        assert!(!redact_for_model(&text).contains(value), "{entry}");
    }
}
