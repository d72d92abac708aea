//! Invented personal numbers and addresses with valid check digits.

mod number;

use self::number::{
    aadhaar, aba, bsn, card, cn_id, codice, cpf, date, dni, grouped, iban, mac, my_number, next_digit, nhs,
    nir, passport, pesel, position, sin, ssn, steuer, swedish, tfn, vin, wrong,
};
use super::checked::Row;
use super::{DIGITS, HEX, LOWER, Sample, UPPER, letters};
use crate::Chance;

pub const ROWS: &[Row] = &[
    (
        "payment_card",
        |chance| Sample::bare(grouped(&card(chance))),
        |at, chance| {
            let right = card(chance);
            let wrong = if at.is_multiple_of(2) { next_digit(&right) } else { format!("9{}", &right[1..]) };
            Sample::bare(grouped(&wrong))
        },
    ),
    (
        "iban",
        |chance| Sample::bare(grouped(&iban(chance))),
        |at, chance| {
            let right = iban(chance);
            let wrong = if at.is_multiple_of(2) { next_digit(&right) } else { format!("QQ{}", &right[2..]) };
            Sample::bare(if chance.coin() { grouped(&wrong) } else { wrong })
        },
    ),
    (
        "us_ssn",
        |chance| Sample::named("SSN ", ssn(chance, "1")),
        |at, chance| match at % 3 {
            0 => Sample::named("SSN ", ssn(chance, "9")),
            1 => Sample::named("SSN ", format!("000-{}", &ssn(chance, "1")[4..])),
            _ => Sample::bare(ssn(chance, "1")),
        },
    ),
    (
        "aba_routing",
        |chance| Sample::named("routing number ", aba(chance)),
        |at, chance| wrong(at, "routing number ", aba(chance)),
    ),
    (
        "uk_nhs",
        |chance| Sample::named("NHS number ", nhs(chance)),
        |at, chance| wrong(at, "NHS number ", nhs(chance)),
    ),
    ("nl_bsn", |chance| Sample::named("BSN ", bsn(chance)), |at, chance| wrong(at, "BSN ", bsn(chance))),
    (
        "pl_pesel",
        |chance| Sample::named("PESEL ", pesel(chance)),
        |at, chance| wrong(at, "PESEL ", pesel(chance)),
    ),
    ("au_tfn", |chance| Sample::named("TFN ", tfn(chance)), |at, chance| wrong(at, "TFN ", tfn(chance))),
    ("ca_sin", |chance| Sample::named("SIN: ", sin(chance)), |at, chance| wrong(at, "SIN: ", sin(chance))),
    (
        "in_aadhaar",
        |chance| Sample::named("Aadhaar ", aadhaar(chance)),
        |at, chance| wrong(at, "Aadhaar ", aadhaar(chance)),
    ),
    (
        "de_steuer_id",
        |chance| Sample::named("Steuer-ID ", steuer(chance)),
        |at, chance| wrong(at, "Steuer-ID ", steuer(chance)),
    ),
    (
        "jp_mynumber",
        |chance| Sample::named("My Number ", my_number(chance)),
        |at, chance| wrong(at, "My Number ", my_number(chance)),
    ),
    ("fr_nir", |chance| Sample::named("NIR ", nir(chance)), |at, chance| wrong(at, "NIR ", nir(chance))),
    (
        "uk_nino",
        |chance| Sample::named("NINO ", format!("AB{}C", letters(DIGITS, 6, chance))),
        |at, chance| {
            let prefix = *chance.pick(&["QQ", "BG", "DA", "AO"]);
            let before = if at.is_multiple_of(2) { "NINO " } else { "National Insurance " };
            Sample::named(before, format!("{prefix}{}C", letters(DIGITS, 6, chance)))
        },
    ),
    (
        "es_dni",
        |chance| Sample::named("DNI ", dni(chance, 0)),
        |at, chance| {
            if at.is_multiple_of(2) {
                Sample::named("DNI ", dni(chance, 1))
            } else {
                Sample::bare(dni(chance, 0))
            }
        },
    ),
    ("br_cpf", |chance| Sample::bare(cpf(chance)), |_, chance| Sample::bare(next_digit(&cpf(chance)))),
    (
        "cn_id",
        |chance| Sample::bare(cn_id(chance)),
        |_, chance| {
            let right = cn_id(chance);
            let (body, last) = right.split_at(17);
            Sample::bare(format!("{body}{}", if last == "X" { "1".to_owned() } else { next_digit(last) }))
        },
    ),
    (
        "se_personnummer",
        |chance| Sample::bare(swedish(chance)),
        |_, chance| Sample::bare(next_digit(&swedish(chance))),
    ),
    ("it_cf", |chance| Sample::bare(codice(chance, 0)), |_, chance| Sample::bare(codice(chance, 1))),
    (
        "vin",
        |chance| Sample::named("VIN ", vin(chance, false)),
        |_, chance| Sample::named("VIN ", vin(chance, true)),
    ),
    (
        "passport_mrz",
        |chance| Sample::bare(passport(chance, 0)),
        |_, chance| Sample::bare(passport(chance, 1)),
    ),
    (
        "birth_date",
        |chance| Sample::named("date of birth: ", date(chance)),
        |_, chance| Sample::bare(date(chance)),
    ),
    (
        "plate",
        |chance| {
            Sample::named(
                "licence plate ",
                format!("{} {}", letters(UPPER, 3, chance), letters(DIGITS, 4, chance)),
            )
        },
        |_, chance| Sample::bare(format!("{} {}", letters(UPPER, 3, chance), letters(DIGITS, 4, chance))),
    ),
    (
        "medical_code",
        |chance| Sample::named("diagnosis ", format!("E1{}.9", chance.below(5))),
        |_, chance| Sample::bare(format!("E1{}.9", chance.below(5))),
    ),
    (
        "geo_position",
        |chance| Sample::named("coordinates ", position(chance)),
        |_, chance| Sample::bare(position(chance)),
    ),
    (
        "email",
        |chance| {
            Sample::bare(format!("{}@{}.example.com", letters(LOWER, 6, chance), letters(LOWER, 5, chance)))
        },
        |at, chance| {
            let name = letters(LOWER, 6, chance);
            Sample::bare(match at % 4 {
                0 => format!("git@{name}.com"),
                1 => format!("{name}@2x.png"),
                2 => format!("@{name}/pkg@1.2.3"),
                _ => format!("{name}@{name}"),
            })
        },
    ),
    (
        "phone",
        |chance| Sample::bare(format!("+1 202-555-01{}", letters(DIGITS, 2, chance))),
        |at, chance| {
            let digits = letters(DIGITS, 5, chance);
            Sample::bare(if at.is_multiple_of(2) {
                format!("+1{digits}")
            } else {
                format!("a+1 202-555-0{digits}")
            })
        },
    ),
    (
        "national_phone",
        |chance| Sample::bare(format!("202-555-01{}", letters(DIGITS, 2, chance))),
        |at, chance| {
            let digits = letters(DIGITS, 2, chance);
            Sample::bare(if at.is_multiple_of(2) {
                format!("202-555.01{digits}")
            } else {
                format!("1202-555-01{digits}")
            })
        },
    ),
    (
        "ip_address",
        |chance| Sample::bare(format!("93.184.{}.{}", 20 + chance.below(200), chance.below(250))),
        |at, chance| {
            let last = chance.below(250);
            Sample::bare(match at % 4 {
                0 => format!("192.168.7.{last}"),
                1 => format!("203.0.113.{last}"),
                2 => format!("1.2.3.{}", last % 20),
                _ => format!("93.184.216.{last}.7"),
            })
        },
    ),
    (
        "ipv6_address",
        |chance| {
            let group = |chance: &mut Chance| format!("1{}", letters(HEX, 3, chance));
            Sample::bare(format!("2a00:{}:{}:{}::5", group(chance), group(chance), group(chance)))
        },
        |at, chance| {
            let group = letters(HEX, 4, chance);
            Sample::bare(if at.is_multiple_of(2) {
                format!("2001:db8:1{group}::5")
            } else {
                format!("fe80::1{group}")
            })
        },
    ),
    (
        "mac_address",
        |chance| Sample::bare(mac(chance)),
        |at, chance| {
            let right = mac(chance);
            Sample::bare(if at.is_multiple_of(2) { right[..14].to_owned() } else { format!("{right}:4b") })
        },
    ),
];
