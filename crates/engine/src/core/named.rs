//! Masks values that another file names as secrets.
//!
//! `API_TOKEN=…` in one note names a value; `used … again` in another repeats it. The index stores the values that
//! each file names. Invariants: a value is masked only where every reader of the file also sees the naming file, so
//! masks reveal nothing about hidden files; a value that the owner accepted where it is named is masked nowhere.
//! Comparison ignores ASCII case, markup, entities and invisible characters inside.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use inwit_gate::secrets::{SecretHashes, is_rare, unfolded, values_of};
use inwit_gate::{Check, Finding, Literals};
use inwit_model::{Entry, Place, RoomId, SafeName, Scope};
use inwit_store::{KnownSet, NamedSecret, SetKey};
use inwit_workspace::{ScopedReader, View};

use crate::Core;
use crate::core::indexable_text::is_secret;
use crate::core::mask::{Vouchers, replaced};
use crate::core::scan_version;

/// Byte lengths of values that are searched for in other files.
const VALUE_BYTES: Range<usize> = 8..513;

/// Most values that one file names, and most of all files of one reader; the rest is masked only in its own file.
const FILE_VALUES_MAX: usize = 64;
const VALUES_MAX: usize = 256;

/// Most bytes of visible but unsearched files, such as skills, that one search scans.
const OTHER_BYTES_MAX: u64 = 512 * 1024;

/// Most bytes of files not yet indexed that one reader scans, about 150 ms; values in the rest are masked only in
/// their own file until a search has indexed it.
const UNKNOWN_BYTES_MAX: u64 = 2 * 1024 * 1024;

/// Most facts that are scanned for named values, last changed first.
const FACTS_MAX: usize = 1_000;

/// Most places in one text; beyond that everything from the first one counts as one.
const PLACES_MAX: usize = 2_000;

/// Named values of each visible set, as last loaded.
#[derive(Default)]
pub(crate) struct NamedSecrets(Mutex<HashMap<SetKey, Arc<NamedSet>>>);

impl NamedSecrets {
    /// Also keeps values named at another time.
    pub(crate) fn keep_also(&self, named: NamedValues) {
        let all: Vec<NamedValue> = named.sets.iter().flat_map(|named| named.each.iter().cloned()).collect();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(also(), Arc::new(NamedSet::of(all)));
    }
}

/// The key of values named at another time.
fn also() -> SetKey {
    SetKey::from_stored("also".to_owned())
}

/// A value and the file that names it.
#[derive(Clone)]
struct NamedValue {
    file: SafeName,
    secret: NamedSecret,
}

impl NamedValue {
    /// The value as displayed, if that is distinctive: markup inside it may be part of a common word.
    fn read(&self) -> String {
        let value = &self.secret.value;
        unfolded(value).map(|read| read.text).filter(|read| is_telling(read)).unwrap_or_else(|| value.clone())
    }

    fn is_same(&self, other: &Self) -> bool {
        self.file == other.file && self.secret.value == other.secret.value
    }
}

/// The values that the files of one set name, and the search for them.
#[derive(Default)]
pub(crate) struct NamedSet {
    each: Vec<NamedValue>,
    search: Option<Literals>,
}

impl NamedSet {
    fn of(each: Vec<NamedValue>) -> Self {
        let search = (!each.is_empty()).then(|| Literals::of(each.iter().map(NamedValue::read).collect()));
        Self { each, search }
    }

    /// Positions of each value in `text`, by end. A value of only digits or only letters does not match inside a
    /// longer one.
    fn find(&self, text: &str) -> impl Iterator<Item = (Range<usize>, &NamedValue)> {
        let hits = self.search.iter().flat_map(move |search| search.find(text));
        let is_of_word = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
        let is_within = move |span: &Range<usize>| {
            let (before, behind) = (&text.as_bytes()[..span.start], &text.as_bytes()[span.end..]);
            is_of_word(before.last()) || is_of_word(behind.first())
        };
        hits.filter(move |(span, _)| !is_within(span) || !is_rare(&text[span.clone()]))
            .map(|(span, at)| (span, &self.each[at]))
    }
}

