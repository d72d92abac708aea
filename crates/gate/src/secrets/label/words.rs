//! Words that name a secret, in the languages of notes.
//!
//! Invariants: a word with a blank also matches with `_`, with `-` and joined. Non-ASCII words also get capitalised
//! and decomposed forms, since the search folds only ASCII case.

use std::collections::HashSet;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization as _;

use crate::literals::Literals;

/// The kind of value that a label names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A password, possibly chosen by a person.
    Password,
    /// A generated key or token.
    Key,
    /// A number of a few digits, such as a PIN.
    Number,
    /// A name and a password in one, such as `admin / …`.
    Pair,
    /// A list of one-time codes.
    Codes,
}

impl Kind {
    /// How many kinds there are.
    pub const COUNT: usize = 5;
}

/// Words for a password.
const PASSWORDS: &[&str] = &[
    "password", "passwort", "passwörter", "passwd", "passphrase", "pass phrase", "passcode", "kennwort",
    "kennwörter", "contraseña", "contrasena", "clave", "senha", "mot de passe", "mots de passe", "mdp",
    "wachtwoord", "wachtwoorden", "lösenord", "adgangskode", "passord", "salasana", "hasło", "heslo",
    "jelszó", "parola", "şifre", "şifresi", "kata sandi", "mật khẩu", "пароль", "пароли", "пароля", "гасло",
    "κωδικός", "🔑", "🔐", "密码", "密碼", "口令", "授权码", "授權碼", "パスワード", "暗証番号", "暗証キー",
    "暗証", "비밀번호", "암호", "รหัสผ่าน", "पासवर्ड", "كلمة المرور", "كلمة السر", "סיסמה", "סיסמא", "pass",
    "pw", "pwd", "p/w", "psw", "pswd", "passwrd", "pasword", "passwrod", "palavra passe", "kodeord",
    "parool", "parolă", "lozinka", "лозинка", "парола", "geslo", "slaptažodis", "lykilorð", "contrasenya",
    "pasahitza", "geheimwort", "kenncode", "phrase secrète", "비번", "合言葉",
];

/// Names of fields with a password or an equivalent.
const FIELDS: &[&str] = &[
    "psk", "shared secret", "shared key", "network key", "wifi key", "wlan key", "wpa key",
    "netzwerkschlüssel", "wlan schlüssel", "zugangscode", "access code", "code wifi", "security answer",
    "security question answer", "identified by", "securestring", "requirepass", "masterauth", "storepass",
    "sshpass", "rediscli_auth", "remotepass", "keypass", "dbpass", "dbpw", "bindpw", "rootpw", "input_pw",
    "first half", "second half", "xauth", "isakmp key", "rocommunity", "rwcommunity",
];

const KEYS: &[&str] = &[
    "secret", "token", "api key", "access key", "secret key", "secret id", "private key", "client key",
    "auth key", "authtoken", "app key", "aes key", "api hash", "signing key", "encryption key",
    "subscription key", "admin key", "server key", "routing key", "write key", "master key", "account key",
    "unseal key", "setup key", "recovery key", "license key", "licence key", "sharedaccesskey",
    "storage key", "deploy key", "webhook key", "key1", "key2", "credential", "schlüssel", "geheimnis",
    "clé", "jeton", "chave", "llave", "chiave", "sleutel", "klucz", "klíč", "kľúč", "nyckel", "nøkkel",
    "nøgle", "anahtar", "anahtarı", "ключ", "токен", "密钥", "密鑰", "密匙", "秘钥", "金鑰", "私钥", "私鑰",
    "令牌", "加签", "トークン", "キー", "シークレット", "토큰", "시크릿", "키", "jwt", "bearer", "basic",
    "private", "authorization", "auth", "ssws", "geniekey", "corpsecret", "appsecret", "clientsecret",
    "accesstoken", "apitoken", "login", "pat", "part 1", "part 2", "part 3", "teil 1", "teil 2", "totp",
    "2fa", "mfa", "wif", "session", "session id", "sessid", "sessdata", "phpsessid", "jsessionid",
    "csrftoken", "bili_jct", "li_at", "ct0", "api", "seckey", "privkey", "priv key", "秘密鍵", "clef",
    "local key", "app skey", "nwk skey", "bind key", "stream key", "_salt", "_key", "-key", "key", "ak",
    "sk",
];

