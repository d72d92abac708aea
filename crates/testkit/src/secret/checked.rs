//! Classes with a checksum or an inner structure, generated as their issuers do.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use bech32::{Bech32, Bech32m, Hrp};
use bip39::{Language, Mnemonic};
use sha2::{Digest as _, Sha256};
use sha3::Keccak256;

use super::{ALNUM, BASE32, BASE58, BECH32, DIGITS, HEX, LOWER, Sample, UPPER, bytes, letters, spoiled};
use crate::Chance;

/// A class, its generator, and its `at`-th kind of near miss.
pub type Row = (&'static str, fn(&mut Chance) -> Sample, fn(usize, &mut Chance) -> Sample);

pub const ROWS: &[Row] = &[
    ("openai_key", openai, |at, chance| match at % 3 {
        0 => Sample::bare(format!("sk-{}", letters(ALNUM, 19, chance))),
        1 => Sample::bare(format!("task-{}", letters(ALNUM, 24, chance))),
        _ => Sample::bare(format!("sk-{}-{}", letters(LOWER, 8, chance), letters(LOWER, 14, chance))),
    }),
    ("github_pat", github, |at, chance| {
        let right = github(chance).value;
        let dotted = right.contains('.') || right.starts_with("github_pat_");
        match at % 3 {
            0 if !dotted => Sample::bare(spoiled(&right, 4, ALNUM, chance)),
            1 => Sample::bare(format!("x{right}")),
            _ => Sample::bare(format!("ghp_{}", letters(ALNUM, 35 + 2 * (at % 2), chance))),
        }
    }),
    (
        "npm_token",
        |chance| Sample::bare(with_crc("npm_", chance)),
        |at, chance| four_and_crc("npm_", at, chance),
    ),
    (
        "inwit_token",
        |chance| Sample::bare(with_crc("mem_", chance)),
        |at, chance| four_and_crc("mem_", at, chance),
    ),
    ("evm_address", evm, |at, chance| match at % 3 {
        0 => {
            let right = evm(chance).value;
            let at = right
                .char_indices()
                .skip(2)
                .filter(|(_, c)| c.is_ascii_alphabetic())
                .map(|(at, _)| at)
                .nth(3);
            let at = at.expect("an address has letters");
            let flipped = |c: char| {
                if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
            };
            Sample::bare(
                right.char_indices().map(|(here, c)| if here == at { flipped(c) } else { c }).collect(),
            )
        }
        1 => Sample::bare(format!("0x{}", letters(HEX, 64, chance))),
        _ => Sample::bare(format!("0x{}", letters(HEX, 39, chance))),
    }),
    (
        "btc_bech32",
        |chance| Sample::bare(segwit(chance)),
        |at, chance| {
            let right = segwit(chance);
            misses(at, &right, 4, BECH32, chance)
        },
    ),
    (
        "btc_legacy",
        |chance| Sample::bare(legacy(chance)),
        |at, chance| {
            let right = legacy(chance);
            misses(at, &right, 1, BASE58, chance)
        },
    ),
    (
        "pem_private",
        |chance| Sample::bare(pem(chance, "RSA PRIVATE KEY")),
        |at, chance| {
            Sample::bare(pem(chance, if at.is_multiple_of(2) { "PUBLIC KEY" } else { "CERTIFICATE" }))
        },
    ),
    (
        "solana_keypair",
        |chance| Sample::bare(bs58::encode(pair(chance)).into_string()),
        |at, chance| {
            let signature = bs58::encode(bytes(64, chance)).into_string();
            if at.is_multiple_of(2) {
                Sample::bare(signature)
            } else {
                misses(at, &signature, 1, BASE58, chance)
            }
        },
    ),
    (
        "solana_keypair_array",
        |chance| Sample::bare(format!("{:?}", pair(chance))),
        |at, chance| Sample::bare(format!("{:?}", bytes(63 + at % 3, chance))),
    ),
    (
        "seed_words",
        |chance| {
            let words = phrase(chance);
            let (first, rest) = words.split_once(' ').unwrap_or_default();
            // One more word in front changes the checksum.
            Sample::named("seed phrase: ", format!("{rest} {first}"))
        },
        |at, chance| {
            let right = phrase(chance);
            let words: Vec<&str> = right.split(' ').collect();
            if at.is_multiple_of(2) {
                Sample::named("seed phrase: ", words[..10].join(" "))
            } else {
                Sample::bare(words[1..].join(" qxyzzy "))
            }
        },
    ),
    (
        "bip39_mnemonic",
        |chance| Sample::bare(phrase(chance)),
        |at, chance| {
            let right = phrase(chance);
            let mut words: Vec<&str> = right.split(' ').collect();
            if at.is_multiple_of(2) {
                // With a word of the surrounding sentence, eleven words may form a valid phrase.
                words.truncate(10);
            } else {
                words = vec!["abandon"; 12 + chance.below(4) * 3];
            }
            Sample::bare(words.join(" "))
        },
    ),
    (
        "hex_private_key",
        |chance| Sample::named("wallet private key: ", letters(HEX, 64, chance)),
        |at, chance| match at % 3 {
            0 => Sample::named("sha256 of the file: ", letters(HEX, 64, chance)),
            1 => Sample::named("wallet private key: ", "f".repeat(64)),
            _ => Sample::named("wallet private key: ", letters(HEX, 63, chance)),
        },
    ),
    (
        "btc_wif",
        |chance| Sample::bare(wif(chance)),
        |at, chance| {
            let right = wif(chance);
            misses(at, &right, 1, BASE58, chance)
        },
    ),
    (
        "bip32_xprv",
        |chance| Sample::bare(xprv(chance)),
        |at, chance| {
            let right = xprv(chance);
            misses(at, &right, 5, BASE58, chance)
        },
    ),
    (
        "nostr_nsec",
        |chance| Sample::bare(bech("nsec", 32, chance)),
        |at, chance| {
            let right = bech("nsec", 32, chance);
            misses(at, &right, 5, BECH32, chance)
        },
    ),
    (
        "age_secret_key",
        |chance| Sample::bare(bech("age-secret-key-", 32, chance).to_uppercase()),
        |at, chance| {
            let right = bech("age-secret-key-", 32, chance);
            let mut miss = misses(at, &right, 16, BECH32, chance);
            miss.value = miss.value.to_uppercase();
            miss
        },
    ),
    (
        "stellar_seed",
        |chance| Sample::bare(stellar(chance)),
        |at, chance| {
            let right = stellar(chance);
            misses(at, &right, 1, BASE32, chance)
        },
    ),
    (
        "lightning_invoice",
        |chance| Sample::bare(bech("lnbc2500u", 120, chance)),
        |at, chance| {
            let right = bech("lnbc2500u", 120, chance);
            misses(at, &right, 10, BECH32, chance)
        },
    ),
    (
        "wireguard_key",
        |chance| Sample::named("PrivateKey = ", STANDARD.encode(bytes(32, chance))),
        |at, chance| {
            if at.is_multiple_of(2) {
                Sample::named("PublicKey = ", STANDARD.encode(bytes(32, chance)))
            } else {
                Sample::named("PrivateKey = ", STANDARD.encode(bytes(30, chance)))
            }
        },
    ),
    ("discord_bot_token", discord, |at, chance| {
        let right = discord(chance).value;
        let (_, rest) = right.split_once('.').expect("parts");
        let other = format!("M{}", letters(ALNUM, 23, chance));
        Sample::bare(if at.is_multiple_of(2) { format!("{other}.{rest}") } else { format!("x{right}") })
    }),
    ("jwt", jwt, |at, chance| {
        let right = jwt(chance).value;
        let (header, rest) = right.split_once('.').expect("parts");
        let none = URL_SAFE_NO_PAD.encode(format!("{{\"kid\":\"{}\"}}", letters(ALNUM, 12, chance)));
        Sample::bare(if at.is_multiple_of(2) {
            format!("{none}.{rest}")
        } else {
            format!("{header}.e30.{}", &rest[..9])
        })
    }),
    (
        "google_service_account",
        |chance| {
            let project = letters(LOWER, 9, chance);
            let head = format!("{}BEGIN", "-".repeat(5));
            let value =
                format!("service_account\", \"project_id\": \"{project}\", \"private_key\": \"{head}");
            Sample::named("{\"type\": \"", value)
        },
        |_, chance| {
            Sample::named(
                "{\"type\": \"",
                format!("service_account\", \"project_id\": \"{}\"", letters(LOWER, 9, chance)),
            )
        },
    ),
    (
        "putty_key",
        |chance| {
            let line = STANDARD.encode(bytes(48, chance));
            let mac = letters(HEX, 64, chance);
            Sample::bare(format!(
                "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: ana\nPublic-Lines: 1\n{line}\n\
             Private-Lines: 1\n{line}\nPrivate-MAC: {mac}"
            ))
        },
        |_, chance| {
            Sample::bare(format!(
                "PuTTY-User-Key-File-3: ssh-ed25519\nComment: {}",
                letters(LOWER, 9, chance)
            ))
        },
    ),
    (
        "ssh2_private_key",
        |chance| {
            let line = STANDARD.encode(bytes(48, chance));
            let dashes = "-".repeat(4);
            let title = "SSH2 ENCRYPTED PRIVATE KEY";
            Sample::bare(format!("{dashes} BEGIN {title} {dashes}\n{line}\n{dashes} END {title} {dashes}"))
        },
        |_, chance| {
            let dashes = "-".repeat(4);
            Sample::bare(format!(
                "{dashes} BEGIN SSH2 PUBLIC KEY {dashes}\n{}",
                STANDARD.encode(bytes(48, chance))
            ))
        },
    ),
];

/// A wrong checksum, one character less or more, or a part of a longer token.
fn misses(at: usize, right: &str, from: usize, alphabet: &str, chance: &mut Chance) -> Sample {
    Sample::bare(match at % 4 {
        0 => spoiled(right, from, alphabet, chance),
        1 => right[..right.len() - 1].to_owned(),
        2 => format!("{right}{}", letters(alphabet, 1, chance)),
        _ => format!("x{right}"),
    })
}

fn openai(chance: &mut Chance) -> Sample {
    let mark = concat!("T3Blbk", "FJ");
    Sample::bare(match chance.below(3) {
        0 => format!("sk-{}{mark}{}", letters(ALNUM, 20, chance), letters(ALNUM, 20, chance)),
        1 => format!("sk-proj-{}{mark}{}", letters(ALNUM, 74, chance), letters(ALNUM, 74, chance)),
        _ => format!("sk-{}aA1{}", letters(ALNUM, 20, chance), letters(ALNUM, 25, chance)),
    })
}

fn github(chance: &mut Chance) -> Sample {
    let kind = *chance.pick(&["ghp_", "gho_", "ghu_", "ghr_"]);
    Sample::bare(match chance.below(4) {
        0 => format!("github_pat_{}_{}", letters(ALNUM, 22, chance), letters(ALNUM, 59, chance)),
        1 => format!(
            "ghs_{}.{}.{}",
            letters(ALNUM, 60, chance),
            letters(ALNUM, 300, chance),
            letters(ALNUM, 150, chance)
        ),
        _ => with_crc(kind, chance),
    })
}

fn with_crc(prefix: &str, chance: &mut Chance) -> String {
    let body = letters(ALNUM, 30, chance);
    let mut rest = u64::from(crc32fast::hash(body.as_bytes()));
    let mut sum = Vec::new();
    for _ in 0..6 {
        sum.push(ALNUM.as_bytes()[(rest % 62) as usize]);
        rest /= 62;
    }
    let sum: String = sum.into_iter().rev().map(char::from).collect();
    format!("{prefix}{body}{sum}")
}

fn four_and_crc(prefix: &str, at: usize, chance: &mut Chance) -> Sample {
    let right = with_crc(prefix, chance);
    misses(at, &right, 4, ALNUM, chance)
}

fn evm(chance: &mut Chance) -> Sample {
    let lower = letters(HEX, 40, chance);
    let hash = Keccak256::digest(lower.as_bytes());
    let spelled = lower.chars().enumerate().map(|(at, digit)| {
        let nibble = hash[at / 2] >> (4 * (1 - at % 2)) & 15;
        if nibble >= 8 { digit.to_ascii_uppercase() } else { digit }
    });
    Sample::bare(format!("0x{}", spelled.collect::<String>()))
}

fn segwit(chance: &mut Chance) -> String {
    let hrp = Hrp::parse("bc").expect("a part");
    let program = bytes(*chance.pick(&[20, 32]), chance);
    let made = if chance.coin() {
        bech32::segwit::encode_v0(hrp, &program)
    } else {
        bech32::segwit::encode_v1(hrp, &bytes(32, chance))
    };
    made.expect("an address")
}

fn base58check(version: &[u8], payload: &[u8]) -> String {
    let mut all = [version, payload].concat();
    let sum = Sha256::digest(Sha256::digest(&all));
    all.extend_from_slice(&sum[..4]);
    bs58::encode(all).into_string()
}

fn legacy(chance: &mut Chance) -> String {
    base58check(&[*chance.pick(&[0x00, 0x05])], &bytes(20, chance))
}

fn wif(chance: &mut Chance) -> String {
    let mut key = bytes(32, chance);
    if chance.coin() {
        key.push(1);
    }
    base58check(&[0x80], &key)
}

fn xprv(chance: &mut Chance) -> String {
    base58check(&[0x04, 0x88, 0xad, 0xe4], &bytes(74, chance))
}

fn bech(hrp: &str, count: usize, chance: &mut Chance) -> String {
    let hrp = Hrp::parse(hrp).expect("a part");
    let data = bytes(count, chance);
    if hrp.as_str().starts_with("zz") {
        bech32::encode::<Bech32m>(hrp, &data).expect("a string")
    } else {
        bech32::encode::<Bech32>(hrp, &data).expect("a string")
    }
}

fn stellar(chance: &mut Chance) -> String {
    let mut all = vec![18 << 3];
    all.extend(bytes(32, chance));
    let mut crc = 0_u16;
    for byte in &all {
        for bit in (0..8).rev() {
            let carry = (crc >> 15 & 1) ^ u16::from(byte >> bit & 1);
            crc = crc << 1 ^ if carry == 1 { 0x1021 } else { 0 };
        }
    }
    all.extend(crc.to_le_bytes());
    let bits: Vec<u8> = all.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1)).collect();
    let fives = bits.chunks(5).map(|five| five.iter().fold(0, |sum, bit| sum << 1 | usize::from(*bit)));
    fives.map(|five| char::from(BASE32.as_bytes()[five])).collect()
}