/// A place that repeats a value of another file, or a text that was erased.
pub(crate) struct Repeated {
    pub(crate) finding: Finding,
    /// The naming file and line; `None` for an erased text.
    pub(crate) named_in: Option<(SafeName, usize)>,
}

impl Core {
    /// The values that the file `name` with `bytes` names, accepted or not.
    pub(crate) fn secrets_named(&self, name: &SafeName, bytes: &[u8]) -> Vec<NamedSecret> {
        let mut found = self.noticed.of(bytes);
        found.retain(is_secret);
        let mut vouchers = Vouchers::of(name, bytes);
        let mut named = BTreeMap::new();
        for finding in found {
            let text = String::from_utf8_lossy(&bytes[finding.span.clone()]);
            for value in values_of(&text, &(0..text.len())).into_iter().map(|value| &text[value]) {
                if is_telling(value) && named.len() < FILE_VALUES_MAX {
                    named.entry(value.to_owned()).or_insert_with_key(|value| NamedSecret {
                        voucher: vouchers.around(&finding),
                        value: value.clone(),
                        line: u32::try_from(finding.line).unwrap_or(u32::MAX),
                        class: finding.class.clone(),
                    });
                }
            }
        }
        named.into_values().collect()
    }

    /// Loads values of the indexed files of `sight` (`known`) and of the visible unsearched `others`.
    pub(crate) fn load_named(
        &self,
        sight: &dyn ScopedReader,
        known: &KnownSet,
        others: &[Entry],
    ) -> Arc<NamedSet> {
        let mut named = named_of(known);
        self.read_facts(sight.scope(), &mut named);
        self.read_named(sight, others.to_vec(), OTHER_BYTES_MAX, &mut named);
        self.keep_named(SetKey::of(sight.scope()), named.into_iter())
    }

    /// The same without a search: from the index, and from the current content of unindexed files.
    pub(crate) fn load_named_of_files(&self, view: &View) {
        let named = self.named_in_files(view);
        self.keep_named(SetKey::of(view.scope()), named.into_iter());
    }

    /// Values that the files of `scope` name as secrets, also those that the owner accepted: a model may read these where
    /// they are named, and a provider of a conversation gets none of them.
    pub fn secret_values(&self, scope: &Scope) -> NamedValues {
        let files = self.named_in_files(&self.view(scope)).into_iter();
        let each = files.flat_map(|(file, secrets)| {
            secrets.into_iter().map(move |secret| NamedValue { file: file.clone(), secret })
        });
        let set = Arc::new(NamedSet::of(each.take(VALUES_MAX).collect()));
        NamedValues { sets: vec![set], known: self.known_secrets(scope) }
    }

    fn named_in_files(&self, view: &View) -> BTreeMap<SafeName, Vec<NamedSecret>> {
        let set = SetKey::of(view.scope());
        let known = self.index().known(&set).unwrap_or_default();
        let mut named = named_of(&known);
        self.read_facts(view.scope(), &mut named);
        let is_known = |entry: &Entry| {
            known
                .find(&entry.name)
                .is_some_and(|file| file.stamp == Some(entry.stamp) && scan_version::is_ours(file.clean_by))
        };
        let unchanged = view.changes().and_then(|changes| self.listed.of(&set, changes, &known));
        let unknown = match unchanged {
            Some(listed) => listed.others.iter().chain(listed.to_look_at(&known)).cloned().collect(),
            None => {
                let mut unknown = view.list().unwrap_or_default().entries;
                unknown.retain(|entry| !is_known(entry));
                unknown
            }
        };
        self.read_named(view, unknown, UNKNOWN_BYTES_MAX, &mut named);
        named
    }

