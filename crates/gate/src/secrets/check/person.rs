//! Numbers of people: cards, accounts, identity numbers; [`contact`]: mail, telephone, addresses.
//!
//! One check digit passes every tenth random number, so a number without more redundancy needs a word beside it or
//! its issuer's grouping. Sources: ISO/IEC 7812 and 13616, ICAO 9303, ISO 3779, and the published rule of each
//! issuer.

mod contact;

use std::ops::Range;

use super::{ShapeMatch, Verdict};

pub use contact::{
    begins_ipv4, begins_ipv6, begins_mac, begins_phone, email, ipv4, ipv6, mac, national_phone, phone,
};

fn digits(text: &str) -> Vec<u32> {
    text.chars().filter_map(|char| char.to_digit(10)).collect()
}

fn exactly(holds: bool) -> Verdict {
    if holds { Verdict::Holds } else { Verdict::Nothing }
}

fn all_same(digits: &[u32]) -> bool {
    digits.windows(2).all(|pair| pair[0] == pair[1])
}

fn luhn(digits: &[u32]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, digit)| if at % 2 == 0 { *digit } else { digit * 2 / 10 + digit * 2 % 10 })
        .sum();
    sum.is_multiple_of(10)
}

fn weighted(digits: &[u32], weights: &[u32]) -> u32 {
    digits.iter().zip(weights).map(|(digit, weight)| digit * weight).sum()
}

/// Whether the token of digits at `token` may begin a card number: whole, or a first group of four.
pub fn begins_card(text: &str, token: &Range<usize>) -> bool {
    let bytes = text.as_bytes();
    let all_digits = bytes[token.clone()].iter().all(u8::is_ascii_digit);
    let grouped = token.len() == 4 && matches!(bytes.get(token.end), Some(b' ' | b'-'));
    all_digits && (grouped || (13..=19).contains(&token.len())) && matches!(bytes[token.start], b'2'..=b'6')
}

/// 13 to 19 digits, whole or in groups with one kind of separator.
pub fn card(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let run = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = at + run(at);
    let mut groups = vec![end - at];
    let separator = bytes.get(end).copied().filter(|byte| matches!(byte, b' ' | b'-'));
    if let Some(separator) = separator
        && end - at == 4
    {
        while groups.len() < 5 && bytes.get(end) == Some(&separator) && run(end + 1) > 0 {
            groups.push(run(end + 1));
            end += 1 + run(end + 1);
        }
    }
    let fits = match groups.as_slice() {
        [whole] => (13..=19).contains(whole),
        [4, 6, 4 | 5] => true,
        [4, 4, 4, last] => (1..=4).contains(last),
        [4, 4, 4, 4, last] => (1..=3).contains(last),
        _ => false,
    };
    let decimal = at > 0
        && matches!(bytes[at - 1], b'.' | b',' | b':' | b'/')
        && at > 1
        && bytes[at - 2].is_ascii_digit();
    (fits
        && !decimal
        && !bytes
            .get(end)
            .is_some_and(|byte| *byte == b'.' && bytes.get(end + 1).is_some_and(u8::is_ascii_digit)))
    .then_some(at..end)
}

/// The issuer's range, its length, and Luhn. Ungrouped digits may be an id, so they need a word beside them to count
/// in full.
pub fn is_card(found: &ShapeMatch) -> Verdict {
    let digits = digits(found.value());
    let head = |len: usize| digits[..len].iter().fold(0, |sum, digit| sum * 10 + digit);
    let issuer = match digits.len() {
        13 | 19 => head(1) == 4 || digits.len() == 19 && head(2) == 62,
        14 => matches!(head(2), 36 | 38) || (300..=305).contains(&head(3)),
        15 => matches!(head(2), 34 | 37),
        16 => {
            head(1) == 4
                || (51..=55).contains(&head(2))
                || (2221..=2720).contains(&head(4))
                || matches!(head(2), 62 | 65)
                || head(4) == 6011
                || (644..=649).contains(&head(3))
                || (3528..=3589).contains(&head(4))
        }
        _ => false,
    };
    if !issuer || all_same(&digits[1..]) || !luhn(&digits) {
        return Verdict::Nothing;
    }
    Verdict::of(found.near || digits.len() < found.span.len())
}

