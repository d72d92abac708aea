//! Plans the changes to a host's files before anything is written.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use inwit_model::{Code, Sha256};

use super::foreign;
use super::hosts::Wishes;
use super::receipt::{Made, Put, Receipt, Stood};
use super::skill;
use super::splice::{self, Splice};
use super::stood;
use super::strict;
use super::wish::{self, Ours, Wish};
use crate::error::CliError;

/// The reason for a host that does not see our entries: JSON with a duplicate member.
const NAMED_TWICE: &str = "a name occurs in it twice, so it is unclear which one the host reads";

/// The planned change of one file.
#[derive(Debug)]
pub struct FilePlan {
    /// The file.
    pub path: PathBuf,
    /// Its current content; `None` if it does not exist.
    pub before: Option<String>,
    /// Its new content; `None` if it is removed.
    pub after: Option<String>,
    /// Notices for the user, as sentences.
    pub notes: Vec<String>,
    /// Why the host will not read it.
    pub fault: Option<String>,
    /// The setting in it that disables the host's hooks.
    pub hooks_off: Option<&'static str>,
    /// Its receipt afterwards.
    pub(super) put: Option<Put>,
}

/// The desired state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// The files have the entries.
    In,
    /// The files have none of our entries.
    Out,
}

/// Makes the plan. Error: a file that cannot be read, or has something else in our place.
pub fn plan(
    wishes: &Wishes,
    skill: Option<&Path>,
    receipt: &Receipt,
    aim: Aim,
    is_strict: bool,
) -> Result<Vec<FilePlan>, CliError> {
    let mut plans = Vec::new();
    // The earlier location of a host's files.
    let old = |path: &Path| {
        let is_old = |put: &&Put| put.path != *path && put.path.file_name() == path.file_name();
        receipt.files.iter().filter(|_| aim == Aim::Out).filter(is_old).collect::<Vec<_>>()
    };
    for (path, wishes) in wishes {
        plans.push(of_file(path, wishes, receipt.of(path), aim, is_strict)?);
        for put in old(path) {
            plans.push(of_file(&put.path, wishes, Some(put), aim, is_strict)?);
        }
    }
    if let Some(path) = skill {
        plans.push(skill::plan(path, receipt.of(path), aim)?);
        for put in old(path) {
            plans.push(skill::plan(&put.path, Some(put), aim)?);
        }
    }
    Ok(plans)
}

fn of_file(
    path: &Path,
    wishes: &[Wish],
    known: Option<&Put>,
    aim: Aim,
    is_strict: bool,
) -> Result<FilePlan, CliError> {
    let is_json = !wishes.iter().any(|wish| matches!(wish, Wish::Table(_)));
    let before = foreign::read(path)?;
    let unfit = |why: String| foreign::unfit(path, &why);
    // A rule that a user wrote stays: only those in the receipt are ours.
    let is_ours = |wish: &&Wish| match wish {
        Wish::Allow { rule } => known.is_some_and(|known| known.rules.contains(rule)),
        wish => !known.is_some_and(|known| wish.is_among(&known.stood)),
    };
    let (after, put) = match aim {
        Aim::In => with(path, before.as_deref(), wishes, known, is_strict && is_json)?,
        Aim::Out => {
            let ours: Vec<Wish> = wishes.iter().filter(is_ours).cloned().collect();
            let after = without(before.as_deref(), &ours, known).map_err(unfit)?;
            let put = stood::put(path, after.as_deref().unwrap_or_default(), wishes, known);
            (after, put.map_err(unfit)?)
        }
    };
    let text = after.as_deref().unwrap_or_default();
    let mut notes = notes(path, wishes, text, aim).map_err(unfit)?;
    let kept = put.iter().filter(|_| aim == Aim::Out).flat_map(|put: &Put| &put.stood);
    notes.extend(kept.map(|(_, what)| stood::left(what, path)));
    let fault = strict::fault(text).filter(|_| is_json && aim == Aim::In);
    let hooks_off = if aim == Aim::In { wish::hooks_off(text, !is_json) } else { None };
    Ok(FilePlan { path: path.to_owned(), before, after, notes, fault, hooks_off, put })
}