const NUMBERS: &[&str] = &[
    "pin", "pin code", "pin number", "passcode", "puk", "tan", "cvv", "cvc", "code for the alarm",
    "code for the door", "code for the garage", "code for the gate", "code for the safe", "code to the door",
    "code to the garage", "code to the gate", "code to the safe", "door code", "alarm code", "gate code",
    "garage code", "entry code", "lock code", "safe code", "unlock code", "verification code",
    "security code", "setup code", "pairing code", "safe combination", "lock combination",
    "locker combination", "vault combination", "combination to the safe", "combination of the safe",
    "combination for the safe", "geheimzahl", "geheimnummer", "pinnummer", "sicherheitscode", "alarmcode",
    "entsperrcode", "haustürcode", "torcode", "tresorcode", "türcode", "zahlenkombination",
    "codigo de acceso", "código de acceso", "código de acesso", "codigo de la alarma", "código de alarma",
    "código de la alarma", "código do alarme", "código de la caja fuerte", "código de la puerta",
    "código del portal", "código do portão", "código de desbloqueo", "código de seguridad", "código secreto",
    "code confidentiel", "code d'accès", "code d’accès", "code de l'alarme", "code de l’alarme",
    "code de la porte", "code du portail", "code de sécurité", "code secret", "digicode", "codice allarme",
    "codice di accesso", "codice pin", "codice segreto", "toegangscode", "пин-код", "пин", "验证码",
    "驗證碼", "安全码", "提取码", "门禁码", "支付密码", "暗証番号", "인증번호",
];

const PAIRS: &[&str] = &[
    "credentials", "creds", "login", "log in with", "logon", "zugangsdaten", "anmeldedaten", "login daten",
    "identifiants", "credenciales", "credenciais", "credenziali", "inloggegevens", "账号密码", "帐号密码",
    "account", "accounts", "admin", "administrator", "root", "user", "zugang", "accès", "acceso", "accesso",
    "connexion", "identifiant", "usuario", "benutzer", "登录", "账密", "ログイン", "wifi", "wi-fi", "wlan",
];

const CODES: &[&str] = &[
    "2fa backup", "mfa backup", "recovery code", "recovery codes", "backup code", "backup codes",
    "scratch codes", "emergency codes", "one-time codes", "wiederherstellungscodes", "ersatzcodes",
    "codes de secours", "codes de récupération", "códigos de respaldo", "códigos de recuperación",
    "códigos de reserva", "codici di backup", "备用码", "备份码", "恢复码", "恢复代码", "バックアップコード",
    "резервные коды",
];

/// Words for several secrets, in addition to those for passwords with an `s`.
const LISTS: &[&str] = &[
    "passwörter", "kennwörter", "wachtwoorden", "пароли", "credentials", "creds", "secrets", "logins",
    "zugangsdaten", "anmeldedaten", "identifiants", "credenciales", "credenciais", "credenziali",
    "inloggegevens",
];

