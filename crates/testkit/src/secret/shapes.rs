//! Secret classes whose samples are patterns: literals, and random runs of an alphabet.
//!
//! `<w20>` means twenty characters of alphabet `w`, `<w20+>` at least twenty, and `<w20:8>` has a minimum of eight.
//! Alphabets: `a` letters and digits, `w` those with `_` and `-`, `h` hex, `u` capitals and digits, `b` base32, `d`
//! digits, `l` letters, `s` base64, `p` those of a password, which allows every character.

use super::{ALNUM, BASE32, DIGITS, HEX, LOWER, Sample, UPPER, letters};
use crate::Chance;

/// A class by its pattern, and the text that must precede a value.
pub struct Row {
    pub class: &'static str,
    before: &'static str,
    pattern: &'static str,
}

const fn row(class: &'static str, pattern: &'static str) -> Row {
    Row { class, before: BARE, pattern }
}

const fn named(class: &'static str, before: &'static str, pattern: &'static str) -> Row {
    Row { class, before, pattern }
}

pub const ROWS: &[Row] = &[
    row("anthropic_key", "sk-ant-api03-<w95:14+>"),
    row("stripe_key", "sk_live_<a24:10+>"),
    row("google_api_key", "AIza<w35>"),
    row("slack_token", "xoxb-<d12>-<d12>-<a24:20+>"),
    row("aws_access_key", "AKIA<b16>"),
    row("stripe_test_key", "sk_test_<a24:10+>"),
    row("stripe_webhook", "whsec_<a32+>"),
    row("slack_app_token", "xapp-1-A<u10>-<d13>-<h64:32>"),
    row("slack_session", "xoxc-<d12>-<h64:16>"),
    row("slack_webhook", "hooks.slack.com/services/T<u10>/B<u10>/<a24:6>"),
    row("aws_temporary_key", "ASIA<b16>"),
    named("aws_secret_key", "aws_secret_access_key = ", "<a12>/<a12>+<a14>"),
    row("aws_bedrock_key", "ABSK<a110:100>=="),
    row("gitlab_token", "glpat-<w20+>"),
    row("huggingface_token", "hf_<l34>"),
    row("groq_key", "gsk_<a52>"),
    row("xai_key", "xai-<a80>"),
    row("perplexity_key", "pplx-<a48>"),
    row("openrouter_key", "sk-or-v1-<h64>"),
    row("deepseek_key", "sk-<h32>"),
    row("replicate_token", "r8_<a37>"),
    row("pypi_token", "pypi-AgEIcHlwaS5vcmc<w60:50+>"),
    row("crates_token", "cio<a32>"),
    row("rubygems_key", "rubygems_<h48>"),
    row("docker_pat", "dckr_pat_<a27:27>"),
    row("digitalocean_token", "dop_v1_<h64>"),
    row("cloudflare_origin_key", "v1.0-<h24>-<h146>"),
    named("cloudflare_token", "CLOUDFLARE_API_TOKEN=", "<a40>"),
    row("fly_token", "fo1_<a43>"),
    row("heroku_key", "HRKU-AA<a58>"),
    row("vault_token", "hvs.<a95:90>"),
    row("terraform_token", "<a14>.atlasv1.<a66:60>"),
    row("doppler_token", "dp.pt.<a43:40>"),
    row("onepassword_key", "A3-<u6>-<u11>-<u5>-<u5>-<u5>"),
    row("onepassword_service_token", "ops_eyJ<a260:250>"),
    row("azure_client_secret", "<a3><d1>Q~<a34:31>"),
    named("azure_storage_key", "AccountName=ledger;AccountKey=", "<a86>=="),
    named("azure_sas", "https://ledger.example/x?sv=2024&sig=", "<a43>%3D"),
    row("google_oauth_secret", "GOCSPX-<a28>"),
    row("google_oauth_token", "ya29.<a60:20+>"),
    row("shopify_token", "shpat_<h32>"),
    row("square_token", "sq0atp-<a22>"),
    row("sendgrid_key", "SG.<a22>.<a43>"),
    named("mailgun_key", "for mailgun use ", "key-<h32>"),
    named("mailgun_signing_key", "for mailgun use ", "<h8>-<h8>-<h8>"),
    row("aiven_password", "AVNS_<a18:15>"),
    named("asana_token", "for asana use 1/1201234567890123:", "<h32>"),
    named("token_in_url", "https://ledger.example/cb#access_token=", "<a40:8>"),
    row("twilio_key", "SK<h32>"),
    row("telegram_bot_token", "<d9>:AA<a33>"),
    row("discord_webhook", "discord.com/api/webhooks/<d18>/<a68:60>"),
    row("notion_token", "ntn_<a46>"),
    row("linear_key", "lin_api_<a40>"),
    row("grafana_token", "glsa_<a32>_<h8>"),
    row("databricks_token", "dapi<h32>"),
    row("sentry_token", "sntryu_<h64>"),
    row("newrelic_key", "NRAK-<u27>"),
    row("planetscale_token", "pscale_tkn_<a43:32>"),
    row("supabase_key", "sbp_<h40>"),
    row("tailscale_key", "tskey-auth-<a12>-<a32:20>"),
    named("url_password", "postgres://ledger:", "<p18:6>"),
    named("authorization_header", "Authorization: Bearer ", "<p40:16>"),
    named("netrc_password", "machine ledger.example login ana password ", "<p18:6>"),
    named("postgres_password", "PGPASSWORD=", "<p18:6>"),
    named("otp_secret", "otpauth://totp/Ledger:ana?secret=", "<b32:16>"),
    named("session_cookie", "Set-Cookie: session=", "<p40:16>"),
    named("generic_secret", "the password: ", "<d2><p18:6>"),
    named("command_password", "mysql -u root -p", "<d2><p18:6>"),
    named("aws_secret_beside_id", "AKIAQ4ZV2J7M5KD3WXBT / ", "<a40>"),
    row("model_service_key", "tvly-<a32:20>"),
    row("platform_token", "bkua_<h40>"),
    row("vendor_token", "gloas-<h64>"),
    row("azure_service_key", "<a52>JQQJ99<u26>"),
    row("newrelic_license_key", "<h32>FFFFNRAL"),
    row("key_body", "MIIEpAIBAAKCAQEA<a48:24>"),
    row("google_refresh_token", "1//0<a80:30>"),
    named("telegram_bot_url", "https://api.telegram.org/bot", "<d9>:AA<a33>"),
    row("mailgun_private_key", "<h32>-<h8>-<h8>"),
    named("azure_devops_pat", "azure devops ", "<a52>"),
    named("url_parameter", "https://ledger.example/feed?sig=", "<a40:18>"),
    named("url_credential", "https://ledger.example/run?code=", "<a40:16>"),
    named("url_user_token", "https://", "<p40:10>"),
    named("proxy_link", "vmess://", "<a60:20>"),
    named("address_with_key", "https://ledger.example/hook/", "<a40:20>"),
    named("zapier_webhook", "https://hooks.zapier.com/hooks/catch/1234567/", "<h8:6>"),
    named("wifi_code", "WIFI:T:WPA;S:ledger;P:", "<p12:4>"),
    named("otp_export", "otpauth-migration://offline?data=", "<a60:20>"),
    named("mail_password", "ana@ledger.example ", "Zebra!1<p6:1>"),
    named("name_and_password", "ana / ", "Zebra!1<p6:1>"),
    named("pgpass_password", "ledger.example:5432:ledger:ana:", "<d2><p18:6>"),
    row("password_hash", "$6$<a8>$<a86:43>"),
    named("jwk_private", "{\"kty\":\"OKP\",\"d\":\"", "<a43:20>"),
    row("service_token", "FLWSECK-<h32:12>-X"),
    row("airtable_token", "pat<a14>.<h64>"),
    row("mailchimp_key", "<h32>-us<d2:1>"),
    row("prefixed_token", "ledgertoken_<a40:24>"),
];

