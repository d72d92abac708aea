//! Passwords behind their labels, whatever marks a generator or a person put into them, and the texts beside them that stay.

use inwit_gate::secrets::redact_for_model;
use inwit_testkit::Chance;

/// Passwords of each alphabet and form.
const PASSWORDS: usize = 60;

/// The alphabets of common generators, and the share of their passwords of which nothing may be left.
const ALPHABETS: &[(&str, &str, f64)] = &[
    ("letters, digits and eight marks", "!@#$%^&*", 0.98),
    ("common marks", "!@#$%^&*()_+-=[]{}|;:,.<>?", 0.92),
    ("all marks of ASCII", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", 0.90),
];

/// Where a password stands; `@@` is replaced by it.
const FORMS: &[&str] = &[
    "DB_PASSWORD=@@",
    "- password: @@",
    "**Password:** @@",
    "the NAS password is @@",
    "密码：@@",
    "| Service | Password |\n|---|---|\n| NAS | @@ |",
];

fn drawn(marks: &str, chance: &mut Chance) -> String {
    let letters = ('a'..='z').chain('A'..='Z').chain('0'..='9');
    let alphabet: Vec<char> = letters.chain(marks.chars()).collect();
    loop {
        let len = 10 + chance.below(11);
        let password: String = (0..len).map(|_| *chance.pick(&alphabet)).collect();
        let has = |what: fn(&u8) -> bool| password.bytes().any(|byte| what(&byte));
        // A `|` would part the cells of the table.
        if has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic) && !password.contains('|') {
            return password;
        }
    }
}

/// Proves X35.
#[test]
fn of_a_drawn_password_nothing_is_left_whatever_its_marks() {
    for (name, marks, least) in ALPHABETS {
        let chance = &mut Chance::of(20);
        let (mut hidden, mut left) = (0, Vec::new());
        for _ in 0..PASSWORDS {
            let password = drawn(marks, chance);
            for form in FORMS {
                let clean = redact_for_model(&form.replace("@@", &password));
                let is_left =
                    (0..password.len().saturating_sub(4)).any(|at| clean.contains(&password[at..at + 5]));
                if is_left { left.push(clean) } else { hidden += 1 }
            }
        }
        let share = f64::from(hidden) / (PASSWORDS * FORMS.len()) as f64;
        assert!(share >= *least, "{name}: {share:.3}, not these:\n{}", left.join("\n"));
    }
}