/// The file without our entries, `None` if it would be removed.
fn without(before: Option<&str>, wishes: &[Wish], known: Option<&Put>) -> Result<Option<String>, String> {
    let Some(text) = before else { return Ok(None) };
    let stood = stood::of(known);
    let base = Base::of(text, wishes, known, &stood)?;
    if !base.existed {
        return Ok(None);
    }
    let is_of_hooks = wishes.iter().any(|wish| matches!(wish, Wish::Hook { .. }));
    if is_of_hooks {
        wish::without_copies(&base.text, &base.made, &stood).map(Some)
    } else {
        Ok(Some(base.text))
    }
}

/// The file with the desired entries, and its receipt.
fn with(
    path: &Path,
    before: Option<&str>,
    wishes: &[Wish],
    known: Option<&Put>,
    is_strict: bool,
) -> Result<(Option<String>, Option<Put>), CliError> {
    let is_strict = is_strict || known.is_some_and(|known| !known.loose_parts.is_empty());
    let text = before.unwrap_or_default();
    let unfit = |why: String| foreign::unfit(path, &why);
    let mut unmet = Vec::new();
    for wish in wishes {
        if wish.is_met(text).map_err(unfit)? {
            continue;
        }
        if let Some(theirs) = wish.in_the_way(text).map_err(unfit)? {
            return Err(stood::taken(path, &theirs));
        }
        unmet.push(wish.clone());
    }
    let is_loose = is_strict && strict::fault(text).is_some();
    if unmet.is_empty() && !is_loose {
        return Ok((before.map(str::to_owned), known.cloned()));
    }
    // A different entry is replaced, whoever wrote it.
    let mut stood = stood::of(known);
    stood.retain(|(place, _)| !unmet.iter().any(|wish| wish.stands_at(place)));
    let base = match known.filter(|known| !known.splices.is_empty() && known.undone(text).is_some()) {
        Some(_) => Base::of(text, wishes, known, &stood).map_err(unfit)?,
        // The file was changed since: only entries that differ are inserted again.
        None => Base {
            text: structural(text, &unmet, &Made::new(), Ours::AsWritten, &stood).map_err(unfit)?,
            existed: before.is_some(),
            folders: Vec::new(),
            made: known.map_or_else(Made::new, |known| known.made.clone()),
        },
    };
    let loose_parts = if is_strict { strict::loose_parts(&base.text) } else { Vec::new() };
    let mut after = strict::strict(&base.text, &loose_parts);
    let (mut made, mut splices) = (base.made, Vec::<Splice>::new());
    let mut rules = known.map_or_else(Vec::new, |known| known.rules.clone());
    for wish in wishes {
        if wish.is_met(&after).map_err(unfit)? {
            continue;
        }
        made.extend(wish.missing(&after));
        rules.extend(wish.rule().filter(|rule| !rules.contains(rule)));
        let put = wish.put(&after).map_err(unfit)?;
        after = splice::with(&after, &put);
        splices.push(put);
        if !wish.is_met(&after).map_err(unfit)? {
            return Err(unfit(NAMED_TWICE.to_owned()));
        }
    }
    let put = Put {
        path: path.to_owned(),
        existed: base.existed,
        folders: if before.is_none() { foreign::missing_folders(path) } else { base.folders },
        sha256: Sha256::of(after.as_bytes()).to_string(),
        splices,
        made,
        loose_parts,
        rules,
        stood,
    };
    Ok((Some(after), Some(put)))
}

/// A file without us.
struct Base {
    text: String,
    existed: bool,
    folders: Vec<PathBuf>,
    /// Containers that setup created and that may still exist.
    made: Made,
}

impl Base {
    /// Without all entries except those that `stood` there before.
    fn of(text: &str, wishes: &[Wish], known: Option<&Put>, stood: &Stood) -> Result<Self, String> {
        if let Some((put, undone)) = known.and_then(|put| Some((put, put.undone(text)?))) {
            // The earlier content may have an older entry of ours.
            let text = structural(&undone, wishes, &put.made, Ours::WithAdditions, stood)?;
            return Ok(Self {
                text,
                existed: put.existed,
                folders: put.folders.clone(),
                made: put.made.clone(),
            });
        }
        // The file was changed since: it is the user's now, and only our entries are removed.
        let Some(put) = known else {
            // The creator of the surroundings is unknown; empty ones serve no one else.
            let made = wishes.iter().flat_map(Wish::containers).collect();
            let text = structural(text, wishes, &made, Ours::AsWritten, stood)?;
            return Ok(Self { text, existed: true, folders: Vec::new(), made: Made::new() });
        };
        let cut = structural(text, wishes, &put.made, Ours::WithAdditions, stood)?;
        // Restores the exact bytes if the result is equivalent, including blanks.
        let lifted = put.lifted(text).filter(|lifted| wishes.iter().all(|wish| wish.is_same(lifted, &cut)));
        Ok(Self { text: lifted.unwrap_or(cut), existed: true, folders: Vec::new(), made: put.made.clone() })
    }
}

