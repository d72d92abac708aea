//! Chinese times relative to today: days, weeks, months and years ago or ahead.

use jiff::civil::Date;

use super::word::{after, blank, digit, number, weekday};
use super::{ChineseMatch, Now, in_month, in_year};
use crate::time::calendar::{self, Unit, around, away, away_by_half, in_week, minutes_ago, moved};
use crate::time::{Interval, Reading};

pub(super) fn relative_day(text: &str, now: Now) -> Option<ChineseMatch<'_>> {
    const DAYS: [(&[&str], i32); 8] = [
        (&["大前天"], -3),
        (&["前天", "前日"], -2),
        (&["昨天", "昨日", "昨晚", "昨夜", "昨"], -1),
        (&["今天", "今日", "今晚", "今早", "今晨"], 0),
        (&["明天", "明日", "明晚", "明早"], 1),
        (&["大后天"], 3),
        (&["后天", "后日"], 2),
        (&["当天"], 0),
    ];
    let (days, rest) = DAYS.iter().find_map(|(words, days)| Some((*days, after(text, words)?)))?;
    // "昨" alone is a word only before a part of the day.
    if text.starts_with('昨') && rest.len() + '昨'.len_utf8() == text.len() || text.starts_with("当天") {
        return None;
    }
    let rest =
        after(rest, &["早上", "上午", "中午", "下午", "晚上", "晚", "夜里", "早晨", "傍晚"]).unwrap_or(rest);
    Some(ChineseMatch::day(moved(now.today?, Unit::Day, days), rest))
}

/// "三个星期前", "两天后", "最近三天", "过去两个月".
pub(super) fn counted(text: &str, now: Now) -> Option<ChineseMatch<'_>> {
    if let Some(rest) = after(text, &["最近", "过去", "近", "这", "前", "上", "未来", "接下来", "今后"])
    {
        let is_ahead = ["未来", "接下来", "今后"].iter().any(|word| text.starts_with(word));
        let rest = rest.strip_prefix('的').unwrap_or(rest);
        let ((_, most), unit, rest) = amount(rest)?;
        // "这一天", "上一周": "one" is not a count here.
        if most < 2 && text.starts_with(['这', '前', '上', '近']) {
            return None;
        }
        let other = moved(now.today?, unit, if is_ahead { most } else { -most });
        return Some(ChineseMatch::one(Interval::between(now.today?, other), rest));
    }
    if let Some(found) = halved(text, now).or_else(|| minutes(text, now)) {
        return Some(found);
    }
    let ((least, most), unit, rest) = amount(text)?;
    let (sign, rest) = match after(rest, &["之前", "以前", "前"]) {
        Some(rest) => (-1, rest),
        None => (1, after(rest, &["之后", "以后", "后"])?),
    };
    let today = now.today?;
    if least == most {
        return Some(ChineseMatch {
            readings: away(today, unit, sign * least),
            yearly: Vec::new(),
            rest,
            is_counted: false,
        });
    }
    let ends = [least, most].map(|count| around(moved(today, unit, sign * count), unit));
    Some(ChineseMatch::one(ends[0].hull(&ends[1]), rest))
}

/// "一年半前", "两个半月前".
fn halved(text: &str, now: Now) -> Option<ChineseMatch<'_>> {
    const UNITS: [(&str, Unit); 5] = [
        ("年半", Unit::Year),
        ("个半月", Unit::Month),
        ("个月半", Unit::Month),
        ("个半星期", Unit::Week),
        ("周半", Unit::Week),
    ];
    let (count, rest) = number(text)?;
    let (unit, rest) = UNITS.iter().find_map(|(word, unit)| Some((*unit, rest.strip_prefix(word)?)))?;
    let rest = after(rest, &["之前", "以前", "前"])?;
    Some(ChineseMatch {
        readings: away_by_half(now.today?, unit, count, -1)?.1,
        yearly: Vec::new(),
        rest,
        is_counted: false,
    })
}