/// The secret stands between `⟨` and `⟩`, which are taken out.
/// Proves X35.
#[test]
fn a_password_is_masked_in_the_forms_that_people_write() {
    for form in [
        "password: ⟨Ab9;Xq92hKeLm⟩",
        "\"password\": \"⟨q7Jd82kLmZ]skd83k⟩\", \"user\": \"ana\"",
        "password: '⟨q7Jd''82kLmZskd⟩'",
        "Server=db;Uid=ana;Pwd=⟨q7Jd{82kLmZ⟩;Database=app",
        "password: ⟨$ecret!Sauce9⟩",
        "password: ⟨Grüße2Berlin⟩",
        "密码：⟨我家的猫2019⟩",
        "password: ⟨correct horse battery staple⟩",
        "password: ⟨Correct Horse Battery Staple⟩",
        "WLAN-Passwort: ⟨Wald Wiese 42 Huhn⟩",
        "mot de passe : ⟨Mon chien mange 4 chaussettes⟩",
        "the password is ⟨correct horse battery staple⟩",
        "guest wifi password = ⟨sunny-meadow-42⟩",
        "⟨Xk29mmQw⟩ is the password for the NAS",
        "use ⟨Xk29mmQw⟩ as the password",
        "⟨Xk29mmQw⟩ (wifi password)",
        "password to the NAS is ⟨Xk29mmQw⟩",
        "password: old ⟨Xk29mmQw⟩, new ⟨Yp38nnRx⟩",
        "passwords: ⟨Xk29mmQw⟩, ⟨Yp38nnRx⟩, ⟨Zq47ooSy⟩",
        "password: ⟨Xk29mmQw⟩ or ⟨Yp38nnRx⟩",
        "Username / Password: ana / ⟨Xk29mmQw⟩",
        "IDとパスワード：ana / ⟨q7Jd82kLmZ⟩",
        "WiFi：HomeNet，密码⟨q7Jd82kLmZ⟩",
        "Zugang: ana / ⟨q7Jd82kLmZ⟩",
        "Password [wifi]: ⟨Xk29mmQw⟩",
        "s.login(\"ana@x.example\", \"⟨Xk29mmQw⟩\")",
        "new NetworkCredential(\"ana\", \"⟨Xk29mmQw⟩\")",
        "WiFi.begin(\"HomeNet\", \"⟨Xk29mmQw⟩\");",
        "requests.get(url, auth=(\"ana\", \"⟨Xk29mmQw⟩\"))",
        "<property name=\"password\">\n  <value>⟨Xk29mmQw⟩</value>\n</property>",
        "<password><![CDATA[⟨Xk29mmQw⟩]]></password>",
        "{\"password\": {\"value\": \"⟨Xk29mmQw⟩\"}}",
        "az keyvault secret set --vault-name kv --name db --value ⟨Xk29mmQw⟩",
        "https://ana@mail.example:⟨Xk29mmQw⟩@smtp.mail.example:465",
        "ssh ana@10.0.0.2 # ⟨Wv8#kTz2pQ⟩",
        "curl -H 'Authorization: Bot ⟨f0Lv5cv2jKngkVtwwW4lD5AbTXkJGMEGBjvi6Oxv⟩' https://x.example",
        "DB_PASSWORD=⟨quartz.pickle6⟩",
        "password: ⟨Banana$Pepper⟩",
        "password: ⟨Hollow-Kestrel2-Dragon⟩",
        "password: ⟨correct.horse.battery.staple⟩",
        "password: ⟨winter_17⟩",
        "DB_PASS=⟨banana72banana⟩",
        "Passwd.: ⟨bello1998⟩",
        "password: \"⟨bello 1998 wau⟩\"",
        "the wifi password is ⟨blauwal77⟩",
        "Passwort für das Zip: ⟨winterfluss42⟩",
        "[ ] change the password (currently ⟨Bello1998⟩)",
        "| SSID | Key |\n|---|---|\n| HomeNet | ⟨kestrel9042x⟩ |",
        "kodeord: ⟨Rugbroed2020!⟩",
        "парола: ⟨Zima2024!⟩",
        "user: ana, p: ⟨Kestrel9042!⟩",
        "auth: \"ana:⟨Falcon2533!⟩\"",
        "2FA secret GitHub ⟨K5QW4ZLTMFZWGIDB⟩",
        "const API_KEY: &str = \"⟨4nUAqTpLVLChl3hQUTQRZUeUE4jzKgo9⟩\";",
        "pub const SECRET: &[u8] = b\"⟨mBmk7khEZXsicY22j93WGnwTPKyr9Ybv⟩\";",
        "api_key: Optional[str] = \"⟨SmsQTSI6YyqIDWHvduYNDxJ22wjooNxM⟩\"",
        "char pass[] = \"⟨kestrel42mango⟩\";",
        "var jwtKey = []byte(\"⟨37HE2Cx8KBp2OqrKarzSKv4SsY7TZhkG⟩\")",
        "api_key <- \"⟨rMAVElg0PaghGg4YBfQUin2tBgSZixQ7⟩\"",
        "password: ${DB_PASS:-⟨rocket39coffee⟩}",
        "password: !!str ⟨tiger55dragon⟩",
        "<Password value=\"⟨mango65banana⟩\"/>",
        "client.username_pw_set(\"ana\", \"⟨garten45pepper⟩\")",
        "htpasswd -b .htpasswd ana ⟨sonne88coffee⟩",
        "curl --user admin:⟨Mango22⟩ http://192.168.1.1/",
        "Passwort: ⟨#pepper42#⟩",
        "Password: ⟨-Minus-4711a⟩",
        "SECRET_KEY=⟨-0Ws6ThRYSTXX3-Wvk3GUWruoUvrmBLC⟩",
        "Password: ⟨P@ul1987.⟩",
        "DB_PASSWORD=\"⟨hammer-lantern-rocket⟩\"",
        "Password ⟨oyster13⟩",
        "mdp Netflix ⟨copper28⟩",
        "账号 zhang88，密码 ⟨thunder46⟩",
        "token ⟨27ee8c9e-6555-4bd2-b68e-7ea835453c04⟩ for the weather station",
        "root pw on the pi: ⟨ribbon1953⟩",
        "Token for the CI runner on the NAS: ⟨gkW2XLmbkInV03Fk4inIpZUATUw2QlsZ0oVcjJCe⟩",
        "docker run -e POSTGRES_PASSWORD=⟨verano70⟩ postgres:16",
        "./run --password ⟨verano70⟩ --dry",
        "gpg --batch --passphrase \"⟨umbrella kettle rocket pigeon⟩\" -d x.gpg",
        "SMTP_PASS=⟨lggc izgx tmoy nmer⟩",
        "I changed my Amazon password to ⟨Hammer-Lantern5-Rocket⟩ yesterday",
        "数据库密码改成了⟨Zr6isAAXST⟩",
        "パスワードを ⟨totoro-5344⟩ に変更した",
        "密码【⟨zhangwei7488⟩】",
        "暗証キー：⟨IO8Do6meMA⟩",
        "ALTER USER root@localhost IDENTIFIED BY '⟨Charli38078⟩';",
        "session.auth = (\"ana\", \"⟨LD8gFlku0Oozbr⟩\")",
        "login root / ⟨yogurt_lantern9337⟩",
        "A palavra-passe do router é ⟨Lisboa#1755x⟩",
        "Password: ⟨K7x2__mQ94vTz8Lp⟩",
        "DB_PASSWORD=⟨WmKrzghiylCjepyIGRl2⟩",
        "Hotspot key: ⟨wQ7nz4LrB2⟩",
        "Cloudflare API: ⟨59e3cfe9f6629ba68275018a3cf55e12⟩",
    ] {
        let text = form.replace(['⟨', '⟩'], "");
        let clean = redact_for_model(&text);
        let left: Vec<&str> = form
            .split('⟨')
            .skip(1)
            .filter_map(|rest| rest.split_once('⟩'))
            .map(|(secret, _)| secret)
            .filter(|secret| clean.contains(secret) || clean.contains(&secret[secret.len() - 4..]))
            .collect();
        assert!(left.is_empty(), "{form} → {clean}");
    }
}