/// Lengths of account numbers by country (ISO 13616).
const IBANS: &[(&str, usize)] = &[
    ("AD", 24),
    ("AE", 23),
    ("AL", 28),
    ("AT", 20),
    ("AZ", 28),
    ("BA", 20),
    ("BE", 16),
    ("BG", 22),
    ("BH", 22),
    ("BR", 29),
    ("BY", 28),
    ("CH", 21),
    ("CR", 22),
    ("CY", 28),
    ("CZ", 24),
    ("DE", 22),
    ("DK", 18),
    ("DO", 28),
    ("EE", 20),
    ("EG", 29),
    ("ES", 24),
    ("FI", 18),
    ("FO", 18),
    ("FR", 27),
    ("GB", 22),
    ("GE", 22),
    ("GI", 23),
    ("GL", 18),
    ("GR", 27),
    ("GT", 28),
    ("HR", 21),
    ("HU", 28),
    ("IE", 22),
    ("IL", 23),
    ("IQ", 23),
    ("IS", 26),
    ("IT", 27),
    ("JO", 30),
    ("KW", 30),
    ("KZ", 20),
    ("LB", 28),
    ("LC", 32),
    ("LI", 21),
    ("LT", 20),
    ("LU", 20),
    ("LV", 21),
    ("LY", 25),
    ("MC", 27),
    ("MD", 24),
    ("ME", 22),
    ("MK", 19),
    ("MR", 27),
    ("MT", 31),
    ("MU", 30),
    ("NL", 18),
    ("NO", 15),
    ("PK", 24),
    ("PL", 28),
    ("PS", 29),
    ("PT", 25),
    ("QA", 29),
    ("RO", 24),
    ("RS", 22),
    ("SA", 24),
    ("SC", 31),
    ("SE", 24),
    ("SI", 19),
    ("SK", 24),
    ("SM", 27),
    ("ST", 25),
    ("SV", 28),
    ("TL", 23),
    ("TN", 24),
    ("TR", 26),
    ("UA", 29),
    ("VA", 22),
    ("VG", 24),
    ("XK", 20),
];

/// Whether `token` may begin an IBAN: a country, two digits, and no lower case.
pub fn begins_iban(text: &str, token: &Range<usize>) -> bool {
    let bytes = &text.as_bytes()[token.clone()];
    (bytes.len() == 4 || bytes.len() >= 15)
        && bytes[..2].iter().all(u8::is_ascii_uppercase)
        && bytes[2..4].iter().all(u8::is_ascii_digit)
        && IBANS.iter().any(|(country, _)| country.as_bytes() == &bytes[..2])
}

/// As many letters and digits as the country writes, in one piece or in groups of four.
pub fn iban(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let wanted = IBANS.iter().find(|(country, _)| text[at..].starts_with(country))?.1;
    let (mut end, mut seen) = (at, 0);
    while seen < wanted {
        match bytes.get(end)? {
            b' ' if seen % 4 == 0 => {}
            byte if byte.is_ascii_digit() || byte.is_ascii_uppercase() => seen += 1,
            _ => return None,
        }
        end += 1;
    }
    Some(at..end)
}

/// Mod 97 over the rearranged number is 1.
pub fn is_iban(found: &ShapeMatch) -> Verdict {
    let plain: Vec<u8> = found.value().bytes().filter(|byte| *byte != b' ').collect();
    let rearranged = plain[4..].iter().chain(&plain[..4]);
    let rest = rearranged.fold(0_u32, |rest, byte| match byte {
        b'0'..=b'9' => (rest * 10 + u32::from(byte - b'0')) % 97,
        _ => (rest * 100 + u32::from(byte - b'A') + 10) % 97,
    });
    exactly(rest == 1)
}

