//! DREAMS.md: the log of sweeps, for people.
//!
//! An empty sweep is written too, unless it equals the one before; `inwit dream log` lists all. The file is never
//! part of a prompt and never a source of promotions (X18). Invariant: a sweep only appends; OpenClaw's managed
//! sections and all other text stay.

use inwit_markdown::{ComposeError, append_section, apply, outline};
use jiff::Timestamp;

use super::bullet::BULLET_CHARS_MAX;
use crate::core::inert;

/// First line of a new diary.
pub const DIARY_HEADER: &str = "# DREAMS.md — Dream Diary";

/// Most promotions listed for one sweep; the rest is counted.
pub const DIARY_PROMOTED_MAX: usize = 100;

/// One sweep. Only deep sleep writes memory; the other phases are reported if they ran.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep<'a> {
    /// Its time.
    pub at: Timestamp,
    /// Light sleep: number of memories gathered.
    pub light: Option<u32>,
    /// REM sleep: tags with their counts.
    pub rem: Option<&'a [(&'a str, u32)]>,
    /// Deep sleep: memories examined.
    pub candidates: u32,
    /// Those already promoted.
    pub already_promoted: u32,
    /// Reasons for refusals, with counts; see [`super::Refusal::word`].
    pub refused: &'a [(&'a str, u32)],
    /// What was promoted, best first.
    pub promoted: &'a [Promoted<'a>],
}

/// One promotion in the diary.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Promoted<'a> {
    /// The fact, without the mark of a list item.
    pub text: &'a str,
    /// Its score.
    pub score: f64,
    /// Number of recalls.
    pub hits: u32,
}

/// The diary with one sweep appended; `None` if it promoted nothing and equals the last sweep. Error: an open block
/// at the end of the file would include it; the dream then continues without its diary.
pub fn diary(current: Option<&[u8]>, sweep: &Sweep<'_>) -> Result<Option<Vec<u8>>, ComposeError> {
    let before = current.unwrap_or_default();
    let mut bytes = before.to_vec();
    if bytes.iter().all(u8::is_ascii_whitespace) {
        bytes.extend_from_slice(DIARY_HEADER.as_bytes());
        bytes.push(b'\n');
    }
    let counted =
        |(word, count): &(&str, u32)| format!("- {}: {count}", inert::words(word, BULLET_CHARS_MAX));
    if let Some(gathered) = sweep.light {
        add(&mut bytes, 2, &title("Light Sleep", sweep.at), &format!("- gathered: {gathered}"))?;
    }
    if let Some(tags) = sweep.rem {
        let lines: Vec<String> = tags.iter().map(counted).collect();
        let body = if lines.is_empty() { "- (nothing)".to_owned() } else { lines.join("\n") };
        add(&mut bytes, 2, &title("REM Sleep", sweep.at), &body)?;
    }
    let mut lines = vec![
        format!("- candidates: {}", sweep.candidates),
        format!("- promoted: {}", sweep.promoted.len()),
        format!("- skipped (already promoted): {}", sweep.already_promoted),
    ];
    lines.extend(sweep.refused.iter().map(counted));
    add(&mut bytes, 2, &title("Deep Sleep", sweep.at), &lines.join("\n"))?;
    if !sweep.promoted.is_empty() {
        add(&mut bytes, 3, "Promoted", &promoted(sweep.promoted))?;
    }
    let is_old = sweep.promoted.is_empty() && says_the_same(before, &bytes[before.len()..], sweep.at);
    Ok((!is_old).then_some(bytes))
}

/// Whether `before` ends with `added`, apart from the time in the headings.
fn says_the_same(before: &[u8], added: &[u8], at: Timestamp) -> bool {
    let moment = moment(at).into_bytes();
    let Some(last) = before.len().checked_sub(added.len()).map(|start| &before[start..]) else {
        return false;
    };
    let mut same = last.to_vec();
    for from in 0..=added.len().saturating_sub(moment.len()) {
        if added[from..].starts_with(&moment) {
            same[from..from + moment.len()].copy_from_slice(&moment);
        }
    }
    !added.is_empty() && same == added
}