    /// Adds values of `files` to `named`, latest first, up to a number of bytes.
    fn read_named(
        &self,
        sight: &dyn ScopedReader,
        mut files: Vec<Entry>,
        bytes_max: u64,
        named: &mut BTreeMap<SafeName, Vec<NamedSecret>>,
    ) {
        // Other scopes see only name and description of a skill (D3).
        let is_whole = |place: &Place| *sight.scope() == Scope::Main || !matches!(place, Place::Skill { .. });
        let is_read = |place: &Place| sight.scope().sees(place) && is_whole(place);
        files.retain(|entry| Place::of(&entry.name).as_ref().is_some_and(is_read));
        files.sort_by_key(|entry| Reverse(entry.stamp.changed_ns));
        let mut room = bytes_max;
        for Entry { name, stamp, .. } in files {
            let Some(rest) = room.checked_sub(stamp.bytes) else { continue };
            if let Ok(content) = self.contents.read(sight, &name, self.clock.as_ref()) {
                room = rest;
                named.insert(name.clone(), self.secrets_named(&name, &content.bytes));
            }
        }
    }

    /// Adds values of facts visible to `scope` to `named`, under their proposal names: whoever sees a fact sees all
    /// files of the owner.
    fn read_facts(&self, scope: &Scope, named: &mut BTreeMap<SafeName, Vec<NamedSecret>>) {
        let facts = match self.memory_if_made() {
            Ok(Some(memory)) if *scope == Scope::Main => memory.contents(FACTS_MAX).unwrap_or_default(),
            _ => Vec::new(),
        };
        // Scanning is expensive: the first scan of a process builds its search structures.
        if facts.is_empty() {
            return;
        }
        // One scan of all of them, which is cached: most name none.
        let all: String = facts.iter().flat_map(|(_, content)| [content.as_str(), "\n\n"]).collect();
        if !self.noticed.of(all.as_bytes()).iter().any(is_secret) {
            return;
        }
        for (id, content) in &facts {
            let name = inwit_gate::fact_name(id.as_str());
            let secrets = self.secrets_named(&name, content.as_bytes());
            if !secrets.is_empty() {
                named.insert(name, secrets);
            }
        }
    }

    fn keep_named(
        &self,
        set: SetKey,
        files: impl Iterator<Item = (SafeName, Vec<NamedSecret>)>,
    ) -> Arc<NamedSet> {
        let each = files.flat_map(|(file, secrets)| {
            secrets.into_iter().map(move |secret| NamedValue { file: file.clone(), secret })
        });
        let named: Vec<NamedValue> =
            each.filter(|named| !self.is_accepted(named.secret.voucher)).take(VALUES_MAX).collect();
        let named = Arc::new(NamedSet::of(named));
        self.named.0.lock().unwrap_or_else(PoisonError::into_inner).insert(set, Arc::clone(&named));
        named
    }

    /// The loaded values of every set.
    fn all_named(&self) -> Vec<Arc<NamedSet>> {
        self.named.0.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// Every loaded value, once.
    pub(crate) fn values_named(&self) -> BTreeSet<String> {
        let loaded = self.all_named();
        loaded.iter().flat_map(|named| &named.each).map(NamedValue::read).collect()
    }

    /// Where `text` of the file `name`, shown to `scope`, repeats values of other files, in order; behind them, in an
    /// agent of the past, the texts that were erased since. Rooms and scheduled runs see some of the agent's files, so
    /// values of private files are masked there for the owner's model only.
    pub(crate) fn repeated(&self, scope: &Scope, name: &SafeName, text: &[u8]) -> Vec<Repeated> {
        let is_own =
            *scope == Scope::Main && matches!(Place::of(name), Some(Place::File(_) | Place::Skill { .. }));
        let counts = |named: &NamedValue| named.file != *name && (is_own || is_seen_with(name, &named.file));
        let mut sets = self.all_named();
        // Values that the file itself names are found by the scan.
        sets.retain(|set| set.each.iter().any(|named| named.file != *name));
        let mut repeated = repeated_of(&sets, text, &counts);
        let erased = self.erased.get().into_iter().flat_map(|erased| erased.findings_in(text));
        repeated.extend(erased.map(|finding| Repeated { finding, named_in: None }));
        repeated
    }

    /// Values named in the files that `scope` searches, for texts outside files.
    pub fn named_values(&self, scope: &Scope) -> NamedValues {
        self.load_named_of_files(&self.view(scope));
        self.named_loaded(scope)
    }

    /// The same as last loaded.
    pub(crate) fn named_loaded(&self, scope: &Scope) -> NamedValues {
        let loaded = self.named.0.lock().unwrap_or_else(PoisonError::into_inner);
        let sets = [SetKey::of(scope), also()];
        let sets = sets.iter().filter_map(|set| loaded.get(set).cloned()).collect();
        NamedValues { sets, known: self.known_secrets(scope) }
    }
}

/// How the named values changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Renamed {
    /// A value was added.
    pub(crate) is_new: bool,
    /// A value was removed.
    pub(crate) is_gone: bool,
}