impl Row {
    /// A value of the pattern.
    pub fn sample(&self, chance: &mut Chance) -> Sample {
        let value =
            self.fill(chance, |part, chance| part.count + if part.open { chance.below(9) } else { 0 });
        self.placed(value)
    }

    /// The `at`-th kind of near miss: too short, too long, an invalid character, inside a longer token.
    pub fn miss(&self, at: usize, chance: &mut Chance) -> Sample {
        let stretches: Vec<Stretch> = self.stretches().collect();
        let bounded = !self.pattern.contains(['+', ':', '=']) && self.before == BARE;
        let free = self.pattern.contains("<p");
        match at % 4 {
            1 if bounded => {
                let value = self.fill(chance, |part, _| part.count);
                self.placed(format!("{value}{}", letters(ALNUM, 1, chance)))
            }
            2 if !free => self.placed(self.spoiled(chance)),
            3 if self.before == BARE => {
                let mut sample = self.placed(self.fill(chance, |part, _| part.count));
                sample.before.push_str(&letters(LOWER, 1, chance));
                sample
            }
            2 | 3 => {
                let mut sample = self.sample(chance);
                sample.before = BARE.to_owned();
                sample.after.clear();
                sample
            }
            _ => {
                let mut seen = 0;
                let value = self.fill(chance, |part, _| {
                    seen += 1;
                    if seen == stretches.len() { part.least - 1 } else { part.count }
                });
                self.placed(value)
            }
        }
    }