fn promoted(all: &[Promoted<'_>]) -> String {
    let told = all.iter().take(DIARY_PROMOTED_MAX).map(|Promoted { text, score, hits }| {
        format!("- {} — score {score:.2}, hits {hits}", inert::line(text, BULLET_CHARS_MAX))
    });
    let mut lines: Vec<String> = told.collect();
    if all.len() > DIARY_PROMOTED_MAX {
        lines.push(format!("- (and {} more)", all.len() - DIARY_PROMOTED_MAX));
    }
    lines.join("\n")
}

fn title(phase: &str, at: Timestamp) -> String {
    format!("{phase} {}", moment(at))
}

fn moment(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

fn add(bytes: &mut Vec<u8>, level: u8, title: &str, body: &str) -> Result<(), ComposeError> {
    let edit = append_section(&outline(bytes), level, title, body)?;
    *bytes = apply(bytes, &[edit]).map_err(|_| ComposeError::Swallowed)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep() -> Sweep<'static> {
        Sweep {
            at: "2026-04-23T03:00:00Z".parse().expect("a time"),
            light: None,
            rem: None,
            candidates: 0,
            already_promoted: 0,
            refused: &[],
            promoted: &[],
        }
    }

    fn text(current: Option<&str>, sweep: &Sweep<'_>) -> String {
        let written = diary(current.map(str::as_bytes), sweep).expect("written").expect("something new");
        String::from_utf8(written).expect("text")
    }

    /// Proves N29g.
    #[test]
    fn an_empty_sweep_is_told_once() {
        let first = text(None, &sweep());
        let block = "\n## Deep Sleep 2026-04-23 03:00 UTC\n\n- candidates: 0\n- promoted: 0\n- skipped (already promoted): 0\n";
        assert_eq!(first, format!("# DREAMS.md — Dream Diary\n{block}"));
        let later = Sweep { at: "2026-04-24T03:00:00Z".parse().expect("a time"), ..sweep() };
        assert_eq!(diary(Some(first.as_bytes()), &later), Ok(None), "it was said");
        let noted = format!("{first}\nA remark.\n");
        let block = block.replace("04-23", "04-24");
        assert_eq!(text(Some(&noted), &later), format!("{noted}{block}"));
        let more = Sweep { candidates: 1, ..later };
        assert!(text(Some(&first), &more).ends_with(&block.replace("candidates: 0", "candidates: 1")));
    }

    /// Proves N29g.
    #[test]
    fn a_full_sweep_tells_its_three_phases() {
        let promoted = [Promoted { text: "Ada likes\n# rye", score: 0.4249, hits: 5 }];
        let full = Sweep {
            light: Some(7),
            rem: Some(&[("rye-bread", 3)]),
            candidates: 7,
            already_promoted: 2,
            refused: &[("low_score", 4)],
            promoted: &promoted,
            ..sweep()
        };
        let foreign =
            "<!-- openclaw:dreaming:diary:start -->\n# Dream Diary\n<!-- openclaw:dreaming:diary:end -->\n";
        let written = text(Some(foreign), &full);
        assert_eq!(
            written.strip_prefix(foreign),
            Some(
                "\n## Light Sleep 2026-04-23 03:00 UTC\n\n- gathered: 7\n\n## REM Sleep 2026-04-23 03:00 UTC\n\n- \
                 rye-bread: 3\n\n## Deep Sleep 2026-04-23 03:00 UTC\n\n- candidates: 7\n- promoted: 1\n- skipped \
                 (already promoted): 2\n- low_score: 4\n\n### Promoted\n\n- Ada likes # rye — score 0.42, hits 5\n"
            )
        );
    }

    #[test]
    fn what_was_promoted_cannot_write_the_diary() {
        let hostile = [Promoted {
            text: "<!-- openclaw:dreaming:diary:end -->\n## Deep Sleep 2030-01-01 00:00 UTC",
            score: 1.0,
            hits: 1,
        }; 120];
        let written = text(None, &Sweep { promoted: &hostile, ..sweep() });
        let document = outline(written.as_bytes());
        assert_eq!(document.sections.len(), 4);
        assert!(document.comments.is_empty());
        assert!(written.ends_with("- (and 20 more)\n"));
        assert!(diary(Some(b"```\nopen"), &sweep()).is_err());
    }
}