/// "一小时前", "半个小时前", "十分钟前".
fn minutes(text: &str, now: Now) -> Option<ChineseMatch<'_>> {
    const HOUR: i32 = 60;
    const UNITS: [(&[&str], i32); 2] = [(&["个小时", "小时", "个钟头", "钟头"], HOUR), (&["分钟"], 1)];
    let (count, rest) = match after(text, &["半"]) {
        Some(rest) => (None, rest),
        None => number(text).map(|(count, rest)| (Some(count), rest))?,
    };
    let (unit, rest) = UNITS.iter().find_map(|(words, unit)| Some((*unit, after(blank(rest), words)?)))?;
    let rest = after(rest, &["之前", "以前", "前"])?;
    let minutes = count.map_or(unit / 2, |count| count * unit);
    Some(ChineseMatch {
        readings: minutes_ago(now.today?, minutes),
        yearly: Vec::new(),
        rest,
        is_counted: false,
    })
}

/// A number and its unit: "三个星期", "两天", "几个月", "半年".
pub(super) fn amount(text: &str) -> Option<((i32, i32), Unit, &str)> {
    if let Some(rest) = after(text, &["半年"]) {
        return Some(((6, 6), Unit::Month, rest));
    }
    let (count, rest) = match after(text, &["好几", "几", "数"]) {
        Some(rest) => ((2, 6), rest),
        None => vague(text).or_else(|| number(text).map(|(count, rest)| ((count, count), rest)))?,
    };
    let rest = blank(rest);
    const UNITS: [(&[&str], Unit); 5] = [
        (&["天", "日"], Unit::Day),
        (&["个星期", "星期", "个礼拜", "礼拜", "个周", "周"], Unit::Week),
        (&["个月"], Unit::Month),
        (&["个季度", "季度"], Unit::Quarter),
        (&["年"], Unit::Year),
    ];
    let (unit, rest) = UNITS.iter().find_map(|(words, unit)| Some((*unit, after(rest, words)?)))?;
    Some((count, unit, rest))
}

/// "两三个": two adjacent numbers are a range.
fn vague(text: &str) -> Option<((i32, i32), &str)> {
    let mut chars = text.chars();
    let (one, other) = (digit(chars.next()?)?, digit(chars.next()?)?);
    (other == one + 1 && one > 0 && !text.starts_with(|c: char| c.is_ascii_digit()))
        .then_some(((one, other), chars.as_str()))
}

/// Words for a year, and its distance from this one.
pub(super) const YEARS: [(&[&str], i32); 6] = [
    (&["大前年"], -3),
    (&["前年"], -2),
    (&["去年", "上一年"], -1),
    (&["今年", "本年"], 0),
    (&["明年", "下一年"], 1),
    (&["后年"], 2),
];

/// "去年今天", "一年前的今天", "整整半年前": to the day.
pub(super) fn same_day(text: &str, now: Now) -> Option<ChineseMatch<'_>> {
    let today = now.today?;
    let ago = |text| {
        let ((least, most), unit, rest) = amount(text)?;
        let rest = after(rest, &["之前", "以前", "前"]).filter(|_| least == most)?;
        Some((moved(today, unit, -most), rest))
    };
    if let Some(rest) = after(text, &["整整", "正好", "刚好", "恰好"]) {
        let (day, rest) = ago(rest)?;
        return Some(ChineseMatch::day(day, rest));
    }
    let of_year = || {
        let (years, rest) = YEARS.iter().find_map(|(words, years)| Some((*years, after(text, words)?)))?;
        Some((moved(today, Unit::Year, years), rest))
    };
    let (day, rest) = ago(text).or_else(of_year)?;
    let rest = rest.strip_prefix('的').unwrap_or(rest);
    Some(ChineseMatch::day(day, after(rest, &["今天", "今日", "同一天", "这一天"])?))
}