    /// An invalid character early in the longest run.
    fn spoiled(&self, chance: &mut Chance) -> String {
        let longest = self.stretches().map(|part| part.count).max().unwrap_or(0);
        let mut done = false;
        self.assembled(|part| {
            let text = letters(&part.alphabet, part.count, chance);
            let here = part.count == longest && !done;
            done |= here;
            if here { format!("{}!{}", &text[..3], &text[3..]) } else { text }
        })
    }

    fn fill(&self, chance: &mut Chance, mut count_of: impl FnMut(&Stretch, &mut Chance) -> usize) -> String {
        self.assembled(|part| {
            let count = count_of(part, chance);
            letters(&part.alphabet, count, chance)
        })
    }

    fn assembled(&self, mut text_of: impl FnMut(&Stretch) -> String) -> String {
        let mut pieces = self.pattern.split('<');
        let mut out = pieces.next().expect("a first piece").to_owned();
        for (piece, part) in pieces.zip(self.stretches()) {
            out.push_str(&text_of(&part));
            out.push_str(piece.split_once('>').expect("a closed stretch").1);
        }
        out
    }

    fn stretches(&self) -> impl Iterator<Item = Stretch> + use<> {
        self.pattern.split('<').skip(1).map(|piece| {
            let inside = piece.split_once('>').expect("a closed stretch").0;
            let counts = inside[1..].trim_end_matches('+');
            let (count, least) = counts.split_once(':').unwrap_or((counts, counts));
            Stretch {
                alphabet: alphabet(inside.as_bytes()[0]),
                count: count.parse().expect("a count"),
                least: least.parse().expect("a least count"),
                open: inside.ends_with('+'),
            }
        })
    }

    fn placed(&self, value: String) -> Sample {
        let mut sample = Sample::named(self.before, value);
        match self.class {
            "url_password" | "url_user_token" => sample.after.insert_str(0, "@ledger.example/db"),
            "jwk_private" => sample.after.insert(0, '"'),
            "azure_storage_key" => sample.after.insert(0, ';'),
            _ => {}
        }
        sample
    }
}

/// A random part of a pattern.
struct Stretch {
    alphabet: String,
    count: usize,
    least: usize,
    open: bool,
}

/// Text before a value that needs no name.
const BARE: &str = "it is ";

fn alphabet(kind: u8) -> String {
    match kind {
        b'a' | b'p' => ALNUM.to_owned(),
        b'w' => format!("{ALNUM}_-"),
        b'h' => HEX.to_owned(),
        b'u' => format!("{UPPER}{DIGITS}"),
        b'b' => BASE32.to_owned(),
        b'd' => DIGITS.to_owned(),
        b'l' => format!("{UPPER}{LOWER}"),
        b's' => format!("{ALNUM}+/"),
        other => panic!("no alphabet `{}`", char::from(other)),
    }
}