impl Renamed {
    /// The difference between `before` and `now`.
    pub(crate) fn between(before: &NamedSet, now: &NamedSet) -> Self {
        let lacks = |named: &NamedSet, one: &NamedValue| !named.each.iter().any(|other| other.is_same(one));
        Self {
            is_new: now.each.iter().any(|one| lacks(before, one)),
            is_gone: before.each.iter().any(|one| lacks(now, one)),
        }
    }
}

/// The named values that the index has.
fn named_of(known: &KnownSet) -> BTreeMap<SafeName, Vec<NamedSecret>> {
    let files = known.files.iter().filter(|file| !file.secrets.is_empty());
    files.map(|file| (file.name.clone(), file.secrets.clone())).collect()
}

/// The values that the files of one scope name as secrets. All its readers see those files.
#[derive(Default, Clone)]
pub struct NamedValues {
    sets: Vec<Arc<NamedSet>>,
    /// Values that turns named, in private.
    known: Option<SecretHashes>,
}

impl NamedValues {
    /// `text` with these values masked; their classes are added to `classes`.
    pub(crate) fn masked_of<'t>(&self, text: &'t str, classes: &mut BTreeSet<String>) -> Cow<'t, str> {
        let found = self.found(text);
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        classes.extend(found.iter().map(|one| one.class.clone()));
        Cow::Owned(replaced(text.as_bytes(), 0..text.len(), found.iter().collect()))
    }

    /// `text` with these values masked.
    pub fn masked<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.masked_of(text, &mut BTreeSet::new())
    }

    fn found(&self, text: &str) -> Vec<Finding> {
        let repeated = repeated_of(&self.sets, text.as_bytes(), &|_| true).into_iter();
        let mut found: Vec<Finding> = repeated.map(|one| one.finding).collect();
        let known = self.known.iter().flat_map(|known| known.find(text));
        found.extend(known.map(|(span, class)| Finding {
            check: Check::Secret,
            weight: inwit_gate::Weight::Stop,
            class: class.to_owned(),
            span,
            line: 1,
        }));
        found.sort_by_key(|one| one.span.start);
        found
    }
}

