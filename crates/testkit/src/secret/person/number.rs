//! Random personal numbers with the check digits of their kinds.

use super::super::{DIGITS, HEX, Sample, UPPER, letters};
use crate::Chance;

/// A near miss: the number with another last digit beside its name, or the right number without its name.
pub fn wrong(at: usize, before: &str, right: String) -> Sample {
    if at.is_multiple_of(2) { Sample::named(before, next_digit(&right)) } else { Sample::bare(right) }
}

/// The last digit, one higher.
pub fn next_digit(right: &str) -> String {
    let (head, last) = right.split_at(right.len() - 1);
    let last: u32 = last.parse().expect("a digit");
    format!("{head}{}", (last + 1) % 10)
}

pub fn grouped(plain: &str) -> String {
    let groups: Vec<String> =
        plain.as_bytes().chunks(4).map(|four| String::from_utf8_lossy(four).into_owned()).collect();
    groups.join(" ")
}

fn values(text: &str) -> Vec<usize> {
    text.bytes().filter(u8::is_ascii_digit).map(|digit| usize::from(digit - b'0')).collect()
}

/// The first number from `make` for which `right` is true; check digits are found by trying.
fn tried(
    chance: &mut Chance,
    make: impl Fn(&mut Chance) -> String,
    right: impl Fn(&[usize]) -> bool,
) -> String {
    loop {
        let text = make(chance);
        if right(&values(&text)) && values(&text).windows(2).any(|pair| pair[0] != pair[1]) {
            return text;
        }
    }
}

fn sum(digits: &[usize], weights: &[usize]) -> usize {
    digits.iter().zip(weights).map(|(digit, weight)| digit * weight).sum()
}

/// Luhn from the left: every second digit before the last is mapped by its table.
fn luhn(digits: &[usize]) -> bool {
    const DOUBLED: [usize; 10] = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];
    let len = digits.len();
    let total: usize = digits
        .iter()
        .enumerate()
        .map(|(at, digit)| if (len - at).is_multiple_of(2) { DOUBLED[*digit] } else { *digit })
        .sum();
    total.is_multiple_of(10)
}

pub fn card(chance: &mut Chance) -> String {
    let head = *chance.pick(&["4", "51", "2300", "6011"]);
    tried(chance, |chance| format!("{head}{}", letters(DIGITS, 16 - head.len(), chance)), luhn)
}

pub fn iban(chance: &mut Chance) -> String {
    let (country, len) = *chance.pick(&[("DE", 22), ("FR", 27), ("ES", 24), ("AT", 20)]);
    let body = letters(DIGITS, len - 4, chance);
    let number: String = format!("{body}{country}00")
        .chars()
        .map(|c| match c.to_digit(36) {
            Some(value) => value.to_string(),
            None => String::new(),
        })
        .collect();
    let rest = number.bytes().fold(0, |rest, digit| (rest * 10 + u32::from(digit - b'0')) % 97);
    format!("{country}{:02}{body}", 98 - rest)
}

pub fn ssn(chance: &mut Chance, first: &str) -> String {
    format!(
        "{first}{}-{}{}-1{}",
        letters("123", 2, chance),
        letters("123", 1, chance),
        letters(DIGITS, 1, chance),
        letters(DIGITS, 3, chance)
    )
}

pub fn aba(chance: &mut Chance) -> String {
    tried(
        chance,
        |chance| format!("0{}{}", letters("123456789", 1, chance), letters(DIGITS, 7, chance)),
        |d| (3 * (d[0] + d[3] + d[6]) + 7 * (d[1] + d[4] + d[7]) + d[2] + d[5] + d[8]).is_multiple_of(10),
    )
}

pub fn nhs(chance: &mut Chance) -> String {
    tried(
        chance,
        |chance| {
            format!(
                "9{} {} {}",
                letters(DIGITS, 2, chance),
                letters(DIGITS, 3, chance),
                letters(DIGITS, 4, chance)
            )
        },
        |d| (sum(d, &[10, 9, 8, 7, 6, 5, 4, 3, 2]) + d[9]).is_multiple_of(11),
    )
}

