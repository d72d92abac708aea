//! Words of a Chinese expression of time: seasons, quarters, days of the week, numbers.

use jiff::civil::Weekday;

pub fn season(text: &str) -> Option<(usize, &str)> {
    let season = ["春", "夏", "秋", "冬"].iter().position(|season| text.starts_with(season))?;
    Some((season, after(&text[3..], &["天", "季"])?))
}

pub fn quarter(text: &str) -> Option<(i8, &str)> {
    let rest = after(text, &["第"]).unwrap_or(text);
    let (number, rest) = match rest.strip_prefix(['Q', 'q']) {
        Some(rest) => {
            let (number, rest) = number(rest)?;
            return small(number).filter(|number| (1..=4).contains(number)).map(|number| (number, rest));
        }
        None => number(rest)?,
    };
    Some((small(number).filter(|number| (1..=4).contains(number))?, after(rest, &["季度"])?))
}

pub fn weekday(c: char) -> Option<Weekday> {
    let day = match c {
        '日' | '天' | '末' => 6,
        _ => i8::try_from(digit(c)?).ok()?.checked_sub(1)?,
    };
    Weekday::from_monday_zero_offset(day).ok()
}

/// A number up to 999: `21`, `二十一`, `十`, `两`, `廿` is not supported.
pub fn number(text: &str) -> Option<(i32, &str)> {
    const DIGITS_MAX: usize = 3;
    let ascii = text.bytes().take_while(u8::is_ascii_digit).count();
    if ascii > 0 {
        let number = text[..ascii].parse().ok().filter(|_| ascii <= DIGITS_MAX)?;
        return Some((number, &text[ascii..]));
    }
    let mut rest = text;
    let next = |rest: &mut &str| -> Option<i32> {
        let c = rest.chars().next()?;
        let value = digit(c)?;
        *rest = &rest[c.len_utf8()..];
        Some(value)
    };
    let tens = next(&mut rest);
    match (tens, rest.strip_prefix('十')) {
        (Some(0), _) => None,
        (tens, Some(behind)) => {
            rest = behind;
            let ones = next(&mut rest).unwrap_or(0);
            Some((tens.unwrap_or(1) * 10 + ones, rest))
        }
        (Some(ones), None) => Some((ones, rest)),
        (None, None) => None,
    }
}

pub fn digit(c: char) -> Option<i32> {
    Some(match c {
        '〇' | '零' => 0,
        '一' => 1,
        '二' | '两' => 2,
        '三' => 3,
        '四' => 4,
        '五' => 5,
        '六' => 6,
        '七' => 7,
        '八' => 8,
        '九' => 9,
        _ => i32::try_from(c.to_digit(10)?).ok()?,
    })
}

pub fn small(number: i32) -> Option<i8> {
    i8::try_from(number).ok()
}

/// The text after the first of `words` with which `text` begins.
pub fn after<'t>(text: &'t str, words: &[&str]) -> Option<&'t str> {
    words.iter().find_map(|word| text.strip_prefix(word))
}

/// Blanks around digits are usual: "2026 年 5 月".
pub fn blank(text: &str) -> &str {
    text.trim_start_matches(' ')
}