/// Where `text` repeats values of the sets, in order, if `counts`: as stored in any ASCII case, and unfolded.
fn repeated_of(sets: &[Arc<NamedSet>], text: &[u8], counts: &dyn Fn(&NamedValue) -> bool) -> Vec<Repeated> {
    let mut found: BTreeMap<(usize, usize), &NamedValue> = BTreeMap::new();
    if sets.iter().all(|set| set.each.is_empty()) {
        return Vec::new();
    }
    let Ok(plain) = std::str::from_utf8(text) else { return repeated_of_bytes(sets, text, counts) };
    let mut counted_once: HashMap<*const NamedValue, bool> = HashMap::new();
    let mut counts_here = |named: &NamedValue| *counted_once.entry(named).or_insert_with(|| counts(named));
    for (span, named) in sets.iter().flat_map(|set| set.find(plain)) {
        if found.len() < PLACES_MAX && counts_here(named) {
            found.insert((span.start, span.end), named);
        }
    }
    if let Some(read) = unfolded(plain) {
        for (span, named) in sets.iter().flat_map(|set| set.find(&read.text)) {
            let span = read.source(&span);
            let before = found.range(..(span.end, 0)).next_back();
            let is_new = before.is_none_or(|((_, end), _)| *end <= span.start);
            if found.len() < PLACES_MAX && is_new && counts_here(named) {
                found.insert((span.start, span.end), named);
            }
        }
    }
    let is_cut = found.len() >= PLACES_MAX;
    let (mut line, mut counted) = (1, 0);
    let mut repeated: Vec<Repeated> = Vec::with_capacity(found.len());
    for ((start, end), NamedValue { file, secret }) in found {
        line += text[counted..start].iter().filter(|byte| **byte == b'\n').count();
        counted = start;
        let (check, weight, class) = (Check::Secret, inwit_gate::Weight::Stop, secret.class.clone());
        let finding = Finding { check, weight, class, span: start..end, line };
        repeated.push(Repeated { finding, named_in: Some((file.clone(), secret.line as usize)) });
    }
    if is_cut {
        repeated.truncate(1);
        repeated.iter_mut().for_each(|first| first.finding.span.end = text.len());
    }
    repeated
}

/// The same for text that is not UTF-8: in its longest valid parts.
fn repeated_of_bytes(
    sets: &[Arc<NamedSet>],
    text: &[u8],
    counts: &dyn Fn(&NamedValue) -> bool,
) -> Vec<Repeated> {
    let mut repeated = Vec::new();
    let (mut at, mut line) = (0, 0);
    for chunk in text.utf8_chunks() {
        for mut one in repeated_of(sets, chunk.valid().as_bytes(), counts) {
            one.finding.span = one.finding.span.start + at..one.finding.span.end + at;
            one.finding.line += line;
            repeated.push(one);
        }
        at += chunk.valid().len() + chunk.invalid().len();
        line += chunk.valid().bytes().filter(|byte| *byte == b'\n').count();
    }
    repeated
}

/// Whether a value is distinctive: not a word or short number, but a long number, non-word letters, four words, or
/// letters with many case changes.
fn is_telling(value: &str) -> bool {
    let has = |is: fn(char) -> bool| value.contains(is);
    let is_phrase = value.split(' ').filter(|word| !word.is_empty()).count() >= PHRASE_WORDS_MIN;
    let is_one_word = !has(char::is_whitespace)
        && (has(|sign| !sign.is_alphabetic()) || case_changes(value) >= CASE_CHANGES_MIN);
    VALUE_BYTES.contains(&value.len())
        && !value.contains('\n')
        && (is_rare(value) || has(char::is_alphabetic) && (is_one_word || is_phrase))
}

/// Fewest words of a distinctive phrase.
const PHRASE_WORDS_MIN: usize = 4;

/// Fewest case changes in a distinctive word: code names have fewer.
const CASE_CHANGES_MIN: usize = 6;

fn case_changes(word: &str) -> usize {
    let is_upper: Vec<bool> = word.chars().map(char::is_uppercase).collect();
    is_upper.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

/// Whether every reader of `shown` sees `other` too.
fn is_seen_with(shown: &SafeName, other: &SafeName) -> bool {
    let (Some(shown), Some(other)) = (Place::of(shown), Place::of(other)) else { return false };
    let mut readers = vec![Scope::Shared, Scope::Subagent, Scope::Scheduled];
    if let Place::Room { folder } | Place::RoomMemory { folder, .. } = &shown {
        let Ok(room) = RoomId::parse(folder) else { return false };
        readers.push(Scope::Room(room));
    }
    // Other scopes see only a line or two of unsearched files.
    readers.iter().all(|reader| !reader.sees(&shown) || reader.searches(&other))
}