pub fn bsn(chance: &mut Chance) -> String {
    tried(
        chance,
        |chance| format!("1{}", letters(DIGITS, 8, chance)),
        |d| (sum(d, &[9, 8, 7, 6, 5, 4, 3, 2]) + 10 * d[8]).is_multiple_of(11),
    )
}

pub fn pesel(chance: &mut Chance) -> String {
    tried(
        chance,
        |chance| format!("4405{}", letters(DIGITS, 7, chance)),
        |d| (10 - sum(&d[..10], &[1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10) % 10 == d[10],
    )
}

pub fn tfn(chance: &mut Chance) -> String {
    tried(
        chance,
        |chance| {
            format!(
                "1{} {} {}",
                letters(DIGITS, 2, chance),
                letters(DIGITS, 3, chance),
                letters(DIGITS, 3, chance)
            )
        },
        |d| sum(d, &[1, 4, 3, 7, 5, 8, 6, 9, 10]).is_multiple_of(11),
    )
}

pub fn sin(chance: &mut Chance) -> String {
    tried(
        chance,
        |chance| {
            format!(
                "0{} {} {}",
                letters(DIGITS, 2, chance),
                letters(DIGITS, 3, chance),
                letters(DIGITS, 3, chance)
            )
        },
        luhn,
    )
}

/// Verhoeff by the dihedral group of ten, computed instead of a table.
pub fn aadhaar(chance: &mut Chance) -> String {
    let times = |a: usize, b: usize| match (a < 5, b < 5) {
        (true, true) => (a + b) % 5,
        (true, false) => 5 + (a + b - 5) % 5,
        (false, true) => 5 + (a - 5 + 5 - b) % 5,
        (false, false) => (a + 5 - b) % 5,
    };
    const MOVE: [usize; 10] = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];
    tried(
        chance,
        |chance| {
            format!(
                "2{} {} {}",
                letters(DIGITS, 3, chance),
                letters(DIGITS, 4, chance),
                letters(DIGITS, 4, chance)
            )
        },
        |d| {
            let moved = |digit: usize, often: usize| (0..often % 8).fold(digit, |digit, _| MOVE[digit]);
            d.iter().rev().enumerate().fold(0, |all, (at, digit)| times(all, moved(*digit, at))) == 0
        },
    )
}

pub fn steuer(chance: &mut Chance) -> String {
    tried(
        chance,
        |chance| format!("8{}", letters(DIGITS, 10, chance)),
        |d| {
            let mut product = 10;
            for digit in &d[..10] {
                product = (product + digit - 1) % 10 + 1;
                product = product * 2 % 11;
            }
            (product + d[10]) % 10 == 1
        },
    )
}

pub fn my_number(chance: &mut Chance) -> String {
    tried(
        chance,
        |chance| letters(DIGITS, 12, chance),
        |d| {
            let rest = sum(&d[..11], &[6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
            d[11] == [0, 0, 9, 8, 7, 6, 5, 4, 3, 2, 1][rest]
        },
    )
}

pub fn nir(chance: &mut Chance) -> String {
    let body = format!("2{}07{}", letters(DIGITS, 2, chance), letters(DIGITS, 8, chance));
    let number: u64 = body.parse().expect("a number");
    format!("{body}{:02}", 97 - number % 97)
}

pub fn dni(chance: &mut Chance, off: usize) -> String {
    let number = letters(DIGITS, 8, chance);
    let place: usize = number.parse().expect("a number");
    format!("{number}{}", char::from(b"TRWAGMYFPDXBNJZSQVHLCKE"[(place + off) % 23]))
}

pub fn cpf(chance: &mut Chance) -> String {
    let plain = tried(
        chance,
        |chance| letters(DIGITS, 11, chance),
        |d| {
            let check = |len: usize| {
                let rest = (0..len).map(|at| d[at] * (len + 1 - at)).sum::<usize>() % 11;
                if rest < 2 { 0 } else { 11 - rest }
            };
            check(9) == d[9] && check(10) == d[10]
        },
    );
    format!("{}.{}.{}-{}", &plain[..3], &plain[3..6], &plain[6..9], &plain[9..])
}

pub fn cn_id(chance: &mut Chance) -> String {
    let body = format!(
        "110105{}{:02}{:02}{}",
        1940 + chance.below(70),
        1 + chance.below(12),
        1 + chance.below(28),
        letters(DIGITS, 3, chance)
    );
    let rest: usize =
        values(&body).iter().enumerate().map(|(at, digit)| digit * (1 << (17 - at)) % 11).sum::<usize>() % 11;
    let check = (12 - rest) % 11;
    format!("{body}{}", if check == 10 { "X".to_owned() } else { check.to_string() })
}

pub fn swedish(chance: &mut Chance) -> String {
    let day = format!("81{:02}{:02}", 1 + chance.below(12), 1 + chance.below(28));
    tried(chance, |chance| format!("{day}-{}", letters(DIGITS, 4, chance)), luhn)
}

pub fn codice(chance: &mut Chance, off: u32) -> String {
    const ODD: &[u8; 26] = b"BAKPLCQDREVOSFTGUHMINJWZYX";
    let body = format!(
        "{}{}M{}H{}",
        letters(UPPER, 6, chance),
        letters(DIGITS, 2, chance),
        letters(DIGITS, 2, chance),
        letters(DIGITS, 3, chance)
    );
    // The table by rank: a character at an odd position counts as the position of its letter in ODD.
    let rank = |byte: u8| u32::from(if byte.is_ascii_digit() { byte - b'0' } else { byte - b'A' });
    let odd = |byte: u8| {
        let letter = b'A' + u8::try_from(rank(byte)).expect("a letter");
        ODD.iter()
            .position(|known| *known == letter)
            .and_then(|at| u32::try_from(at).ok())
            .expect("every letter")
    };
    let total: u32 =
        body.bytes().enumerate().map(|(at, byte)| if at % 2 == 0 { odd(byte) } else { rank(byte) }).sum();
    format!("{body}{}", char::from(b'A' + u8::try_from((total + off) % 26).expect("a letter")))
}

pub fn vin(chance: &mut Chance, off: bool) -> String {
    const ALPHABET: &str = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789";
    let value = |c: char| match c {
        '0'..='9' => c.to_digit(10),
        'A'..='H' => Some(u32::from(c) - u32::from('A') + 1),
        'J'..='R' => Some(u32::from(c) - u32::from('J') + 1),
        _ => Some(u32::from(c) - u32::from('S') + 2),
    };
    let mut chars: Vec<char> = letters(ALPHABET, 17, chance).chars().collect();
    chars[8] = '0';
    let weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
    let total: u32 = chars.iter().zip(weights).map(|(c, weight)| value(*c).expect("a value") * weight).sum();
    chars[8] = "0123456789X".chars().nth(((total + u32::from(off)) % 11) as usize).expect("a check");
    chars.into_iter().collect()
}

pub fn passport(chance: &mut Chance, off: u32) -> String {
    let check = |text: &str| {
        let total: u32 = text
            .chars()
            .zip([7, 3, 1].into_iter().cycle())
            .map(|(c, weight)| c.to_digit(36).unwrap_or(0) * weight)
            .sum();
        (total % 10).to_string()
    };
    let number = format!("L{}", letters(DIGITS, 8, chance));
    let born = format!("74{:02}12", 1 + chance.below(12));
    let wrong = (check(&number).parse::<u32>().expect("a digit") + off) % 10;
    format!("{number}{wrong}UTO{born}{}F270412{}{}<10", check(&born), check("270412"), "<".repeat(13))
}

pub fn date(chance: &mut Chance) -> String {
    format!("19{:02}-{:02}-{:02}", chance.below(100), 1 + chance.below(12), 1 + chance.below(28))
}

pub fn position(chance: &mut Chance) -> String {
    format!("48.2{}, 16.3{}", letters(DIGITS, 4, chance), letters(DIGITS, 4, chance))
}

pub fn mac(chance: &mut Chance) -> String {
    format!("3c:7a:{}:9d:{}:{}", letters(HEX, 2, chance), letters(HEX, 2, chance), letters(HEX, 2, chance))
}