pub(super) fn relative_year(text: &str, now: Now) -> Option<ChineseMatch<'_>> {
    if let Some(rest) = after(text, &["年初", "年底", "年末"]) {
        let found = in_year(text, now.today?.year())?;
        return (found.rest == rest).then_some(found);
    }
    let (years, rest) = YEARS.iter().find_map(|(words, years)| Some((*years, after(text, words)?)))?;
    let year = moved(now.today?, Unit::Year, years).year();
    Some(in_year(blank(rest), year).unwrap_or_else(|| ChineseMatch::one(calendar::year(year), rest)))
}

/// The distance of a word: "上上" is -2.
fn steps(text: &str) -> Option<(i32, &str)> {
    const STEPS: [(&[&str], i32); 5] = [
        (&["上上"], -2),
        (&["下下"], 2),
        (&["上一", "上", "前一"], -1),
        (&["下一", "下"], 1),
        (&["这一", "这", "本", "当"], 0),
    ];
    STEPS.iter().find_map(|(words, steps)| Some((*steps, after(text, words)?)))
}

/// "上个月", "本月3号", "下个季度".
pub(super) fn relative_month(text: &str, now: Now) -> Option<ChineseMatch<'_>> {
    let (steps, rest) = steps(text)?;
    let rest = rest.strip_prefix('个').unwrap_or(rest);
    if let Some(rest) = after(rest, &["季度"]) {
        return Some(ChineseMatch::one(around(moved(now.today?, Unit::Quarter, steps), Unit::Quarter), rest));
    }
    if let Some(rest) = after(rest, &["月份", "月"]) {
        return in_month(rest, around(moved(now.today?, Unit::Month, steps), Unit::Month));
    }
    None
}

/// "上周五", "这个星期", "下周末", "星期三", "周末".
pub(super) fn week(text: &str, now: Now) -> Option<ChineseMatch<'_>> {
    let (named, rest) = match steps(text) {
        Some((steps, rest)) => (Some(steps), rest.strip_prefix('个').unwrap_or(rest)),
        None => (None, text),
    };
    let rest = match after(rest, &["周末"]) {
        Some(rest) => return weekend(named, now.today?, rest),
        None => after(rest, &["星期", "礼拜", "周"])?,
    };
    let day = rest.chars().next().and_then(|c| Some((weekday(c)?, &rest[c.len_utf8()..])));
    let today = now.today?;
    match (named, day) {
        (Some(steps), Some((day, rest))) => {
            let of_week = in_week(moved(today, Unit::Week, steps), day);
            Some(ChineseMatch::day(of_week, part_of_day(rest)))
        }
        (Some(steps), None) => {
            Some(ChineseMatch::one(around(moved(today, Unit::Week, steps), Unit::Week), rest))
        }
        (None, Some((day, rest))) => {
            let this = in_week(today, day);
            let other = moved(this, Unit::Week, if this <= today { 1 } else { -1 });
            let readings = [this, other].map(|day| Reading::of(Interval::day(day))).to_vec();
            Some(ChineseMatch { readings, yearly: Vec::new(), rest: part_of_day(rest), is_counted: false })
        }
        (None, None) => None,
    }
}

fn part_of_day(rest: &str) -> &str {
    after(rest, &["早上", "上午", "中午", "下午", "晚上", "晚", "早晨", "傍晚"]).unwrap_or(rest)
}

fn weekend(steps: Option<i32>, today: Date, rest: &str) -> Option<ChineseMatch<'_>> {
    let this = around(today, Unit::Weekend);
    match steps {
        Some(steps) => Some(ChineseMatch::one(around(moved(today, Unit::Week, steps), Unit::Weekend), rest)),
        None => {
            let other = if this.since? <= today { 1 } else { -1 };
            let other = around(moved(today, Unit::Week, other), Unit::Weekend);
            Some(ChineseMatch {
                readings: vec![Reading::of(this), Reading::of(other)],
                yearly: Vec::new(),
                rest,
                is_counted: false,
            })
        }
    }
}