#[test]
fn what_only_speaks_of_passwords_stays() {
    for text in [
        "パスワード変更日：2025年11月3日",
        "Wi-Fi: Telekom-4F2A1C, channel 11",
        "\"publicKeyToken\": \"b77a5c561934e089\"",
        "docker pull ghcr.io/acme/api@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "Wifi name: FRITZ!Box 7590 QX",
        "Passphrase tip: four random words",
        "password: grafana-admin-credentials",
        "Passwort: siehe-tresor-eintrag",
        "password: not-set-yet",
        "Reset password step12",
        "ERROR_INVALID_PASSWORD: WIN32_ERROR = 86u32;",
        "the passwd of com.android.tzdata",
        "Password changed: 2026-03-02",
        "Passwort zuletzt geändert: 02-03-2026",
        "password_reset_timeout: 259200",
        "recovery code printed on 2026-01-02",
        "Secret ARN: arn:aws:secretsmanager:eu-central-1:123456789012:secret:prod/db-AbCdEf",
        "idempotency_key: 7c9e6679-7425-40de-944b-e07fc1f90ae7",
        "cache_key: build-ubuntu-22.04-node20-a94a8fe5",
        "thread_id: thread_abc123DEF456ghi789JKL012",
        "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
        "invoice in_1MtHbELkdIwHu7ixl4OzzPMv of cus_NffrFeUfNV2Hib",
        "password: spring.datasource.hikari.password2",
        "passphrase = vector.2",
        "zipfile.open(name, pwd=None, *, force_zip64=False)",
        "\"psw\", \"quantile_7\", \"svydes_8\"",
        "api_key: str = \"\"",
        "password: config['pass1']",
        "password: process.env.DB_PASSWORD2,",
        "password: %env(DB_PASSWORD2)%",
        "password: ref+vault://secret/x#/Pw2",
        "password: Option<Secret<String>>,",
        "Password must match ^(?=.*[A-Z])(?=.*\\d).{8,}$",
        "password VARCHAR(255) NOT NULL",
        "password = getpass(\"Password: \")",
        "Password: 12+ characters, 1 digit",
        "Passwort: siehe KeePass Eintrag 42",
        "password: stored in Bitwarden since March 2024",
        "Password rotation: 2026-11-01",
        "password field id is input#user_password_2",
        "パスワードは1Passwordに保存",
        "wifi: HomeNet5G in the office",
        "WiFi: TP-Link_5G_2F3A is in the kitchen",
        "root=UUID=0a3407de-014b-458b-b5c1-848e92a327a3 ro quiet splash",
        "root: /srv/www/html2024",
        "ssh host key SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8",
        "STRIPE_PUBLISHABLE_KEY=pk_live_51HxYzAbCdEfGhIjKlMnOp",
        "existingSecret: grafana-admin-2024",
        "palabra clave: Rust2024",
        "arn:aws:iam::123456789012:user/AWS/CodeDeploy/AssetTag12010298EX",
    ] {
        assert_eq!(redact_for_model(text), text);
    }
}