/// Services whose name alone labels their key.
const SERVICES: &[&str] = &[
    "bitwarden", "cloudflare", "cohere", "hetzner", "launchdarkly", "mistral", "plex", "rollbar", "snyk",
    "vercel", "todoist", "openweathermap", "openweather", "serpapi", "serper", "deepgram", "assemblyai",
    "tmdb", "newsapi", "algolia", "twilio", "mailgun", "datadog", "pagerduty", "shodan", "virustotal",
    "etherscan", "wandb", "finnhub", "plaid", "trello", "pushover", "jellyfin", "sonarr", "radarr",
    "paperless", "brave", "clockify", "duckdns", "elevenlabs", "feedly", "garmin", "gitea", "gotify",
    "grafana", "habitica", "harvest", "immich", "instapaper", "inwx", "jina", "kagi", "linode", "mastodon",
    "miniflux", "mullvad", "namecheap", "netcup", "netlify", "nextcloud", "ntfy", "nuki", "paypal",
    "pinboard", "porkbun", "proxmox", "railway", "raindrop", "readwise", "replicate", "scaleway", "sevdesk",
    "shelly", "spotify", "strava", "synology", "tibber", "toggl", "truenas", "unifi", "vultr", "zotero",
    "opsgenie", "lexoffice",
];

/// Whether `word` is a word for a password, not a name of a similar field.
pub fn is_password(word: &str) -> bool {
    static KNOWN: LazyLock<HashSet<String>> = LazyLock::new(|| {
        PASSWORDS.iter().flat_map(|known| [(*known).to_owned(), known.replace(' ', "_")]).collect()
    });
    KNOWN.contains(&word.to_lowercase())
}

/// Whether `name` names a list of secrets: a plural word for passwords, or an equivalent.
pub fn is_list(name: &str) -> bool {
    let name = name.to_lowercase();
    LISTS.contains(&name.as_str())
        || name.strip_suffix('s').is_some_and(|word| word.len() > 4 && is_password(word))
}

/// Whether `word` is the name of a service.
pub fn is_service(word: &str) -> bool {
    SERVICES.contains(&word.to_ascii_lowercase().as_str())
}

/// The matcher of all words, and the kind of each pattern.
pub struct Words {
    search: Literals,
    kinds: Vec<Kind>,
}

impl Words {
    /// Positions of the words in `text`, also inside longer words.
    pub fn find(&self, text: &str) -> impl Iterator<Item = (std::ops::Range<usize>, Kind)> {
        self.search.find(text).map(|(span, word)| (span, self.kinds[word]))
    }
}

/// The words, built at the first scan.
pub fn words() -> &'static Words {
    static WORDS: LazyLock<Words> = LazyLock::new(build);
    &WORDS
}

fn build() -> Words {
    let groups = [
        (PASSWORDS, Kind::Password),
        (FIELDS, Kind::Password),
        (KEYS, Kind::Key),
        (SERVICES, Kind::Key),
        (NUMBERS, Kind::Number),
        (PAIRS, Kind::Pair),
        (CODES, Kind::Codes),
    ];
    let all = groups.iter().flat_map(|(words, kind)| words.iter().map(|word| (*word, *kind)));
    let forms = all.flat_map(|(word, kind)| {
        let joined = ["_", "-", ""].map(|with| word.replace(' ', with));
        let forms = joined.into_iter().chain([word.to_owned()]);
        forms.flat_map(|form| cases(&form)).map(move |form| (form.to_ascii_lowercase(), kind))
    });
    // A word of two kinds, such as `login`, is searched for as each.
    let mut seen = HashSet::new();
    let (forms, kinds) = forms.filter(|form| seen.insert(form.clone())).unzip();
    Words { search: Literals::of(forms), kinds }
}

/// The word; if it is not ASCII, also its capitalised and upper-case forms, each also decomposed.
fn cases(word: &str) -> Vec<String> {
    let mut cases = vec![word.to_owned()];
    if !word.is_ascii() {
        let mut chars = word.chars();
        let first: String = chars.next().into_iter().flat_map(char::to_uppercase).collect();
        cases.extend([first + chars.as_str(), word.to_uppercase()]);
        let parts: Vec<String> = cases.iter().map(|case| case.nfd().collect()).collect();
        cases.extend(parts);
    }
    cases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_searched_without_an_automaton() {
        assert!(words().search.is_quick());
    }
}
