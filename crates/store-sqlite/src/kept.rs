//! A cache of recently read sets.
//!
//! It is keyed by the current version of the database, so it needs no invalidation.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use inwit_store::SetKey;

/// Most sets of which something is kept; then that of the set that was asked for longest ago is let go.
pub const SETS_KEPT_MAX: usize = 16;

/// Which state of a set: the epoch of the connection that read it, and the number that the database gives it.
pub type Version = (u64, i64);

/// See the module.
pub struct GenerationCache<T>(Mutex<Vec<One<T>>>);

struct One<T> {
    set: SetKey,
    version: Version,
    of: Arc<T>,
}

impl<T> Default for GenerationCache<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> GenerationCache<T> {
    /// What is kept of this `version` of `set`.
    pub fn get(&self, set: &SetKey, version: Version) -> Option<Arc<T>> {
        let mut kept = self.kept();
        let at = kept.iter().position(|one| one.set == *set && one.version == version)?;
        let one = kept.remove(at);
        let of = Arc::clone(&one.of);
        kept.push(one);
        Some(of)
    }

    /// Keeps `of` as this `version` of `set`, unless a later one is kept already.
    pub fn put(&self, set: &SetKey, version: Version, of: &Arc<T>) {
        let mut kept = self.kept();
        if kept.iter().any(|one| one.set == *set && one.version > version) {
            return;
        }
        kept.retain(|one| one.set != *set);
        if kept.len() == SETS_KEPT_MAX {
            kept.remove(0);
        }
        kept.push(One { set: set.clone(), version, of: Arc::clone(of) });
    }

    /// Lets go of what is kept of `set`.
    pub fn forget(&self, set: &SetKey) {
        self.kept().retain(|one| one.set != *set);
    }

    fn kept(&self) -> MutexGuard<'_, Vec<One<T>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_set_that_was_asked_for_longest_ago_is_let_go() {
        let kept: GenerationCache<usize> = GenerationCache::default();
        let set = |at: usize| SetKey::from_stored(format!("room:{at}"));
        for at in 0..SETS_KEPT_MAX {
            kept.put(&set(at), (0, 1), &Arc::new(at));
        }
        assert_eq!(kept.get(&set(0), (0, 1)).as_deref(), Some(&0));
        kept.put(&set(SETS_KEPT_MAX), (0, 1), &Arc::new(SETS_KEPT_MAX));
        assert_eq!(kept.get(&set(0), (0, 1)).as_deref(), Some(&0), "it was asked for");
        assert_eq!(kept.get(&set(1), (0, 1)), None);
        assert_eq!(kept.kept().len(), SETS_KEPT_MAX);
    }

    #[test]
    fn an_earlier_state_takes_no_later_ones_place() {
        let kept: GenerationCache<usize> = GenerationCache::default();
        let set = SetKey::from_stored("main".to_owned());
        kept.put(&set, (1, 7), &Arc::new(7));
        for earlier in [(1, 6), (0, 9)] {
            kept.put(&set, earlier, &Arc::new(0));
            assert_eq!(kept.get(&set, earlier), None);
        }
        assert_eq!(kept.get(&set, (1, 7)).as_deref(), Some(&7));
    }
}