fn pair(chance: &mut Chance) -> Vec<u8> {
    let seed: [u8; 32] = bytes(32, chance).try_into().expect("32 bytes");
    let pair = ed25519_compact::KeyPair::from_seed(ed25519_compact::Seed::new(seed));
    [seed, *pair.pk].concat()
}

fn phrase(chance: &mut Chance) -> String {
    let language = *chance.pick(Language::ALL);
    let entropy = bytes(*chance.pick(&[16, 20, 24, 28, 32]), chance);
    Mnemonic::from_entropy_in(language, &entropy).expect("a phrase").to_string()
}

fn pem(chance: &mut Chance, title: &str) -> String {
    let lines: Vec<String> = (0..4).map(|_| STANDARD.encode(bytes(48, chance))).collect();
    let dashes = "-".repeat(5);
    format!("{dashes}BEGIN {title}{dashes}\n{}\n{dashes}END {title}{dashes}", lines.join("\n"))
}

fn discord(chance: &mut Chance) -> Sample {
    let number = format!("1{}", letters(DIGITS, 17, chance));
    let first = URL_SAFE_NO_PAD.encode(number);
    Sample::bare(format!("{first}.{}.{}", letters(UPPER, 6, chance), letters(ALNUM, 38, chance)))
}

fn jwt(chance: &mut Chance) -> Sample {
    let header = URL_SAFE_NO_PAD.encode("{\"alg\":\"HS256\",\"typ\":\"JWT\"}");
    let body = URL_SAFE_NO_PAD.encode(format!("{{\"sub\":\"{}\"}}", letters(DIGITS, 10, chance)));
    Sample::bare(format!("{header}.{body}.{}", URL_SAFE_NO_PAD.encode(bytes(32, chance))))
}
