//! The table of secret classes: literal, shape and check of each.
//!
//! To add a class, add a row, and samples of it in the test kit. If two rows find the same bytes at the same tier,
//! the first one is reported. Lengths and alphabets follow the issuers' formats. Invariants: each class has one row;
//! a shape is linear and names its alphabet; a shape too common for a gate has `everywhere: false`.

use super::Secret;
use super::Tier::{Block, Doubt, Quarantine, Tag, Warn};
use super::check::{
    ShapeMatch, Verdict, address, assigned, beside, coin, entropy, person, prefixed, shape_is_enough, varied,
    vendor,
};
use super::seek::{Near, Seek, Shape};
use super::{command, label, mnemonic};

/// Default row: a service token, blocked if its value varies.
const ROW: Secret = Secret {
    class: "",
    about: "",
    tier: Block,
    unsure: None,
    everywhere: true,
    public: false,
    seed: false,
    transcript: None,
    seek: Seek::Literal(&[], 0),
    near: Near::Nothing,
    shape: Shape::Regex(""),
    check: varied,
    checks_max: usize::MAX,
};

/// Most key pairs of one text whose public half is computed: about a second of work.
const KEY_PAIRS_MAX: usize = 20_000;

/// Words near a 256-bit number that make it a key.
const KEY_WORDS: &[&str] = &[
    "private key", "private_key", "privatekey", "priv key", "priv_key", "privkey", "secret", "seed:",
    "seed =", "seed=", "master seed", "wallet seed", "seed phrase", "seed hex", "mnemonic", "wallet", "pk=",
    "signing key",
];