/// `text` without the entries that the wishes recognise as ours, except what `stood` there before.
fn structural(text: &str, wishes: &[Wish], made: &Made, ours: Ours, stood: &Stood) -> Result<String, String> {
    let take = |text: String, wish: &Wish| wish.taken_out(&text, made, ours, stood);
    let without = wishes.iter().try_fold(text.to_owned(), take)?;
    for wish in wishes {
        if !wish.is_gone(&without, ours, stood)? {
            return Err(NAMED_TWICE.to_owned());
        }
    }
    Ok(without)
}

/// Notices about a file with the content `after`.
fn notes(path: &Path, wishes: &[Wish], after: &str, aim: Aim) -> Result<Vec<String>, String> {
    let (mut notes, mut seen) = (Vec::new(), HashSet::new());
    // Additions to a working server entry are the user's.
    let is_told = |wish: &&Wish| aim == Aim::Out || matches!(wish, Wish::Hook { .. });
    // Each hook wish checks the hooks of all events.
    let mut are_hooks_read = false;
    let is_new =
        |wish: &&Wish| !matches!(wish, Wish::Hook { .. }) || !std::mem::replace(&mut are_hooks_read, true);
    for wish in wishes.iter().filter(is_told).filter(is_new) {
        for theirs in wish.theirs(after)? {
            if seen.insert(theirs.clone()) {
                notes.push(stood::left(&theirs, path));
            }
        }
    }
    if let Some(plugin) = wish::plugin(after).filter(|_| aim == Aim::In) {
        notes.push(format!(
            "The plugin `{plugin}` is enabled too, so every hook would run twice. Remove one of the two: \
             `/plugin uninstall {plugin}` there, or `inwit setup claude-code --uninstall --apply`."
        ));
    }
    Ok(notes)
}

impl FilePlan {
    /// Whether anything changes.
    pub fn is_change(&self) -> bool {
        self.before != self.after
    }

    /// Whether the host would run what it says.
    pub fn is_in_force(&self) -> bool {
        self.fault.is_none() && self.hooks_off.is_none()
    }

    /// A word for the change.
    pub fn word(&self) -> &'static str {
        match (&self.before, &self.after) {
            (None, Some(_)) => "create",
            (Some(_), None) => "remove",
            _ if self.is_change() => "change",
            _ => "same",
        }
    }

    /// The change as a unified diff.
    pub fn diff(&self) -> String {
        let bytes = |text: &Option<String>| text.as_ref().map(|text| text.as_bytes().to_vec());
        let (before, after) = (bytes(&self.before), bytes(&self.after));
        // The format has a separate folder before the name.
        let name = self.path.display().to_string();
        let name = name.trim_start_matches('/');
        inwit_workspace::diff::unified(name, before.as_deref(), after.as_deref())
    }
}