/// Behind a label that says so, a value of letters alone, of a few hex digits or of many marks is a password.
#[test]
fn a_labelled_value_may_look_like_a_word() {
    for value in [
        "tixlzwxuqaoyhubf", "xraadbelnitahqne", "cxwmxCdd", "IARPyXRR", "6003d794", "FXMLXKLEENDQMXJP",
        "fpibwnachjdvdsxvsiesxbvunkipryvy", "OSrpIna>^:]PadV>", "C%1nkZl:;Mh%(Abr", "giftto<BHjNbJn#9=F1u",
    ] {
        for form in
            ["SMTP_PASSWORD=@", "password: @", "\"password\": \"@\"", "The admin password is @", "  pass: @"]
        {
            let text = form.replace('@', value);
            assert!(!redact_for_model(&text).contains(value), "{text}");
        }
    }
    for form in [
        "user ana@gmail.com\npassword burt ufig oxng qxkz",
        "  pass: vjiv diyi phbv znrq",
        "| account | password |\n|---|---|\n| ana | vjiv diyi phbv znrq |",
    ] {
        let masked = redact_for_model(form);
        assert!(!masked.contains("ufig") && !masked.contains("diyi"), "{masked}");
    }
    for ordinary in [
        "password: required", "password: authentication", "password: userPassword", "PASSWORD=CONFIGURATION",
        "password: Zugangsberechtigung", "password over time will heal", "token: authenticationToken",
        "\"password\": \"SecretString\"", "password: dbPasswd",
    ] {
        assert_eq!(redact_for_model(ordinary), ordinary);
    }
}

#[test]
fn credentials_in_the_forms_of_drivers_and_tools_are_masked() {
    for form in [
        "sql.Open(\"mysql\", \"app:@#tcp(db:3306)/x\")",
        "MYSQL_DSN=app:@#tcp(127.0.0.1:3306)/x?parseTime=true",
        "DSN=root:@#unix(/var/run/mysqld.sock)/x",
        "sqlplus system/@#//db:1521/ORCL",
        "connect system/@#orcl as sysdba",
        "password: OldOne77x → @",
        "API keys:\n  weather = @",
        "{\"name\":\"Cookie\",\"value\":\"session=@\"}",
        "bundle config gems.example.org ana:@",
        "{\"credentials\":[\"admin\",\"@\"]}",
    ] {
        for value in ["u8jzPde0IgxLd6", "GncfBAepfJBd0K"] {
            let text = form.replacen('@', value, 1).replace('#', "@");
            assert!(!redact_for_model(&text).contains(value), "{text}");
        }
    }
    for ordinary in [
        "user:password@tcp(localhost:5555)/dbname",
        "connect to https://db.example/v2",
        "credentials: [\"db\", \"cert_2024\"]",
    ] {
        assert_eq!(redact_for_model(ordinary), ordinary);
    }
}