/// Every class of secret and personal data that is searched for.
pub const SECRETS: &[Secret] = &[
    // The eleven classes of the dream gate (W59), under their own names.
    Secret {
        class: "anthropic_key",
        about: "A key of the Anthropic API, of any kind.",
        seed: true,
        transcript: Some("anthropic_key"),
        seek: Seek::Literal(&["sk-ant-"], 0),
        shape: Shape::Regex(r"sk-ant-[A-Za-z0-9_-]{20,}"),
        check: shape_is_enough,
        ..ROW
    },
    Secret {
        class: "openai_key",
        about: "A key of the OpenAI API; many services copy its old form.",
        unsure: Some(Doubt),
        seed: true,
        transcript: Some("sk_key"),
        seek: Seek::Literal(&["sk-"], 0),
        shape: Shape::Regex(r"sk-(?:(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{20,})"),
        check: vendor::openai,
        ..ROW
    },
    Secret {
        class: "stripe_key",
        about: "A live secret or restricted key of Stripe.",
        unsure: Some(Doubt),
        seed: true,
        seek: Seek::Literal(&["sk_live_", "rk_live_"], 0),
        shape: Shape::Regex(r"[sr]k_live_[A-Za-z0-9]{10,99}"),
        check: vendor::varied_or_unsure,
        ..ROW
    },
    Secret {
        class: "github_pat",
        about: "A token of GitHub; classic ones carry a CRC-32.",
        unsure: Some(Doubt),
        seed: true,
        seek: Seek::Literal(&["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"], 0),
        shape: Shape::Regex(
            r"(?:gh[pour]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{82}|ghs_[A-Za-z0-9._-]{35,}[A-Za-z0-9_-])",
        ),
        check: vendor::github,
        ..ROW
    },
    Secret {
        class: "google_api_key",
        about: "A key of Google's APIs; one for a web page may be public.",
        tier: Quarantine,
        unsure: Some(Doubt),
        seed: true,
        seek: Seek::Literal(&["AIza"], 0),
        shape: Shape::Regex(r"AIza[A-Za-z0-9_-]{35}"),
        check: vendor::google,
        ..ROW
    },
    Secret {
        class: "slack_token",
        about: "A bot, user, app, refresh or session token of Slack.",
        unsure: Some(Doubt),
        seed: true,
        seek: Seek::Literal(&["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-"], 0),
        shape: Shape::Regex(r"xox[bpars]-[A-Za-z0-9-]{20,}"),
        check: vendor::slack,
        ..ROW
    },
    Secret {
        class: "aws_access_key",
        about: "The id of a long-lived access key of AWS.",
        unsure: Some(Doubt),
        seed: true,
        transcript: Some("aws_access_key"),
        seek: Seek::Literal(&["AKIA"], 0),
        shape: Shape::Regex(r"AKIA[A-Z0-9]{16}"),
        check: vendor::aws_access_key,
        ..ROW
    },
    Secret {
        class: "evm_address",
        about: "An account address of an Ethereum-like ledger; mixed case carries a checksum (EIP-55).",
        tier: Quarantine,
        unsure: Some(Warn),
        public: true,
        seed: true,
        seek: Seek::Literal(&["0x"], 0),
        shape: Shape::Regex(r"0x[0-9a-fA-F]{40}"),
        check: coin::evm_address,
        ..ROW
    },
    Secret {
        class: "btc_bech32",
        about: "A segregated-witness address of Bitcoin with a valid checksum (BIP-173, BIP-350).",
        tier: Quarantine,
        public: true,
        seed: true,
        seek: Seek::Literal(&["bc1", "BC1"], 0),
        shape: Shape::Regex(r"(?:bc1[ac-hj-np-z02-9]{11,71}|BC1[AC-HJ-NP-Z02-9]{11,71})"),
        check: coin::btc_bech32,
        ..ROW
    },
    Secret {
        class: "btc_legacy",
        about: "An address of Bitcoin in base58 with a valid checksum.",
        tier: Quarantine,
        public: true,
        seed: true,
        seek: Seek::Token(|text, at| (26..=35).contains(&at.len()) && starts(text, at, b"13")),
        shape: Shape::Read(coin::token),
        check: coin::btc_legacy,
        ..ROW
    },
    Secret {
        class: "pem_private",
        about: "A private key block, encrypted or not.",
        unsure: Some(Doubt),
        seed: true,
        seek: Seek::Literal(&["-----BEGIN "], 0),
        shape: Shape::Read(vendor::pem),
        check: vendor::pem_body,
        ..ROW
    },
    // Ledger keys, whose checksums make them safe to detect.
    Secret {
        class: "solana_keypair",
        about: "An ed25519 key pair in base58: its second half is the public key of its first.",
        seek: Seek::Token(|_, at| (80..=90).contains(&at.len())),
        shape: Shape::Read(coin::token),
        check: coin::solana_pair,
        checks_max: KEY_PAIRS_MAX,
        ..ROW
    },
    Secret {
        class: "solana_keypair_array",
        about: "The same pair as an array of 64 numbers.",
        seek: Seek::Token(|text, at| {
            at.len() <= 3
                && digits(text, at)
                && before(text, at).trim_end().ends_with('[')
                && text.as_bytes().get(at.end) == Some(&b',')
        }),
        shape: Shape::Read(coin::number_array),
        check: coin::solana_array,
        checks_max: KEY_PAIRS_MAX,
        ..ROW
    },
    Secret {
        class: "bip39_mnemonic",
        about: "A seed phrase of BIP-39 in any of its languages with a valid checksum.",
        seek: Seek::Mnemonic(mnemonic::Phrase::Checked),
        shape: Shape::Read(coin::token),
        check: shape_is_enough,
        ..ROW
    },
    Secret {
        class: "hex_private_key",
        about: "A 256-bit number in hex beside a word such as `private key`, `seed` or `wallet`.",
        seek: Seek::Token(|text, at| matches!(at.len(), 64 | 66) && hex_number(text, at)),
        near: Near::Needs(KEY_WORDS),
        shape: Shape::Read(coin::token),
        check: coin::curve_key,
        ..ROW
    },
    Secret {
        class: "btc_wif",
        about: "A private key of Bitcoin in wallet import format with a valid checksum.",
        seek: Seek::Token(|text, at| (51..=52).contains(&at.len()) && starts(text, at, b"5KL9c")),
        shape: Shape::Read(coin::token),
        check: coin::wif,
        ..ROW
    },
    Secret {
        class: "bip32_xprv",
        about: "An extended private key of BIP-32 with a valid checksum.",
        unsure: Some(Doubt),
        seek: Seek::Literal(&["xprv", "yprv", "zprv", "tprv"], 0),
        shape: Shape::Regex(r"[xyzt]prv[1-9A-HJ-NP-Za-km-z]{107,108}"),
        check: |found| doubted(coin::extended_key(found)),
        ..ROW
    },
    Secret {
        class: "nostr_nsec",
        about: "A private key of Nostr with a valid checksum.",
        unsure: Some(Doubt),
        seek: Seek::Literal(&["nsec1"], 0),
        shape: Shape::Regex(r"nsec1[ac-hj-np-z02-9]{58}"),
        check: |found| doubted(coin::bech32_string(found)),
        ..ROW
    },
    Secret {
        class: "age_secret_key",
        about: "A private key of age with a valid checksum.",
        unsure: Some(Doubt),
        seek: Seek::Literal(&["AGE-SECRET-KEY-1"], 0),
        shape: Shape::Regex(r"AGE-SECRET-KEY-1[AC-HJ-NP-Z02-9]{58}"),
        check: |found| doubted(coin::bech32_string(found)),
        ..ROW
    },
    Secret {
        class: "stellar_seed",
        about: "A seed of Stellar with a valid checksum.",
        seek: Seek::Token(|text, at| at.len() == 56 && starts(text, at, b"S")),
        shape: Shape::Read(coin::token),
        check: coin::stellar_seed,
        ..ROW
    },
    Secret {
        class: "lightning_invoice",
        about: "A payment request of Lightning with a valid checksum.",
        tier: Warn,
        seek: Seek::Literal(&["lnbc"], 0),
        shape: Shape::Regex(r"lnbc[0-9]{0,12}[munp]?1[ac-hj-np-z02-9]{100,1000}"),
        check: coin::bech32_string,
        ..ROW
    },
    // Tokens of services.
    Secret {
        class: "stripe_test_key",
        about: "A test key of Stripe.",
        tier: Warn,
        seek: Seek::Literal(&["sk_test_", "rk_test_", "sk_prod_", "rk_prod_"], 0),
        shape: Shape::Regex(r"[sr]k_(?:test|prod)_[A-Za-z0-9]{10,99}"),
        ..ROW
    },
    Secret {
        class: "stripe_webhook",
        about: "A signing secret of Stripe's webhooks.",
        seek: Seek::Literal(&["whsec_"], 0),
        shape: Shape::Regex(r"whsec_[A-Za-z0-9+/]{32,}=?"),
        ..ROW
    },
    Secret {
        class: "slack_app_token",
        about: "An app-level token of Slack.",
        seek: Seek::Literal(&["xapp-"], 0),
        shape: Shape::Regex(r"xapp-[0-9]-[A-Z0-9]{8,14}-[0-9]{10,14}-[a-z0-9]{32,80}"),
        ..ROW
    },
    Secret {
        class: "slack_session",
        about: "A session, configuration or refresh token of Slack.",
        seek: Seek::Literal(&["xoxc-", "xoxd-", "xoxo-", "xoxe-", "xoxe."], 0),
        shape: Shape::Regex(r"xox(?:[cdo]-|e-|e\.xox[bp]-)[A-Za-z0-9%-]{30,}"),
        ..ROW
    },
    Secret {
        class: "slack_webhook",
        about: "An address that lets anybody post to a channel of Slack.",
        seek: Seek::Literal(&["hooks.slack.com/"], 0),
        shape: Shape::Regex(r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_+-]{30,90}"),
        ..ROW
    },
    Secret {
        class: "aws_temporary_key",
        about: "The id of a temporary or service key of AWS.",
        seek: Seek::Literal(&["ASIA", "ABIA", "ACCA", "A3T"], 0),
        shape: Shape::Regex(r"(?:ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z2-7]{16}"),
        ..ROW
    },
    Secret {
        class: "aws_secret_key",
        about: "The secret half of an access key of AWS, after its name.",
        seek: Seek::Word(&["aws_secret", "secretaccesskey", "secret_access_key", "aws-secret"]),
        shape: Shape::Read(assigned),
        check: vendor::aws_secret_key,
        ..ROW
    },
    Secret {
        class: "aws_bedrock_key",
        about: "A key of AWS Bedrock.",
        seek: Seek::Literal(&["ABSK"], 0),
        shape: Shape::Regex(r"ABSK[A-Za-z0-9+/]{100,280}={0,2}"),
        ..ROW
    },
    Secret {
        class: "gitlab_token",
        about: "A personal, deploy, runner, trigger or agent token of GitLab.",
        seek: Seek::Literal(
            &["glpat-", "gldt-", "glrt-", "glptt-", "glagent-", "glsoat-", "glcbt-", "glffct-", "glimt-"],
            0,
        ),
        shape: Shape::Regex(
            r"gl(?:pat|dt|rt|ptt|agent|soat|cbt|ffct|imt)-(?:[A-Za-z0-9_-]{8,300}\.[0-9a-z]{2}\.[0-9A-Za-z]{7,12}|[A-Za-z0-9_-]{20,300}(?:\.[0-9a-z]{2}\.?[0-9a-z]{7})?)",
        ),
        ..ROW
    },
    Secret {
        class: "huggingface_token",
        about: "A token of Hugging Face.",
        seek: Seek::Literal(&["hf_", "api_org_"], 0),
        shape: Shape::Regex(r"(?:hf|api_org)_[A-Za-z0-9]{34}"),
        ..ROW
    },
    Secret {
        class: "groq_key",
        about: "A key of the Groq API.",
        seek: Seek::Literal(&["gsk_"], 0),
        shape: Shape::Regex(r"gsk_[A-Za-z0-9]{52}"),
        ..ROW
    },
    Secret {
        class: "xai_key",
        about: "A key of the xAI API.",
        seek: Seek::Literal(&["xai-"], 0),
        shape: Shape::Regex(r"xai-[A-Za-z0-9]{80}"),
        ..ROW
    },
    Secret {
        class: "perplexity_key",
        about: "A key of the Perplexity API.",
        seek: Seek::Literal(&["pplx-"], 0),
        shape: Shape::Regex(r"pplx-[A-Za-z0-9]{48}"),
        ..ROW
    },
    Secret {
        class: "openrouter_key",
        about: "A key of OpenRouter.",
        seek: Seek::Literal(&["sk-or-v1-"], 0),
        shape: Shape::Regex(r"sk-or-v1-[0-9a-f]{64}"),
        ..ROW
    },
    Secret {
        class: "deepseek_key",
        about: "A key of DeepSeek, and of others who write it in hex.",
        seek: Seek::Literal(&["sk-"], 0),
        shape: Shape::Regex(r"sk-[0-9a-f]{32}"),
        ..ROW
    },
    Secret {
        class: "replicate_token",
        about: "A token of Replicate.",
        seek: Seek::Literal(&["r8_"], 0),
        shape: Shape::Regex(r"r8_[A-Za-z0-9]{37}"),
        ..ROW
    },
    Secret {
        class: "npm_token",
        about: "A token of npm; it carries a CRC-32.",
        unsure: Some(Doubt),
        seek: Seek::Literal(&["npm_"], 0),
        shape: Shape::Regex(r"npm_[A-Za-z0-9]{36}"),
        check: vendor::crc_of_four,
        ..ROW
    },
    Secret {
        class: "pypi_token",
        about: "An upload token of PyPI.",
        seek: Seek::Literal(&["pypi-AgEIcHlwaS5vcmc"], 0),
        shape: Shape::Regex(r"pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,1000}"),
        ..ROW
    },
    Secret {
        class: "crates_token",
        about: "A token of crates.io.",
        seek: Seek::Token(|text, at| at.len() == 35 && text[at.clone()].starts_with("cio")),
        shape: Shape::Read(coin::token),
        check: made_up,
        ..ROW
    },
    Secret {
        class: "rubygems_key",
        about: "A key of RubyGems.",
        seek: Seek::Literal(&["rubygems_"], 0),
        shape: Shape::Regex(r"rubygems_[0-9a-f]{48}"),
        ..ROW
    },
    Secret {
        class: "docker_pat",
        about: "A token of Docker Hub.",
        seek: Seek::Literal(&["dckr_pat_", "dckr_oat_"], 0),
        shape: Shape::Regex(r"dckr_[po]at_[A-Za-z0-9_-]{27,32}"),
        ..ROW
    },
    Secret {
        class: "digitalocean_token",
        about: "A token of DigitalOcean.",
        seek: Seek::Literal(&["dop_v1_", "doo_v1_", "dor_v1_"], 0),
        shape: Shape::Regex(r"do[opr]_v1_[0-9a-f]{64}"),
        ..ROW
    },
    Secret {
        class: "cloudflare_origin_key",
        about: "An origin certificate key of Cloudflare.",
        seek: Seek::Literal(&["v1.0-"], 0),
        shape: Shape::Regex(r"v1\.0-[0-9a-f]{24}-[0-9a-f]{146}"),
        ..ROW
    },
    Secret {
        class: "cloudflare_token",
        about: "A token of Cloudflare, after its name.",
        seek: Seek::Word(&["cloudflare", "cf_api"]),
        shape: Shape::Read(assigned),
        check: vendor::cloudflare,
        ..ROW
    },
    Secret {
        class: "fly_token",
        about: "A token of Fly.io.",
        seek: Seek::Literal(&["fo1_", "fm1a_", "fm1r_", "fm2_"], 0),
        shape: Shape::Regex(
            r"(?:fo1_[A-Za-z0-9_-]{43}|fm1[ar]_[A-Za-z0-9+/]{100,}={0,3}|fm2_[A-Za-z0-9+/]{100,}={0,3})",
        ),
        ..ROW
    },
    Secret {
        class: "heroku_key",
        about: "A key of Heroku.",
        seek: Seek::Literal(&["HRKU-AA"], 0),
        shape: Shape::Regex(r"HRKU-AA[A-Za-z0-9_-]{58}"),
        ..ROW
    },
    Secret {
        class: "vault_token",
        about: "A token of HashiCorp Vault.",
        seek: Seek::Literal(&["hvs.", "hvb.", "hvr."], 0),
        shape: Shape::Regex(r"hv[sbr]\.[A-Za-z0-9_-]{90,300}"),
        ..ROW
    },
    Secret {
        class: "terraform_token",
        about: "A token of Terraform Cloud.",
        seek: Seek::Token(|text, at| at.len() == 14 && after(text, at).starts_with(".atlasv1.")),
        shape: Shape::Regex(r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}"),
        ..ROW
    },
    Secret {
        class: "doppler_token",
        about: "A token of Doppler.",
        seek: Seek::Literal(&["dp.pt.", "dp.st.", "dp.ct.", "dp.sa."], 0),
        shape: Shape::Regex(r"dp\.(?:pt|ct|sa|st(?:\.[a-z0-9_-]{2,35})?)\.[A-Za-z0-9]{40,44}"),
        ..ROW
    },
    Secret {
        class: "onepassword_key",
        about: "A secret key of 1Password.",
        seek: Seek::Literal(&["A3-"], 0),
        shape: Shape::Regex(
            r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}",
        ),
        ..ROW
    },
    Secret {
        class: "onepassword_service_token",
        about: "A service account token of 1Password.",
        seek: Seek::Literal(&["ops_eyJ"], 0),
        shape: Shape::Regex(r"ops_eyJ[A-Za-z0-9+/]{250,}={0,3}"),
        ..ROW
    },
    Secret {
        class: "azure_client_secret",
        about: "A client secret of Microsoft Entra.",
        seek: Seek::Literal(&["Q~"], 4),
        shape: Shape::Regex(r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}"),
        ..ROW
    },
    Secret {
        class: "azure_storage_key",
        about: "The key of a storage account of Azure.",
        seek: Seek::Literal(&["AccountKey="], 0),
        shape: Shape::Regex(r"AccountKey=([A-Za-z0-9+/]{86}==)"),
        ..ROW
    },
    Secret {
        class: "azure_sas",
        about: "The signature of a shared access link of Azure.",
        seek: Seek::Literal(&["sig="], 0),
        shape: Shape::Regex(r"sig=([A-Za-z0-9%+/]{43,62}(?:%3D|%3d|=))"),
        ..ROW
    },
    Secret {
        class: "google_oauth_secret",
        about: "A client secret of Google OAuth.",
        seek: Seek::Literal(&["GOCSPX-"], 0),
        shape: Shape::Regex(r"GOCSPX-[A-Za-z0-9_-]{28}"),
        ..ROW
    },
    Secret {
        class: "google_oauth_token",
        about: "An access token of Google OAuth.",
        seek: Seek::Literal(&["ya29."], 0),
        shape: Shape::Regex(r"ya29\.[A-Za-z0-9_-]{20,500}"),
        ..ROW
    },
    Secret {
        class: "shopify_token",
        about: "A token or shared secret of Shopify.",
        seek: Seek::Literal(&["shpat_", "shpca_", "shppa_", "shpss_"], 0),
        shape: Shape::Regex(r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
        ..ROW
    },
    Secret {
        class: "square_token",
        about: "A token of Square.",
        seek: Seek::Literal(&["sq0atp-", "sq0csp-", "EAAA"], 0),
        shape: Shape::Regex(r"(?:sq0atp-[A-Za-z0-9_-]{22}|sq0csp-[A-Za-z0-9_-]{43}|EAAA[A-Za-z0-9_-]{60})"),
        ..ROW
    },
    Secret {
        class: "sendgrid_key",
        about: "A key of SendGrid.",
        seek: Seek::Literal(&["SG."], 0),
        shape: Shape::Regex(r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}"),
        ..ROW
    },
    Secret {
        class: "mailgun_key",
        about: "A key of Mailgun; lower confidence away from its name.",
        unsure: Some(Doubt),
        seek: Seek::Literal(&["key-"], 0),
        near: Near::Helps(&["mailgun"]),
        shape: Shape::Regex(r"key-[0-9a-f]{32}"),
        check: |found| if found.near { varied(found) } else { doubted_where_varied(found) },
        ..ROW
    },
    Secret {
        class: "mailgun_signing_key",
        about: "A key of Mailgun in three groups of hex, near its name.",
        tier: Doubt,
        seek: Seek::Token(|text, at| {
            at.len() == 8 && lower_hex(&text[at.clone()]) && after(text, at).starts_with('-')
        }),
        near: Near::Needs(&["mailgun"]),
        shape: Shape::Regex(r"[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}"),
        ..ROW
    },
    Secret {
        class: "aiven_password",
        about: "A password that Aiven made.",
        seek: Seek::Literal(&["AVNS_"], 0),
        shape: Shape::Regex(r"AVNS_[A-Za-z0-9_-]{15,64}"),
        ..ROW
    },
    Secret {
        class: "asana_token",
        about: "A token of Asana; lower confidence for the short form away from its name.",
        unsure: Some(Doubt),
        seek: Seek::Token(|text, at| {
            at.len() == 32
                && lower_hex(&text[at.clone()])
                && (before(text, at).ends_with("0/") || before(text, at).ends_with(':'))
        }),
        near: Near::Helps(&["asana"]),
        shape: Shape::Read(coin::token),
        check: vendor::asana,
        ..ROW
    },
    Secret {
        class: "token_in_url",
        about: "A token that an address carries behind `access_token=` or the like.",
        tier: Doubt,
        seek: Seek::Literal(&["access_token=", "refresh_token=", "id_token="], 1),
        shape: Shape::Regex(r"[#?&](?:access|refresh|id)_token=([A-Za-z0-9._~+/%=-]{8,2000})"),
        check: vendor::of_url,
        ..ROW
    },
    Secret {
        class: "twilio_key",
        about: "A key of Twilio.",
        seek: Seek::Token(|text, at| {
            at.len() == 34 && text[at.clone()].starts_with("SK") && lower_hex(&text[at.start + 2..at.end])
        }),
        shape: Shape::Read(coin::token),
        check: made_up,
        ..ROW
    },
    Secret {
        class: "telegram_bot_token",
        about: "A token of a Telegram bot.",
        seek: Seek::Token(|text, at| {
            (8..=10).contains(&at.len()) && digits(text, at) && after(text, at).starts_with(":AA")
        }),
        shape: Shape::Regex(r"[0-9]{8,10}:AA[A-Za-z0-9_-]{33}"),
        ..ROW
    },
    Secret {
        class: "discord_bot_token",
        about: "A token of a Discord bot.",
        seek: Seek::Token(|text, at| at.len() >= 12 && starts(text, at, b"MNO")),
        shape: Shape::Regex(r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,40}"),
        check: vendor::discord_bot,
        ..ROW
    },
    Secret {
        class: "discord_webhook",
        about: "An address that lets anybody post to a channel of Discord.",
        seek: Seek::Literal(&["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"], 0),
        shape: Shape::Regex(r"discord(?:app)?\.com/api/webhooks/[0-9]{17,20}/[A-Za-z0-9_-]{60,80}"),
        ..ROW
    },
    Secret {
        class: "notion_token",
        about: "A token of Notion.",
        seek: Seek::Literal(&["ntn_", "secret_"], 0),
        shape: Shape::Regex(r"(?:ntn_[A-Za-z0-9]{46}|secret_[A-Za-z0-9]{43})"),
        ..ROW
    },
    Secret {
        class: "linear_key",
        about: "A key of Linear.",
        seek: Seek::Literal(&["lin_api_", "lin_oauth_"], 0),
        shape: Shape::Regex(r"(?:lin_api_[A-Za-z0-9]{40}|lin_oauth_[0-9a-f]{64})"),
        ..ROW
    },
    Secret {
        class: "grafana_token",
        about: "A service account or cloud token of Grafana.",
        seek: Seek::Literal(&["glsa_", "glc_"], 0),
        shape: Shape::Regex(r"(?:glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|glc_[A-Za-z0-9+/]{32,400}={0,3})"),
        ..ROW
    },
    Secret {
        class: "databricks_token",
        about: "A token of Databricks.",
        seek: Seek::Literal(&["dapi"], 0),
        shape: Shape::Regex(r"dapi[0-9a-f]{32}(?:-[0-9])?"),
        ..ROW
    },
    Secret {
        class: "sentry_token",
        about: "A token of Sentry.",
        seek: Seek::Literal(&["sntrys_", "sntryu_"], 0),
        shape: Shape::Regex(
            r"(?:sntryu_[0-9a-f]{64}|sntrys_eyJ[A-Za-z0-9+/_-]{40,400}={0,2}(?:_[A-Za-z0-9+/]{43})?)",
        ),
        ..ROW
    },
    Secret {
        class: "newrelic_key",
        about: "A user key of New Relic.",
        seek: Seek::Literal(&["NRAK-"], 0),
        shape: Shape::Regex(r"NRAK-[A-Z0-9]{27}"),
        ..ROW
    },
    Secret {
        class: "planetscale_token",
        about: "A token or password of PlanetScale.",
        seek: Seek::Literal(&["pscale_"], 0),
        shape: Shape::Regex(r"pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_.=-]{32,64}"),
        ..ROW
    },
    Secret {
        class: "supabase_key",
        about: "An access token or secret key of Supabase.",
        seek: Seek::Literal(&["sbp_", "sb_secret_"], 0),
        shape: Shape::Regex(r"(?:sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{20,60})"),
        ..ROW
    },
    Secret {
        class: "tailscale_key",
        about: "A key of Tailscale.",
        seek: Seek::Literal(&["tskey-"], 0),
        shape: Shape::Regex(r"tskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9]{8,24}-[A-Za-z0-9]{20,50}"),
        ..ROW
    },
    Secret {
        class: "wireguard_key",
        about: "A private key of WireGuard, after its name.",
        seek: Seek::Word(&["privatekey"]),
        shape: Shape::Read(assigned),
        check: vendor::wireguard,
        ..ROW
    },
    Secret {
        class: "inwit_token",
        about: "A token of inwit's own interfaces; it carries a CRC-32.",
        seek: Seek::Literal(&["mem_"], 0),
        shape: Shape::Regex(r"mem_[A-Za-z0-9]{36}"),
        check: vendor::crc_of_four,
        ..ROW
    },
    Secret {
        class: "google_service_account",
        about: "The key file of a service account of Google.",
        seek: Seek::Literal(&["service_account"], 0),
        shape: Shape::Regex(r#"service_account"[\x00-\x7f]{0,400}?"private_key"\s{0,4}:\s{0,4}"-----BEGIN"#),
        check: shape_is_enough,
        ..ROW
    },
    Secret {
        class: "putty_key",
        about: "A private key file of PuTTY.",
        seek: Seek::Literal(&["PuTTY-User-Key-File-"], 0),
        shape: Shape::Read(vendor::putty),
        check: shape_is_enough,
        ..ROW
    },
    Secret {
        class: "ssh2_private_key",
        about: "A private key of the SSH2 form.",
        seek: Seek::Literal(&["---- BEGIN SSH2 ENCRYPTED PRIVATE KEY"], 0),
        shape: Shape::Regex(
            r"---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----[\x00-,.-\x7f]*(?:---- END SSH2 ENCRYPTED PRIVATE KEY ----)?",
        ),
        check: shape_is_enough,
        ..ROW
    },
    Secret {
        class: "jwt",
        about: "A signed JSON web token whose header names its algorithm.",
        transcript: Some("bearer_jwt"),
        seek: Seek::Literal(&["eyJ"], 0),
        shape: Shape::Regex(r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
        unsure: Some(Doubt),
        check: vendor::jwt,
        ..ROW
    },
    Secret {
        class: "url_password",
        about: "A password inside an address.",
        seek: Seek::Literal(&["://", "@tcp(", "@unix("], 0),
        shape: Shape::Read(address::password),
        unsure: Some(Doubt),
        check: vendor::password,
        ..ROW
    },
    Secret {
        class: "authorization_header",
        about: "Credentials in a header of HTTP.",
        seek: Seek::Word(&["authorization"]),
        shape: Shape::Regex(
            r#"(?i:authorization)["']{0,2}\s{0,4}[:=]\s{0,4}["']{0,2}(?i:bearer|basic|token)\s{1,4}(?:\\\s{1,8})?([A-Za-z0-9._~+/-]{16,}={0,2})"#,
        ),
        check: vendor::header,
        ..ROW
    },
    Secret {
        class: "netrc_password",
        about: "A password in a `.netrc` line.",
        seek: Seek::Literal(&["machine "], 0),
        shape: Shape::Regex(
            r"machine\s{1,4}[A-Za-z0-9.-]{1,100}\s{1,8}login\s{1,4}[!-~]{1,100}\s{1,8}password\s{1,4}([!-~]{4,200})",
        ),
        unsure: Some(Doubt),
        check: vendor::password,
        ..ROW
    },
    Secret {
        class: "postgres_password",
        about: "A password for PostgreSQL in the environment.",
        seek: Seek::Word(&["PGPASSWORD"]),
        shape: Shape::Read(assigned),
        unsure: Some(Doubt),
        check: vendor::password,
        ..ROW
    },
    Secret {
        class: "otp_secret",
        about: "The secret of a one-time password.",
        seek: Seek::Literal(&["otpauth://"], 0),
        shape: Shape::Regex(r"otpauth://[ht]otp/[!-~]{0,200}?[?&](?i:secret)=([A-Za-z2-7]{16,128})"),
        ..ROW
    },
    Secret {
        class: "session_cookie",
        about: "A cookie in a header of HTTP.",
        tier: Doubt,
        seek: Seek::Word(&["cookie:", "cookie\":", "cookie\","]),
        shape: Shape::Regex(
            r#"(?:(?i:set-cookie|cookie)["']?\s{0,2}(?:,\s{0,8}["']value["']\s{0,2})?:\s{0,4}["']?[!-:<-~]{1,64}=([!-:<-~]{16,400}))"#,
        ),
        check: vendor::header,
        ..ROW
    },
    Secret {
        class: "generic_secret",
        about: "A value that looks drawn or chosen, named by a label such as `DB_PASSWORD`, `App Secret` or `密码`.",
        tier: Doubt,
        seek: Seek::All(label::find),
        check: shape_is_enough,
        ..ROW
    },
    Secret {
        class: "command_password",
        about: "A password on a command line, such as `curl -u` or `mysql -p`.",
        tier: Doubt,
        seek: Seek::All(command::find),
        check: shape_is_enough,
        ..ROW
    },
    Secret {
        class: "aws_secret_beside_id",
        about: "A token beside the id of an access key of AWS, Alibaba or Tencent whose secret is as long.",
        tier: Doubt,
        seek: Seek::Literal(&["AKIA", "ASIA", "LTAI", "AKID"], 0),
        shape: Shape::Read(vendor::secret_beside),
        check: shape_is_enough,
        ..ROW
    },
    Secret {
        class: "model_service_key",
        about: "A key of a service of language models or of search for them, by its prefix.",
        seek: Seek::Literal(
            &[
                "sk-cp-", "sk-sp-", "sk-lf-", "sk_", "tvly-", "fc-", "nvapi-", "BSA", "AQ.Ab8", "jina_",
                "lsv2_", "csk-", "fw_", "rpa_", "pa-", "tgp_v1_", "aimlapi-", "sk-ant-sid",
            ],
            0,
        ),
        shape: Shape::Regex(
            r"(?:sk-(?:cp|sp|lf)-[A-Za-z0-9_-]{20,}|sk_[0-9a-f]{48}|tvly-(?:dev-|prod-)?[A-Za-z0-9_-]{20,}|fc-[0-9a-f]{32}|nvapi-[A-Za-z0-9_-]{40,}|BSA[A-Za-z0-9_-]{24,32}|AQ\.Ab8[A-Za-z0-9_-]{30,}|jina_[A-Za-z0-9_-]{40,}|lsv2_(?:pt|sk)_[A-Za-z0-9_]{32,}|csk-[a-z0-9]{40,}|fw_[A-Za-z0-9]{22,}|rpa_[A-Za-z0-9]{40,}|pa-[A-Za-z0-9_-]{40,}|tgp_v1_[A-Za-z0-9_-]{40,})",
        ),
        ..ROW
    },
    Secret {
        class: "platform_token",
        about: "A token of a service for teams, code or hosting, by its prefix.",
        seek: Seek::Literal(
            &[
                "ATATT3", "ATCTT3", "figd_", "figu_", "phx_", "bkua_", "nfp_", "dt0c01.", "dt0s16.", "PMAK-",
                "pul-", "waka_", "eyJhIjoi", "rnd_", "vercel_", "CCIPAT_", "circleci-", "npg_", "sbp_",
                "glpat-", "ghr_", "pat-na1-", "pat-eu1-", "AKCp", "cfat_", "ntn_", "xkeysib-", "xsmtpsib-",
                "re_", "shippo_live_", "EZAK", "rzp_live_", "sk.eyJ", "hvs.", "ldapi-", "api-", "sdk-",
                "LTAI", "SEC",
            ],
            0,
        ),
        shape: Shape::Regex(
            r"(?:AT[AC]TT3[A-Za-z0-9_=-]{80,}|fig[du]_[A-Za-z0-9_-]{36,}|phx_[A-Za-z0-9]{40,}|bkua_[0-9a-f]{40}|nfp_[A-Za-z0-9]{30,}|dt0[cs][0-9]{2}\.[A-Z2-7]{24}\.[A-Z2-7]{64}|PMAK-[0-9a-f]{24}-[0-9a-f]{34}|pul-[0-9a-f]{40}|waka_[0-9a-f-]{36}|rnd_[A-Za-z0-9]{28,}|CCIPAT_[A-Za-z0-9]{20,}_[0-9a-f]{40}|npg_[A-Za-z0-9]{12,}|glpat-[A-Za-z0-9_-]{20,300}\.[0-9a-z]{2}\.[0-9a-z]{7,9}|ghr_[A-Za-z0-9]{36,76}|pat-(?:na|eu)1-[0-9a-f-]{36}|AKCp[A-Za-z0-9]{60,}|xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}|xsmtpsib-[0-9a-f]{64}-[A-Za-z0-9]{16}|re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}|shippo_live_[0-9a-f]{40}|EZAK[0-9a-f]{32}[A-Za-z0-9]{20,}|rzp_live_[A-Za-z0-9]{14,}|sk\.eyJ[A-Za-z0-9_-]{40,}\.[A-Za-z0-9_-]{20,}|hvs\.[A-Za-z0-9_-]{24,}|SEC[0-9a-f]{64}|eyJhIjoi[A-Za-z0-9+/]{100,}={0,2})",
        ),
        ..ROW
    },
    Secret {
        class: "vendor_token",
        about: "A token of a service for code, chat, clouds or payment, by a unique prefix.",
        seek: Seek::Literal(
            &[
                "gloas-", "glft-", "GR1348941", "ATTA", "AKLT", "snyk_uat.", "sha256~", "wk-1.", "oauth:",
                "secret-live-", "sk-helicone-", "access_token$production$", "WPL_AP1.", "PVEAPIToken=",
                "xaat-", "HRKU-", "IGAA", "LLM|", "st.", "K005",
            ],
            0,
        ),
        shape: Shape::Regex(
            r"(?:gloas-[0-9a-f]{64}|glft-[A-Za-z0-9_-]{20,}|GR1348941[A-Za-z0-9_-]{20,}|ATTA[0-9a-f]{64,80}|AKLT[A-Za-z0-9]{40,80}|snyk_uat\.[0-9a-f]{8}\.[A-Za-z0-9_.-]{40,300}|sha256~[A-Za-z0-9_-]{43}|wk-1\.[0-9a-f]{64}|oauth:[a-z0-9]{30}|secret-live-[A-Za-z0-9_=-]{30,60}|sk-helicone-[a-z0-9-]{31}|access_token\$production\$[a-z0-9]{16}\$[0-9a-f]{32}|WPL_AP1\.[A-Za-z0-9]{16}\.[A-Za-z0-9+/=]{8}|PVEAPIToken=[A-Za-z0-9_.-]{1,40}@[a-z]{1,10}![A-Za-z0-9_.-]{1,40}=[0-9a-f-]{36}|st\.[0-9a-f]{24}\.[0-9a-f]{32}\.[0-9a-f]{32}|K005[A-Za-z0-9+/]{27}|(?:xaat|HRKU)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|IGAA[A-Za-z0-9]{60,300}|LLM\|[0-9]{13,17}\|[A-Za-z0-9_-]{20,40})",
        ),
        ..ROW
    },
    Secret {
        class: "azure_service_key",
        about: "A key of Azure DevOps or of Azure's services of models, by the mark in its middle.",
        seek: Seek::Literal(&["JQQJ99"], 52),
        shape: Shape::Regex(r"[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}"),
        ..ROW
    },
    Secret {
        class: "newrelic_license_key",
        about: "A license key of New Relic, by its end.",
        seek: Seek::Literal(&["FFFFNRAL"], 32),
        shape: Shape::Regex(r"[0-9a-f]{32}FFFFNRAL"),
        ..ROW
    },
    Secret {
        class: "key_body",
        about: "The lines of a private key of OpenSSH or in DER, without the lines around them.",
        seek: Seek::Literal(
            &[
                "b3BlbnNzaC1rZXktdjE", "MIIEpAIBAAKCAQEA", "MIIEpQIBAAKCAQEA", "MIIEowIBAAKCAQEA",
                "MIIEogIBAAKCAQEA", "MIIJKAIBAAKCAgEA", "MIIJKQIBAAKCAgEA", "MIIJJwIBAAKCAgEA",
                "MIIJJgIBAAKCAgEA", "MIIEvQIBADANBgkq", "MIIEvgIBADANBgkq", "MIIEvAIBADANBgkq",
                "MIIJQgIBADANBgkq", "MIIJQwIBADANBgkq", "MIIJQQIBADANBgkq", "MC4CAQAwBQYDK2Vw",
                "MIGHAgEAMBMGByqG", "MHcCAQEEI",
            ],
            0,
        ),
        shape: Shape::Read(vendor::key_body),
        ..ROW
    },
    Secret {
        class: "google_refresh_token",
        about: "A refresh token of Google OAuth.",
        seek: Seek::Literal(&["1//0"], 0),
        shape: Shape::Regex(r"1//0[A-Za-z0-9_-]{30,200}"),
        ..ROW
    },
    Secret {
        class: "telegram_bot_url",
        about: "A token of a Telegram bot in an address.",
        seek: Seek::Literal(&["bot"], 0),
        shape: Shape::Regex(r"bot([0-9]{8,10}:[A-Za-z0-9_-]{35})"),
        ..ROW
    },
    Secret {
        class: "mailgun_private_key",
        about: "A private key of Mailgun in its present form.",
        seek: Seek::Token(|text, at| {
            at.len() == 32 && lower_hex(&text[at.clone()]) && after(text, at).starts_with('-')
        }),
        shape: Shape::Regex(r"[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}"),
        ..ROW
    },
    Secret {
        class: "azure_devops_pat",
        about: "A token of Azure DevOps, near its name.",
        tier: Doubt,
        seek: Seek::Token(|_, at| matches!(at.len(), 52 | 84)),
        near: Near::Needs(&["devops", "azdo", "dev.azure.com", "visualstudio.com"]),
        shape: Shape::Read(coin::token),
        check: made_up,
        ..ROW
    },
    Secret {
        class: "url_parameter",
        about: "A token or signature among the parameters of an address.",
        tier: Doubt,
        seek: Seek::Literal(&["?sig=", "&sig=", "&key=", "?key=", "Plex-Token="], 0),
        shape: Shape::Regex(r"(?:[?&](?:sig|key)|Plex-Token)=([A-Za-z0-9%_-]{18,})"),
        check: vendor::header,
        ..ROW
    },
    Secret {
        class: "url_credential",
        about: "A value among the parameters of an address that its name says to be a credential.",
        tier: Doubt,
        seek: Seek::Literal(
            &[
                "?code=", "&code=", "?auth=", "&auth=", "#auth=", "appid=", "Signature=", "X-Amz-Signature=",
                "X-Goog-Signature=", "?data=", "&hmac=", "?ticket=", "&ticket=", "session=", "?sid=",
                "&sid=",
            ],
            0,
        ),
        shape: Shape::Regex(
            r"[?&#]?(?:code|auth|appid|(?:X-(?:Amz|Goog)-)?Signature|data|hmac|ticket|session|sid)=((?:[A-Za-z0-9._~+/-]|%2[BFbf]|%3[Dd]){16,}={0,2})",
        ),
        check: address::parameter,
        ..ROW
    },
    Secret {
        class: "url_user_token",
        about: "A token, an id or a password alone before the host of an address.",
        tier: Doubt,
        seek: Seek::Literal(&["://"], 0),
        shape: Shape::Regex(r"://([A-Za-z0-9_.~%+!=-]{10,200})@[A-Za-z0-9\[]"),
        check: address::user,
        ..ROW
    },
    Secret {
        class: "proxy_link",
        about: "A link that holds the settings of a proxy, its password included.",
        tier: Doubt,
        seek: Seek::Literal(&["vmess://", "ss://", "ssr://"], 0),
        shape: Shape::Regex(r"(?:vmess|ssr?)://([A-Za-z0-9+/_-]{20,}={0,2})"),
        ..ROW
    },
    Secret {
        class: "address_with_key",
        about: "An address that works as a credential: a webhook, a node of a ledger, a private calendar.",
        tier: Doubt,
        seek: Seek::Literal(
            &[
                "/hook/", "/hooks/", "/webhook/", "/webhooks/", "/webhookb2/", "/key/", "/token/",
                "/secret/", "/reset/", "/magic/", "/invite/", "/v2/", "/v3/", "/private-",
                "IncomingWebhook/", ".make.com/", "api.day.app/", "quiknode.pro/", "ftqq.com/",
                "hc-ping.com/", "/share/", "/reset-password/", "/password-reset/",
            ],
            0,
        ),
        shape: Shape::Regex(r"(?:/private-|[A-Za-z0-9./-]{1,24}?/)([A-Za-z0-9_-]{20,})"),
        check: address::path,
        ..ROW
    },
    Secret {
        class: "zapier_webhook",
        about: "An address that starts a Zap.",
        tier: Doubt,
        seek: Seek::Literal(&["hooks.zapier.com/"], 0),
        shape: Shape::Regex(r"hooks\.zapier\.com/hooks/catch/[0-9]{5,10}/([a-z0-9]{6,12})"),
        check: shape_is_enough,
        ..ROW
    },
    Secret {
        class: "wifi_code",
        about: "The password of a wireless network in the text of its QR code.",
        tier: Doubt,
        seek: Seek::Literal(&["WIFI:"], 0),
        shape: Shape::Regex(r"WIFI:(?:[A-OQ-Z]:[ -:<-~]{0,64};){0,4}P:((?:\\[!-~]|[!-:<-\[\]-~]){4,64})"),
        check: vendor::not_a_gap,
        ..ROW
    },
    Secret {
        class: "otp_export",
        about: "The secrets of one-time passwords as an authenticator exports them.",
        seek: Seek::Literal(&["otpauth-migration://"], 0),
        shape: Shape::Regex(r"otpauth-migration://offline\?data=([A-Za-z0-9%+/_-]{20,}={0,2})"),
        ..ROW
    },
    Secret {
        class: "mail_password",
        about: "A password beside a mail address.",
        tier: Doubt,
        seek: Seek::Word(&["@"]),
        shape: Shape::Read(beside::mail),
        check: shape_is_enough,
        ..ROW
    },
    Secret {
        class: "name_and_password",
        about: "A password behind a name and a slash.",
        tier: Doubt,
        seek: Seek::Word(&[" / "]),
        shape: Shape::Read(beside::slash),
        check: shape_is_enough,
        ..ROW
    },
    Secret {
        class: "pgpass_password",
        about: "A password in a line of `.pgpass`.",
        tier: Doubt,
        seek: Seek::Literal(&[":5432:", ":5433:", ":6432:", ":*:"], 0),
        shape: Shape::Regex(
            r":(?:[0-9]{4,5}|\*):[A-Za-z0-9_*-]{1,64}:[A-Za-z0-9_.*-]{1,64}:([!-9;-~]{8,100})",
        ),
        check: vendor::password,
        ..ROW
    },
    Secret {
        class: "password_hash",
        about: "A hash of a password as systems store it, which can be guessed offline.",
        tier: Doubt,
        seek: Seek::Literal(
            &[
                "$1$", "$5$", "$6$", "$y$", "$2a$", "$2b$", "$2y$", "$apr1$", "$argon2", "{SSHA}",
                "pbkdf2_sha256$",
            ],
            0,
        ),
        shape: Shape::Regex(
            r"(?:\$(?:1|apr1)\$[./A-Za-z0-9]{2,8}\$[./A-Za-z0-9]{22}|\$[56]\$(?:rounds=[0-9]{1,9}\$)?[./A-Za-z0-9]{2,16}\$[./A-Za-z0-9]{43,86}|\$y\$[./A-Za-z0-9$]{40,}|\$2[aby]\$[0-9]{2}\$[./A-Za-z0-9]{53}|\$argon2(?:id|i|d)\$v=[0-9]{1,3}\$[a-z0-9=,]{5,40}\$[A-Za-z0-9+/]{8,}\$[A-Za-z0-9+/]{20,}|\{SSHA\}[A-Za-z0-9+/]{20,}={0,2}|pbkdf2_sha256\$[0-9]{1,9}\$[A-Za-z0-9]{4,}\$[A-Za-z0-9+/]{43}=)",
        ),
        check: vendor::hash,
        ..ROW
    },
    Secret {
        class: "jwk_private",
        about: "The private part of a JSON web key.",
        seek: Seek::Literal(&["\"kty\""], 0),
        shape: Shape::Read(vendor::private_part_of_jwk),
        ..ROW
    },
    Secret {
        class: "service_token",
        about: "A token of a service in a form of its own, other than a prefix with a drawn body.",
        tier: Doubt,
        seek: Seek::Literal(
            &[
                "bce-v3/", "amzn.mws.", "access-production-", "access-sandbox-", "AQE", "EAA",
                "AAAAAAAAAAAAAAAAAAAAA", "sl.", "sdk-", "AKID", "t1.9eu", "FLWSECK", "PRD-", "SWMTKN-1-",
                "eyJrIjoi", "dG9rO", "oy2", "cmVmdGtu", "00D", "K10", "APA91b", "ATBB", "pk_", "ptr_",
                "LS0tLS1CRUdJTiB",
            ],
            0,
        ),
        shape: Shape::Regex(
            r"(?:bce-v3/ALTAK-[A-Za-z0-9]{16,}/[0-9a-f]{40}|(?:amzn\.mws\.|access-(?:production|sandbox)-)[0-9a-f-]{36}|AQE[A-Za-z0-9+/_-]{40,300}={0,2}-[!-~]{20,}|EAA[A-Za-z0-9]{80,}|A{21}[A-Za-z0-9]{8,}%[23][A-Za-z0-9%]{40,}|sl\.(?:u\.)?[A-Za-z0-9_-]{80,}|sdk-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|AKID[A-Za-z0-9]{32}|t1\.[A-Za-z0-9_-]{60,}\.[A-Za-z0-9_-]{60,}|FLWSECK(?:_TEST)?-[0-9a-f]{12,}-X|PRD-[0-9a-f]{12}-[0-9a-f-]{19}|SWMTKN-1-[a-z0-9]{40,}-[a-z0-9]{20,}|eyJrIjoi[A-Za-z0-9+/]{40,}={0,2}|dG9rO[A-Za-z0-9+/]{40,}={0,2}|oy2[a-z0-9]{43}|cmVmdGtu[A-Za-z0-9]{50,}|00D[A-Za-z0-9]{12,15}![A-Za-z0-9._]{60,}|K10[0-9a-f]{64}::[a-z-]{1,20}:[0-9a-f]{32}|APA91b[A-Za-z0-9_-]{100,}|ATBB[A-Za-z0-9]{28,}|pk_(?:[0-9]{6,9}_[A-Z0-9]{32}|[0-9a-f]{34})|ptr_[A-Za-z0-9+/]{43}=|LS0tLS1CRUdJTiB[A-Za-z0-9+/]{60,}={0,2})",
        ),
        ..ROW
    },
    Secret {
        class: "airtable_token",
        about: "A token of Airtable.",
        seek: Seek::Token(|text, at| {
            at.len() == 17 && text[at.clone()].starts_with("pat") && after(text, at).starts_with('.')
        }),
        shape: Shape::Regex(r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
        ..ROW
    },
    Secret {
        class: "mailchimp_key",
        about: "A key of Mailchimp, which ends in the name of its data centre.",
        seek: Seek::Token(|text, at| {
            at.len() == 32 && lower_hex(&text[at.clone()]) && after(text, at).starts_with("-us")
        }),
        shape: Shape::Regex(r"[0-9a-f]{32}-us[0-9]{1,2}"),
        ..ROW
    },
    Secret {
        class: "prefixed_token",
        about: "A token whose body looks drawn behind a short prefix, as services write theirs.",
        tier: Doubt,
        seek: Seek::Token(|text, at| {
            (2..=11).contains(&at.len()) && after(text, at).starts_with(['_', '-']) && !digits(text, at)
        }),
        shape: Shape::Read(prefixed::prefixed),
        check: shape_is_enough,
        ..ROW
    },
    Secret {
        class: "seed_words",
        about: "Twelve or more words of a list of mnemonics after a label, with any checksum.",
        seek: Seek::Mnemonic(mnemonic::Phrase::Labelled),
        check: shape_is_enough,
        ..ROW
    },
    // Personal data: tagged or shown to the owner, never to others.
    Secret {
        class: "payment_card",
        about: "A number of a payment card: issuer's range and Luhn.",
        tier: Warn,
        unsure: Some(Tag),
        seek: Seek::Token(person::begins_card),
        near: Near::Helps(&["card", "visa", "mastercard", "amex", "kreditkarte", "tarjeta", "carte"]),
        shape: Shape::Read(person::card),
        check: person::is_card,
        ..ROW
    },
    Secret {
        class: "iban",
        about: "An international bank account number: length of its country and mod 97.",
        tier: Warn,
        seek: Seek::Token(person::begins_iban),
        shape: Shape::Read(person::iban),
        check: person::is_iban,
        ..ROW
    },
    Secret {
        class: "us_ssn",
        about: "A social security number of the United States, near its name.",
        tier: Warn,
        seek: Seek::Token(|text, at| matches!(at.len(), 3 | 9) && digits(text, at)),
        near: Near::Needs(&["ssn", "social security"]),
        shape: Shape::Regex(r"[0-9]{3}(?:-[0-9]{2}-[0-9]{4}|[0-9]{6})"),
        check: person::us_ssn,
        ..ROW
    },
    Secret {
        class: "aba_routing",
        about: "A bank routing number of the United States, near its name.",
        tier: Tag,
        seek: Seek::Token(|text, at| matches!(at.len(), 9) && digits(text, at)),
        near: Near::Needs(&["routing", "aba "]),
        shape: Shape::Regex(r"[0-9]{9}"),
        check: person::aba_routing,
        ..ROW
    },
    Secret {
        class: "uk_nhs",
        about: "A health number of the United Kingdom, near its name.",
        tier: Warn,
        seek: Seek::Token(|text, at| matches!(at.len(), 3 | 10) && digits(text, at)),
        near: Near::Needs(&["nhs"]),
        shape: Shape::Regex(r"[0-9]{3} ?[0-9]{3} ?[0-9]{4}"),
        check: person::uk_nhs,
        ..ROW
    },
    Secret {
        class: "uk_nino",
        about: "An insurance number of the United Kingdom, near its name.",
        tier: Warn,
        seek: Seek::Token(|text, at| {
            matches!(at.len(), 2 | 9)
                && text[at.clone()].bytes().take(2).all(|byte| byte.is_ascii_uppercase())
        }),
        near: Near::Needs(&["nino", "national insurance", "ni number"]),
        shape: Shape::Regex(r"[A-Z]{2} ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D]"),
        check: person::uk_nino,
        ..ROW
    },
    Secret {
        class: "es_dni",
        about: "An identity number of Spain, near its name.",
        tier: Warn,
        seek: Seek::Token(|text, at| at.len() == 9 && text.as_bytes()[at.end - 1].is_ascii_uppercase()),
        near: Near::Needs(&["dni", "nif", "identidad"]),
        shape: Shape::Regex(r"[0-9]{8}[A-Z]"),
        check: person::es_dni,
        ..ROW
    },
    Secret {
        class: "br_cpf",
        about: "A taxpayer number of Brazil in its printed grouping.",
        tier: Warn,
        seek: Seek::Token(|text, at| matches!(at.len(), 3) && digits(text, at)),
        shape: Shape::Regex(r"[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}"),
        check: person::br_cpf,
        ..ROW
    },
    Secret {
        class: "cn_id",
        about: "An identity number of China: a birthday and ISO 7064.",
        tier: Warn,
        seek: Seek::Token(|text, at| {
            at.len() == 18 && text[at.start..at.end - 1].bytes().all(|byte| byte.is_ascii_digit())
        }),
        shape: Shape::Regex(r"[0-9]{17}[0-9Xx]"),
        check: person::cn_id,
        ..ROW
    },
    Secret {
        class: "nl_bsn",
        about: "A citizen number of the Netherlands, near its name.",
        tier: Warn,
        seek: Seek::Token(|text, at| matches!(at.len(), 9) && digits(text, at)),
        near: Near::Needs(&["bsn", "burgerservice", "sofinummer"]),
        shape: Shape::Regex(r"[0-9]{9}"),
        check: person::nl_bsn,
        ..ROW
    },
    Secret {
        class: "pl_pesel",
        about: "An identity number of Poland, near its name.",
        tier: Warn,
        seek: Seek::Token(|text, at| matches!(at.len(), 11) && digits(text, at)),
        near: Near::Needs(&["pesel"]),
        shape: Shape::Regex(r"[0-9]{11}"),
        check: person::pl_pesel,
        ..ROW
    },
    Secret {
        class: "au_tfn",
        about: "A tax file number of Australia, near its name.",
        tier: Warn,
        seek: Seek::Token(|text, at| matches!(at.len(), 3 | 9) && digits(text, at)),
        near: Near::Needs(&["tfn", "tax file"]),
        shape: Shape::Regex(r"[0-9]{3} ?[0-9]{3} ?[0-9]{3}"),
        check: person::au_tfn,
        ..ROW
    },
    Secret {
        class: "ca_sin",
        about: "A social insurance number of Canada, near its name.",
        tier: Warn,
        seek: Seek::Token(|text, at| matches!(at.len(), 3 | 9) && digits(text, at)),
        near: Near::Needs(&["social insurance", " sin ", "sin:", "sin number"]),
        shape: Shape::Regex(r"[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{3}"),
        check: person::by_luhn,
        ..ROW
    },
    Secret {
        class: "se_personnummer",
        about: "A personal number of Sweden: a birthday and Luhn.",
        tier: Warn,
        seek: Seek::Token(|text, at| matches!(at.len(), 6 | 8) && digits(text, at)),
        shape: Shape::Regex(r"(?:[0-9]{2})?[0-9]{6}[-+][0-9]{4}"),
        check: person::se_person,
        ..ROW
    },
    Secret {
        class: "in_aadhaar",
        about: "An Aadhaar number of India, near its name.",
        tier: Warn,
        seek: Seek::Token(|text, at| matches!(at.len(), 4 | 12) && digits(text, at)),
        near: Near::Needs(&["aadhaar", "aadhar", "uidai"]),
        shape: Shape::Regex(r"[0-9]{4} ?[0-9]{4} ?[0-9]{4}"),
        check: person::in_aadhaar,
        ..ROW
    },
    Secret {
        class: "fr_nir",
        about: "A social security number of France, near its name.",
        tier: Warn,
        seek: Seek::Token(|text, at| matches!(at.len(), 1 | 13 | 15) && digits(text, at)),
        near: Near::Needs(&["nir", "insee", "sécurité sociale", "securite sociale", "secu"]),
        shape: Shape::Regex(r"[12](?: ?[0-9]{2}){3} ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}"),
        check: person::fr_nir,
        ..ROW
    },
    Secret {
        class: "de_steuer_id",
        about: "A tax number of Germany, near its name.",
        tier: Warn,
        seek: Seek::Token(|text, at| matches!(at.len(), 2 | 11) && digits(text, at)),
        near: Near::Needs(&["steuer-id", "steueridentifikation", "steuer id", "idnr"]),
        shape: Shape::Regex(r"[0-9]{2} ?[0-9]{3} ?[0-9]{3} ?[0-9]{3}"),
        check: person::de_tax,
        ..ROW
    },
    Secret {
        class: "it_cf",
        about: "A tax code of Italy: its shape and check letter.",
        tier: Warn,
        seek: Seek::Token(|text, at| {
            at.len() == 16 && text[at.start..at.start + 6].bytes().all(|byte| byte.is_ascii_uppercase())
        }),
        shape: Shape::Regex(r"[A-Z]{6}[0-9]{2}[A-EHLMPRST][0-9]{2}[A-Z][0-9]{3}[A-Z]"),
        check: person::it_cf,
        ..ROW
    },
    Secret {
        class: "jp_mynumber",
        about: "An individual number of Japan, near its name.",
        tier: Warn,
        seek: Seek::Token(|text, at| matches!(at.len(), 4 | 12) && digits(text, at)),
        near: Near::Needs(&["my number", "mynumber", "マイナンバー"]),
        shape: Shape::Regex(r"[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4}"),
        check: person::jp_number,
        ..ROW
    },
    Secret {
        class: "vin",
        about: "A vehicle identification number, near its name.",
        tier: Tag,
        seek: Seek::Token(|_, at| at.len() == 17),
        near: Near::Needs(&["vin", "vehicle", "chassis", "fahrgestell"]),
        shape: Shape::Regex(r"[A-HJ-NPR-Z0-9]{17}"),
        check: person::vin,
        ..ROW
    },
    Secret {
        class: "passport_mrz",
        about: "The second line of a passport's machine-readable zone: three check digits.",
        tier: Warn,
        seek: Seek::Token(|text, at| {
            at.len() >= 20
                && text[at.clone()].bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
        }),
        shape: Shape::Regex(r"[A-Z0-9]{9}[0-9][A-Z]{3}[0-9]{7}[MFX<][0-9]{7}[A-Z0-9<]{14}[0-9<][0-9]"),
        check: person::passport,
        ..ROW
    },
    Secret {
        class: "birth_date",
        about: "A date near a word such as `born` or `date of birth`.",
        tier: Tag,
        seek: Seek::Token(|text, at| {
            at.len() <= 4 && digits(text, at) && after(text, at).starts_with(['-', '.', '/'])
        }),
        near: Near::Needs(&[
            "date of birth", "dob:", "born on", "birthday:", "geburtsdatum", "fecha de nacimiento", "né le",
        ]),
        shape: Shape::Regex(r"[0-9]{1,4}[-./][0-9]{1,2}[-./][0-9]{1,4}"),
        check: shape_is_enough,
        ..ROW
    },
    Secret {
        class: "plate",
        about: "A number plate after a word that names it.",
        tier: Tag,
        seek: Seek::Token(|text, at| at.len() <= 8 && text.as_bytes()[at.start].is_ascii_uppercase()),
        near: Near::Needs(&["licence plate", "license plate", "number plate", "kennzeichen:", "matrícula:"]),
        shape: Shape::Regex(r"[A-Z0-9]{1,3}[ -]?[A-Z0-9]{1,4}[ -]?[0-9]{1,4}"),
        check: has_digit,
        ..ROW
    },
    Secret {
        class: "medical_code",
        about: "A code of ICD-10 near a word of medicine.",
        tier: Tag,
        seek: Seek::Token(|text, at| {
            at.len() == 3
                && text.as_bytes()[at.start].is_ascii_uppercase()
                && text.as_bytes()[at.start + 1].is_ascii_digit()
        }),
        near: Near::Needs(&["diagnos", "icd-10", "icd10"]),
        shape: Shape::Regex(r"[A-TV-Z][0-9][0-9A-B](?:\.[0-9A-Z]{1,4})?"),
        check: shape_is_enough,
        ..ROW
    },
    Secret {
        class: "geo_position",
        about: "A pair of coordinates near a word that names them.",
        tier: Tag,
        seek: Seek::Token(|text, at| at.len() <= 3 && digits(text, at) && after(text, at).starts_with('.')),
        near: Near::Needs(&["latitude", "coordinates", "coords", "gps", "geo:", "lat:"]),
        shape: Shape::Regex(
            r#"-?[0-9]{1,3}\.[0-9]{3,8}\s{0,2},\s{0,3}(?:(?i:lon|lng|longitude)["\s:=]{1,4})?-?[0-9]{1,3}\.[0-9]{3,8}"#,
        ),
        check: shape_is_enough,
        ..ROW
    },
    Secret {
        class: "email",
        about: "A mail address; those of code forges and of no-reply senders apart.",
        tier: Tag,
        seek: Seek::Word(&["@"]),
        shape: Shape::Read(person::email),
        check: shape_is_enough,
        ..ROW
    },
    Secret {
        class: "phone",
        about: "A telephone number in international form.",
        tier: Tag,
        seek: Seek::Word(&["+"]),
        shape: Shape::Read(person::phone),
        check: shape_is_enough,
        ..ROW
    },
    Secret {
        class: "national_phone",
        about: "A telephone number in the grouping of North America.",
        tier: Tag,
        seek: Seek::Token(person::begins_phone),
        shape: Shape::Read(person::national_phone),
        check: shape_is_enough,
        ..ROW
    },
    Secret {
        class: "ip_address",
        about: "A public IPv4 address.",
        tier: Tag,
        seek: Seek::Token(person::begins_ipv4),
        shape: Shape::Read(person::ipv4),
        check: shape_is_enough,
        ..ROW
    },
    Secret {
        class: "ipv6_address",
        about: "A public IPv6 address.",
        tier: Tag,
        seek: Seek::Token(person::begins_ipv6),
        shape: Shape::Read(person::ipv6),
        check: shape_is_enough,
        ..ROW
    },
    Secret {
        class: "mac_address",
        about: "A hardware address of a device.",
        tier: Tag,
        seek: Seek::Token(person::begins_mac),
        shape: Shape::Read(person::mac),
        check: shape_is_enough,
        ..ROW
    },
    // Shapes too common for a gate (W62); transcripts redact them where a person asks for it (X36).
    Secret {
        class: "long_hex",
        about: "At least 64 hex digits in a row, in transcripts only.",
        tier: Tag,
        everywhere: false,
        transcript: Some("hex_token"),
        seek: Seek::Token(|text, at| at.len() >= 64 && hex_number(text, at)),
        shape: Shape::Read(coin::token),
        check: shape_is_enough,
        ..ROW
    },
    Secret {
        class: "home_path",
        about: "The folder of a person, in transcripts only.",
        tier: Tag,
        everywhere: false,
        transcript: Some("home_path"),
        seek: Seek::Literal(&["/home/", "/Users/"], 0),
        shape: Shape::Regex(r"/(?:home|Users)/[A-Za-z0-9._-]{1,64}"),
        check: shape_is_enough,
        ..ROW
    },
];

fn starts(text: &str, token: &std::ops::Range<usize>, with: &[u8]) -> bool {
    with.contains(&text.as_bytes()[token.start])
}

fn digits(text: &str, token: &std::ops::Range<usize>) -> bool {
    text.as_bytes()[token.clone()].iter().all(u8::is_ascii_digit)
}

fn lower_hex(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn hex_number(text: &str, token: &std::ops::Range<usize>) -> bool {
    let value = &text[token.clone()];
    let digits = value.strip_prefix("0x").unwrap_or(value);
    digits.len() >= 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn before<'t>(text: &'t str, token: &std::ops::Range<usize>) -> &'t str {
    &text[text.ceil_char_boundary(token.start.saturating_sub(4))..token.start]
}

fn after<'t>(text: &'t str, token: &std::ops::Range<usize>) -> &'t str {
    &text[token.end..]
}

/// A value after a short prefix that no word or name has: digits, and much variety.
fn made_up(found: &ShapeMatch) -> Verdict {
    let value = found.value();
    let holds = entropy(value) >= 3.0 && value[3..].bytes().any(|byte| byte.is_ascii_digit());
    if holds { Verdict::Holds } else { Verdict::Nothing }
}

/// Lowers the tier of a key with a wrong checksum, whose form is still unique.
fn doubted(verdict: Verdict) -> Verdict {
    if verdict == Verdict::Nothing { Verdict::Fails } else { verdict }
}

/// The same, if the value varies.
fn doubted_where_varied(found: &ShapeMatch) -> Verdict {
    if varied(found) == Verdict::Nothing { Verdict::Nothing } else { Verdict::Fails }
}

fn has_digit(found: &ShapeMatch) -> Verdict {
    if found.value().bytes().any(|byte| byte.is_ascii_digit()) { Verdict::Holds } else { Verdict::Nothing }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Proves X36.
    #[test]
    fn every_class_stands_once_with_a_sentence() {
        for (at, row) in SECRETS.iter().enumerate() {
            assert!(row.about.ends_with('.'), "{}", row.class);
            let plain = row.class.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'));
            assert!(plain && !row.class.is_empty(), "{}", row.class);
            assert!(SECRETS[..at].iter().all(|other| other.class != row.class), "{}", row.class);
        }
        assert_eq!(SECRETS.iter().filter(|row| row.transcript.is_some()).count(), 6);
    }

    /// Proves W59.
    #[test]
    fn the_eleven_classes_of_the_dream_gate_keep_their_names() {
        let names: Vec<&str> = SECRETS.iter().filter(|row| row.seed).map(|row| row.class).collect();
        let wanted = [
            "anthropic_key", "openai_key", "stripe_key", "github_pat", "google_api_key", "slack_token",
            "aws_access_key", "evm_address", "btc_bech32", "btc_legacy", "pem_private",
        ];
        assert_eq!(names, wanted);
    }
}