/// A US social security number that could be issued and is no published sample.
pub fn us_ssn(found: &ShapeMatch) -> Verdict {
    let value = found.value();
    let digits: String = value.chars().filter(char::is_ascii_digit).collect();
    let printed = matches!(digits.as_str(), "078051120" | "219099999");
    let area = &digits[..3];
    exactly(
        !printed
            && area != "000"
            && area != "666"
            && !area.starts_with('9')
            && &digits[3..5] != "00"
            && &digits[5..] != "0000",
    )
}

/// A US routing number: weights 3, 7, 1.
pub fn aba_routing(found: &ShapeMatch) -> Verdict {
    let digits = digits(found.value());
    let bank = digits[0] * 10 + digits[1];
    let real =
        (1..=12).contains(&bank) || (21..=32).contains(&bank) || (61..=72).contains(&bank) || bank == 80;
    exactly(real && weighted(&digits, &[3, 7, 1, 3, 7, 1, 3, 7, 1]).is_multiple_of(10))
}

/// A UK health number: mod 11.
pub fn uk_nhs(found: &ShapeMatch) -> Verdict {
    let digits = digits(found.value());
    let check = 11 - weighted(&digits[..9], &[10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11;
    exactly(check != 10 && check % 11 == digits[9] && !all_same(&digits))
}

/// A UK insurance number with a prefix that is issued.
pub fn uk_nino(found: &ShapeMatch) -> Verdict {
    let value = found.value().as_bytes();
    let refused = |byte: u8| b"DFIQUV".contains(&byte);
    let prefix = &value[..2];
    let never = [b"BG", b"GB", b"KN", b"NK", b"NT", b"TN", b"ZZ"];
    exactly(
        !refused(value[0])
            && !refused(value[1])
            && value[1] != b'O'
            && !never.iter().any(|pair| pair.as_slice() == prefix),
    )
}

/// A Spanish identity number: the letter is the number mod 23.
pub fn es_dni(found: &ShapeMatch) -> Verdict {
    let value = found.value();
    let number = digits(value).iter().fold(0, |sum, digit| sum * 10 + digit);
    exactly(value.bytes().last() == Some(b"TRWAGMYFPDXBNJZSQVHLCKE"[(number % 23) as usize]))
}

/// A Brazilian taxpayer number: two check digits mod 11.
pub fn br_cpf(found: &ShapeMatch) -> Verdict {
    let digits = digits(found.value());
    let check = |len: usize| {
        let weights: Vec<u32> = (2..=len as u32 + 1).rev().collect();
        let rest = weighted(&digits[..len], &weights) * 10 % 11;
        rest % 10
    };
    exactly(!all_same(&digits) && check(9) == digits[9] && check(10) == digits[10])
}

/// A Chinese identity number: a real birthday and ISO 7064 mod 11-2.
pub fn cn_id(found: &ShapeMatch) -> Verdict {
    const WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    let value = found.value();
    let body = digits(&value[..17]);
    let birthday = is_day(&value[6..14]);
    exactly(
        birthday
            && value.bytes().last().map(|byte| byte.to_ascii_uppercase())
                == Some(b"10X98765432"[(weighted(&body, &WEIGHTS) % 11) as usize]),
    )
}

/// Whether eight digits are a day of 1900 to 2099.
fn is_day(text: &str) -> bool {
    let part = |range: Range<usize>| text[range].parse::<u32>().unwrap_or(0);
    (1900..2100).contains(&part(0..4)) && (1..=12).contains(&part(4..6)) && (1..=31).contains(&part(6..8))
}

/// A Dutch citizen number: the eleven test.
pub fn nl_bsn(found: &ShapeMatch) -> Verdict {
    let digits = digits(found.value());
    let sum = weighted(&digits[..8], &[9, 8, 7, 6, 5, 4, 3, 2]);
    exactly(sum > 0 && sum % 11 == digits[8])
}

/// A Polish number: weights 1, 3, 7, 9.
pub fn pl_pesel(found: &ShapeMatch) -> Verdict {
    let digits = digits(found.value());
    exactly(!all_same(&digits) && weighted(&digits, &[1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]).is_multiple_of(10))
}

/// An Australian tax number: mod 11.
pub fn au_tfn(found: &ShapeMatch) -> Verdict {
    let digits = digits(found.value());
    exactly(!all_same(&digits) && weighted(&digits, &[1, 4, 3, 7, 5, 8, 6, 9, 10]).is_multiple_of(11))
}

/// Luhn over all digits.
pub fn by_luhn(found: &ShapeMatch) -> Verdict {
    let digits = digits(found.value());
    exactly(!all_same(&digits) && luhn(&digits))
}

/// A Swedish number: a month, a day, Luhn.
pub fn se_person(found: &ShapeMatch) -> Verdict {
    let all = digits(found.value());
    let digits = &all[all.len() - 10..];
    let (month, day) = (digits[2] * 10 + digits[3], digits[4] * 10 + digits[5]);
    exactly((1..=12).contains(&month) && (1..=31).contains(&day) && luhn(digits))
}

/// An Indian number: Verhoeff over twelve digits.
pub fn in_aadhaar(found: &ShapeMatch) -> Verdict {
    const TIMES: [[usize; 10]; 10] = [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        [1, 2, 3, 4, 0, 6, 7, 8, 9, 5],
        [2, 3, 4, 0, 1, 7, 8, 9, 5, 6],
        [3, 4, 0, 1, 2, 8, 9, 5, 6, 7],
        [4, 0, 1, 2, 3, 9, 5, 6, 7, 8],
        [5, 9, 8, 7, 6, 0, 4, 3, 2, 1],
        [6, 5, 9, 8, 7, 1, 0, 4, 3, 2],
        [7, 6, 5, 9, 8, 2, 1, 0, 4, 3],
        [8, 7, 6, 5, 9, 3, 2, 1, 0, 4],
        [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
    ];
    const MOVES: [[usize; 10]; 8] = [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        [1, 5, 7, 6, 2, 8, 3, 0, 9, 4],
        [5, 8, 0, 3, 7, 9, 6, 1, 4, 2],
        [8, 9, 1, 6, 0, 4, 3, 5, 2, 7],
        [9, 4, 5, 3, 1, 2, 6, 8, 7, 0],
        [4, 2, 8, 6, 5, 7, 3, 9, 0, 1],
        [2, 7, 9, 3, 8, 0, 6, 4, 1, 5],
        [7, 0, 4, 6, 9, 1, 3, 2, 5, 8],
    ];
    let digits = digits(found.value());
    let sum = digits
        .iter()
        .rev()
        .enumerate()
        .fold(0, |sum, (at, digit)| TIMES[sum][MOVES[at % 8][*digit as usize]]);
    exactly(sum == 0 && digits[0] > 1 && !all_same(&digits))
}

/// A French number: month, and the key that is 97 less the rest.
pub fn fr_nir(found: &ShapeMatch) -> Verdict {
    let number = digits(found.value()).iter().fold(0_u64, |sum, digit| sum * 10 + u64::from(*digit));
    exactly(number % 100 == 97 - number / 100 % 97)
}

/// A German tax number: ISO 7064 mod 11, 10.
pub fn de_tax(found: &ShapeMatch) -> Verdict {
    let digits = digits(found.value());
    let product = digits[..10].iter().fold(10, |product, digit| {
        let sum = (digit + product) % 10;
        (if sum == 0 { 10 } else { sum }) * 2 % 11
    });
    exactly(digits[0] != 0 && (11 - product) % 10 == digits[10] && !all_same(&digits))
}

/// An Italian code: a check letter over fifteen characters.
pub fn it_cf(found: &ShapeMatch) -> Verdict {
    const ODD: [u32; 26] =
        [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
    let value = found.value().as_bytes();
    let place = |byte: u8| u32::from(if byte.is_ascii_digit() { byte - b'0' } else { byte - b'A' });
    let sum: u32 = value[..15]
        .iter()
        .enumerate()
        .map(|(at, byte)| if at % 2 == 0 { ODD[place(*byte) as usize] } else { place(*byte) })
        .sum();
    exactly(u32::from(value[15] - b'A') == sum % 26)
}

/// A Japanese number: mod 11 with weights 2 to 7.
pub fn jp_number(found: &ShapeMatch) -> Verdict {
    let digits = digits(found.value());
    let rest = weighted(&digits[..11], &[6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
    exactly(!all_same(&digits) && digits[11] == if rest <= 1 { 0 } else { 11 - rest })
}

/// A vehicle number: transliterated, weighted, its ninth place the rest mod 11.
pub fn vin(found: &ShapeMatch) -> Verdict {
    const WEIGHTS: [u32; 17] = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
    const LETTERS: &[u8; 26] = b"12345678012345070923456789";
    let value = found.value().as_bytes();
    let number = |byte: u8| {
        u32::from(if byte.is_ascii_digit() { byte } else { LETTERS[usize::from(byte - b'A')] } - b'0')
    };
    let sum: u32 = value.iter().zip(WEIGHTS).map(|(byte, weight)| number(*byte) * weight).sum();
    exactly(value[8] == b"0123456789X"[(sum % 11) as usize])
}

/// The second line of a passport's machine-readable zone: three check digits with weights 7, 3, 1.
pub fn passport(found: &ShapeMatch) -> Verdict {
    let value = found.value().as_bytes();
    let number = |byte: u8| match byte {
        b'0'..=b'9' => u32::from(byte - b'0'),
        b'A'..=b'Z' => u32::from(byte - b'A') + 10,
        _ => 0,
    };
    let right = |range: Range<usize>| {
        let sum: u32 = value[range.clone()]
            .iter()
            .zip([7, 3, 1].iter().cycle())
            .map(|(byte, weight)| number(*byte) * weight)
            .sum();
        sum % 10 == number(value[range.end])
    };
    exactly(right(0..9) && right(13..19) && right(21..27))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(check: super::super::Check, text: &str) -> bool {
        check(&ShapeMatch { text, span: 0..text.len(), near: true }) == Verdict::Holds
    }

    #[test]
    fn the_published_samples_pass_and_their_neighbours_do_not() {
        let rows: &[(super::super::Check, &str, &str)] = &[
            (is_card, "4242 4242 4242 4242", "4242 4242 4242 4241"),
            (is_card, "3782 822463 10005", "3782 822463 10006"),
            (is_iban, "DE89 3704 0044 0532 0130 00", "DE89 3704 0044 0532 0130 01"),
            (aba_routing, "011000015", "011000016"),
            (uk_nhs, "943 476 5919", "943 476 5918"),
            (es_dni, "12345678Z", "12345678A"),
            (br_cpf, "111.444.777-35", "111.444.777-36"),
            (cn_id, "11010519491231002X", "110105194912310021"),
            (nl_bsn, "111222333", "111222334"),
            (pl_pesel, "44051401359", "44051401358"),
            (au_tfn, "123 456 782", "123 456 783"),
            (by_luhn, "046 454 286", "046 454 287"),
            (se_person, "811218-9876", "811218-9877"),
            (in_aadhaar, "2341 2341 2346", "2341 2341 2347"),
            (vin, "1M8GDM9AXKP042788", "1M8GDM9A0KP042788"),
            (
                passport,
                "L898902C36UTO7408122F1204159ZE184226B<<<<<10",
                "L898902C37UTO7408122F1204159ZE184226B<<<<<10",
            ),
            (us_ssn, "123-45-6789", "666-45-6789"),
            (uk_nino, "AB123456C", "QQ123456C"),
        ];
        for (rule, right, wrong) in rows {
            assert!(check(*rule, right), "{right}");
            assert!(!check(*rule, wrong), "{wrong}");
        }
    }
}