/// Carries out the plan. Receipts are written before the files, so that insertions can always be removed. Leftovers
/// of a killed setup are removed with our entries.
pub fn carry_out(
    plans: &[FilePlan],
    aim: Aim,
    known: &Receipt,
    state: &Path,
    host: &str,
) -> Result<(), CliError> {
    let is_planned = |put: &&Put| plans.iter().any(|plan| plan.path == put.path);
    let elsewhere = known.files.iter().filter(|put| !is_planned(put)).cloned();
    let receipt =
        Receipt { files: plans.iter().filter_map(|plan| plan.put.clone()).chain(elsewhere).collect() };
    if !receipt.files.is_empty() && receipt != *known {
        receipt.keep(state, host)?;
    }
    if aim == Aim::Out {
        plans.iter().try_for_each(|plan| foreign::sweep_drafts(&plan.path))?;
    }
    for plan in plans.iter().filter(|plan| plan.is_change() || plan.after.is_none()) {
        // A running host writes its files too.
        if foreign::read(&plan.path)? != plan.before {
            let message = format!("{} changed while it was being read.", plan.path.display());
            return Err(
                CliError::new(Code::Stale, message).hint("It was not written. Run the same command again.")
            );
        }
        match &plan.after {
            Some(text) => foreign::write(&plan.path, text)?,
            None => {
                let folders = known.of(&plan.path).map_or(&[][..], |put| put.folders.as_slice());
                // The folder of our skill is recognised by its name.
                let own = plan.path.parent().filter(|folder| folder.ends_with(skill::FOLDER));
                let own = own.map(Path::to_path_buf);
                foreign::remove(&plan.path, if folders.is_empty() { own.as_slice() } else { folders })?;
            }
        }
    }
    if receipt.files.is_empty() { receipt.keep(state, host) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::super::call::Own;
    use super::super::jsonc::tests::PARSED;
    use super::super::server::Server;
    use super::*;
    use proptest::prelude::*;
    use std::cell::Cell;

    fn own() -> Own {
        Own { program: "inwit".into(), home: None, arguments: Vec::new() }
    }

    fn hook(event: &'static str) -> Wish {
        Wish::Hook { event, command: own().command(&["hook", "stop"]), timeout_seconds: 10 }
    }

    /// The file after `--apply`, and its receipt.
    fn put_into(text: &str, wishes: &[Wish]) -> (String, Put) {
        let (after, put) = with(Path::new("/f"), Some(text), wishes, None, false).expect("put in");
        (after.expect("there"), put.expect("remembered"))
    }

    #[test]
    fn a_name_that_stands_twice_is_refused_in_both_directions() {
        let twice = "{\"hooks\": {}, \"hooks\": {\"Stop\": []}}";
        assert!(with(Path::new("/f"), Some(twice), &[hook("Stop")], None, false).is_err());
        let ours = put_into("{}", &[hook("Stop")]).0;
        let hidden = format!("{{\"hooks\": {{}}, {}", &ours[1..]);
        assert!(Base::of(&hidden, &[hook("Stop")], None, &Stood::new()).is_err());
    }

    /// Regression: `--apply` took 18 seconds for a file with 2,000 events, because it was parsed once per event and
    /// hook.
    #[test]
    fn a_file_is_parsed_as_often_however_many_events_it_has() {
        let parsed = |events: usize, aim: Aim| {
            let one = |number| {
                format!(r#""Event{number}": [{{"hooks": [{{"command": "inwit hook stop; say {number}"}}]}}]"#)
            };
            let text = format!("{{\"hooks\": {{{}}}}}", (0..events).map(one).collect::<Vec<_>>().join(", "));
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("settings.json");
            foreign::write(&path, &text).expect("written");
            PARSED.with(|parsed| parsed.set(0));
            let wishes = [hook("Stop"), hook("SessionStart")];
            let plan = of_file(&path, &wishes, None, aim, false).expect("planned");
            assert_eq!(plan.notes.len(), events, "each is the person's own, named once");
            PARSED.with(Cell::get)
        };
        for aim in [Aim::In, Aim::Out] {
            assert_eq!(parsed(2, aim), parsed(50, aim), "{aim:?}");
        }
    }

    /// A file of a host in a separate folder, and the effect of `--apply`.
    fn planned() -> (tempfile::TempDir, std::path::PathBuf, Vec<FilePlan>) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("settings.json");
        foreign::write(&path, "{}").expect("written");
        let wishes = vec![(path.clone(), vec![hook("Stop")])];
        let plans = plan(&wishes, None, &Receipt::default(), Aim::In, false).expect("planned");
        (folder, path, plans)
    }

    /// A running host writes its files too.
    #[test]
    fn what_a_host_wrote_since_the_plan_is_not_written_over() {
        let (folder, path, plans) = planned();
        foreign::write(&path, "{\"theme\": \"dark\"}").expect("written");
        let error =
            carry_out(&plans, Aim::In, &Receipt::default(), folder.path(), "host").expect_err("it changed");
        assert_eq!(error.code, Code::Stale);
        assert_eq!(std::fs::read_to_string(&path).expect("read"), "{\"theme\": \"dark\"}");
    }

    #[test]
    fn a_file_of_a_host_keeps_its_mode() {
        use std::os::unix::fs::PermissionsExt as _;
        let (folder, path, plans) = planned();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).expect("a mode");
        carry_out(&plans, Aim::In, &Receipt::default(), folder.path(), "host").expect("put in");
        let mode = path.metadata().expect("there").permissions().mode() & 0o777;
        assert_eq!(format!("{mode:o}"), "640");
    }

    /// It could not be removed byte for byte.
    #[test]
    fn what_cannot_be_remembered_is_not_put_in() {
        let (_folder, path, plans) = planned();
        carry_out(&plans, Aim::In, &Receipt::default(), &path, "host")
            .expect_err("a file is no folder of receipts");
        assert_eq!(std::fs::read_to_string(&path).expect("read"), "{}");
    }

    /// Members of a file, one per line, one of them ours.
    fn members() -> impl Strategy<Value = Vec<&'static str>> {
        let place = prop::sample::select(vec![
            "\"hooks\": {}",
            "\"hooks\": {\n  }",
            "\"hooks\": { \"Stop\": [] }",
            "\"hooks\": {\n    \"Stop\": [\n      // a bell\n      { \"hooks\": [{ \"command\": \"say hi\" }] }\n    ]\n  }",
            "\"theme\": \"dark\"",
        ]);
        let others = prop::sample::subsequence(
            vec!["\"a\": 1", "// of b\n  \"b\": [1, 2]", "\"c\": {} /* c */"],
            0..=3,
        );
        (place, others, any::<prop::sample::Index>()).prop_map(|(place, mut others, at)| {
            others.insert(at.index(others.len() + 1), place);
            others
        })
    }

    proptest! {
        /// Comments, blank lines and members that a user adds in between stay unchanged.
        #[test]
        fn what_is_added_to_json_in_between_stays_to_the_byte(
            members in members(),
            at in any::<prop::sample::Index>(),
            added in prop::sample::select(vec!["// mine\n  ", "\n  ", "\"mine\": { \"hooks\": [] },\n\t"]),
            tail in prop::sample::select(vec!["", "// end", "\n\n"]),
            is_crlf in any::<bool>(),
        ) {
            let ends = |text: String| if is_crlf { text.replace('\n', "\r\n") } else { text };
            let text = ends(format!("{{\n  {}\n}}\n", members.join(",\n  ")));
            let name = members[at.index(members.len())].split('\n').next().unwrap_or_default();
            // At the same place in both, before a common line.
            let edit = |text: &str| {
                let line = text.find(name).expect("there");
                format!("{}{}{}{tail}", &text[..line], ends(added.to_owned()), &text[line..])
            };
            let wishes = [hook("Stop"), hook("SessionStart")];
            let (whole, put) = put_into(&text, &wishes);
            prop_assert_eq!(&Base::of(&whole, &wishes, Some(&put), &Stood::new()).expect("out").text, &text);
            // If that line was split for our entry, there is no common place.
            prop_assume!(whole.matches(name).count() == 1);
            let out = Base::of(&edit(&whole), &wishes, Some(&put), &Stood::new()).expect("out").text;
            prop_assert_eq!(out, edit(&text));
        }

        #[test]
        fn what_is_added_to_toml_in_between_stays_to_the_byte(
            before in prop::sample::select(vec!["", "a = 1", "a = 1\n", "# c", "[b]\r\nc = 2 # d\r\n", "\n\n"]),
            head in prop::sample::select(vec!["", "# h\n", "\n", "h = 1\n\n", "\r\n# h\r\n"]),
            tail in prop::sample::select(vec!["", "# t", "\n", "\r\n[t]\r\nt = 1", "[t]\n"]),
        ) {
            let wishes = [Wish::Table(Server::of(&own()))];
            let (whole, put) = put_into(before, &wishes);
            let out = Base::of(&format!("{head}{whole}{tail}"), &wishes, Some(&put), &Stood::new()).expect("out").text;
            // A line without a line end would join the next one, so it keeps the one that we added.
            let runs_on = !tail.is_empty() && !tail.starts_with(['\n', '\r']);
            let is_open = !before.is_empty() && !before.ends_with('\n') && runs_on;
            prop_assert_eq!(out, format!("{head}{before}{}{tail}", if is_open { "\n" } else { "" }));
        }
    }
}
