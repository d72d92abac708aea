//! Numbers in Chinese characters, and figures with a unit of ten thousand: `三万`, `3万` and `30000` are one term.

/// Longest run that is read as a number, in characters.
const RUN_CHARS_MAX: usize = 24;

/// Largest number that is a term.
const NUMBER_MAX: u64 = 1_000_000_000_000;

/// The figures of the numbers in `text` (folded) that are written with a Chinese character. A lone `一` is none: it stands in
/// too many other words.
pub(crate) fn figures(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    if text.is_ascii() {
        return found;
    }
    let mut run = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_ascii_digit() || digit(c).is_some() || unit(c).is_some() || (c == '点' && !run.is_empty()) {
            run.push(c);
            continue;
        }
        let number = run.trim_end_matches('点');
        if number != "一" && !number.is_ascii() && number.chars().count() <= RUN_CHARS_MAX {
            found.extend(figure(number));
        }
        run.clear();
    }
    found
}

fn digit(c: char) -> Option<u64> {
    const DIGITS: [char; 10] = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
    let c = match c {
        '〇' => '零',
        '两' => '二',
        other => other,
    };
    DIGITS.iter().position(|digit| *digit == c).map(|at| at as u64)
}

fn unit(c: char) -> Option<u64> {
    match c {
        '十' => Some(10),
        '百' => Some(100),
        '千' => Some(1_000),
        '万' => Some(10_000),
        '亿' => Some(100_000_000),
        _ => None,
    }
}

/// The figure of a run, where it is a number.
fn figure(run: &str) -> Option<String> {
    let (whole, behind) = run.split_once('点').unwrap_or((run, ""));
    let number = value(whole)?;
    if behind.is_empty() {
        return Some(number.to_string());
    }
    let behind: Option<String> = behind
        .chars()
        .map(|c| digit(c).or(c.to_digit(10).map(u64::from)))
        .map(|d| d.map(|d| d.to_string()))
        .collect();
    Some(format!("{number}.{}", behind?))
}

fn value(run: &str) -> Option<u64> {
    let has_unit = run.chars().any(|c| unit(c).is_some());
    let (mut total, mut section, mut last): (u64, u64, Option<u64>) = (0, 0, None);
    for c in run.chars() {
        if let Some(digit) = digit(c).or(c.to_digit(10).map(u64::from)) {
            // Without a unit digits stand beside each other, as in a year.
            last = match last {
                Some(before) if c.is_ascii_digit() || !has_unit => {
                    Some(before.checked_mul(10)?.checked_add(digit)?)
                }
                _ => Some(digit),
            };
        } else {
            let unit = unit(c)?;
            if unit >= 10_000 {
                section = section.checked_add(last.take().unwrap_or(0))?;
                total = total.checked_add(section.max(1).checked_mul(unit)?)?;
                section = 0;
            } else {
                section = section.checked_add(last.take().unwrap_or(1).checked_mul(unit)?)?;
            }
        }
        if total > NUMBER_MAX || section > NUMBER_MAX || last.unwrap_or(0) > NUMBER_MAX {
            return None;
        }
    }
    total.checked_add(section)?.checked_add(last.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_one_figure_however_it_is_written() {
        for (text, figure) in [
            ("三万", "30000"),
            ("3万块", "30000"),
            ("三时", "3"),
            ("两百五十", "250"),
            ("十二", "12"),
            ("二〇二六年", "2026"),
            ("一亿二千万", "120000000"),
            ("利率三点一", "3.1"),
            ("12万", "120000"),
        ] {
            assert_eq!(figures(text), [figure], "{text}");
        }
    }

    #[test]
    fn what_is_no_number_gives_none() {
        for text in ["一个", "30000", "the 3rd", "点心", "", &"九".repeat(40)] {
            assert_eq!(figures(text), Vec::<String>::new(), "{text}");
        }
    }
}
