//! A bounded pool of connections.
//!
//! A thread without a free connection waits until one is returned; below the limit it opens another one, outside the
//! lock. Invariants: at most `most` are open in one epoch; a connection of an earlier epoch is closed when it is
//! returned, since its file may have been replaced.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// See the module.
pub struct Pool<T> {
    state: Mutex<State<T>>,
    given_back: Condvar,
}

struct State<T> {
    /// The one that was given back last comes first: what it read lately is at hand.
    idle: Vec<T>,
    open: usize,
    most: usize,
    epoch: u64,
}

/// One of them, until it is dropped.
pub struct Lease<T> {
    pool: Arc<Pool<T>>,
    item: Option<T>,
    epoch: u64,
}

impl<T> Pool<T> {
    /// A pool of at most `most`, of which `idle` are open.
    pub fn of(idle: Vec<T>, most: usize) -> Arc<Self> {
        let state = State { open: idle.len(), idle, most, epoch: 0 };
        Arc::new(Self { state: Mutex::new(state), given_back: Condvar::new() })
    }

    /// A pool of `only` one, of which no other is ever made.
    pub fn single(only: T) -> Arc<Self> {
        Self::of(vec![only], 1)
    }

    /// Takes one, or makes it by `make`; where that gives `None`, looks again. Waits where all are taken.
    /// Errors: those of `make`.
    pub fn take<E>(self: &Arc<Self>, make: impl Fn() -> Result<Option<T>, E>) -> Result<Lease<T>, E> {
        loop {
            let mut state = self.state();
            let epoch = loop {
                if let Some(lease) = self.idle(&mut state) {
                    return Ok(lease);
                }
                if state.open < state.most {
                    state.open += 1;
                    break state.epoch;
                }
                state = self.given_back.wait(state).unwrap_or_else(PoisonError::into_inner);
            };
            drop(state);
            let made = make();
            let mut state = self.state();
            match made {
                Ok(Some(item)) if state.epoch == epoch => {
                    return Ok(Lease { pool: Arc::clone(self), item: Some(item), epoch });
                }
                made => {
                    state.leave(epoch);
                    drop(state);
                    self.given_back.notify_one();
                    made?;
                }
            }
        }
    }

    /// Takes one that is open, however long that takes.
    pub fn take_open(self: &Arc<Self>) -> Lease<T> {
        let mut state = self.state();
        loop {
            if let Some(lease) = self.idle(&mut state) {
                return lease;
            }
            state = self.given_back.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whether nothing that is open is free.
    pub fn is_taken(&self) -> bool {
        self.state().idle.is_empty()
    }

    /// Takes one that is open, waiting no longer than `until`; `None`: all were taken for so long.
    pub fn take_until(self: &Arc<Self>, until: Instant) -> Option<Lease<T>> {
        let mut state = self.state();
        loop {
            if let Some(lease) = self.idle(&mut state) {
                return Some(lease);
            }
            let left = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())?;
            state = self.given_back.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Begins another epoch with `item` alone, in which at most `most` are open.
    pub fn renew(&self, item: T, most: usize) {
        let mut state = self.state();
        let gone = std::mem::replace(&mut state.idle, vec![item]);
        (state.open, state.most, state.epoch) = (1, most, state.epoch + 1);
        drop(state);
        self.given_back.notify_all();
        drop(gone);
    }

    /// Closes what is idle.
    pub fn close_idle(&self) {
        let mut state = self.state();
        let gone = std::mem::take(&mut state.idle);
        state.open -= gone.len();
        drop(state);
        drop(gone);
    }

    fn idle(self: &Arc<Self>, state: &mut State<T>) -> Option<Lease<T>> {
        let item = state.idle.pop()?;
        Some(Lease { pool: Arc::clone(self), item: Some(item), epoch: state.epoch })
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> State<T> {
    /// One that was counted in `epoch` is not open any more.
    fn leave(&mut self, epoch: u64) {
        if self.epoch == epoch {
            self.open -= 1;
        }
    }
}

impl<T> Lease<T> {
    /// The epoch that it was taken in.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }
}

impl<T> Deref for Lease<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.item.as_ref().expect("it is given back when it is dropped")
    }
}

impl<T> DerefMut for Lease<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.item.as_mut().expect("it is given back when it is dropped")
    }
}

impl<T> Drop for Lease<T> {
    fn drop(&mut self) {
        let Some(item) = self.item.take() else { return };
        let mut state = self.pool.state();
        if state.epoch == self.epoch {
            state.idle.push(item);
            drop(state);
            self.pool.given_back.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn no_more_are_open_than_the_bound_says_however_many_threads_ask() {
        const THREADS: usize = 8;
        let (pool, made) = (Pool::of(Vec::new(), 2), AtomicUsize::new(0));
        let (open, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let begin = Barrier::new(THREADS);
        let make = || Ok::<_, ()>(Some(made.fetch_add(1, Ordering::SeqCst)));
        std::thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    begin.wait();
                    for _ in 0..50 {
                        let lease = pool.take(make).expect("one");
                        most.fetch_max(open.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        std::thread::yield_now();
                        open.fetch_sub(1, Ordering::SeqCst);
                        drop(lease);
                    }
                });
            }
        });
        assert!(made.into_inner() <= 2 && most.into_inner() <= 2);
        assert!(!pool.is_taken());
    }

    #[test]
    fn what_was_taken_before_the_pool_was_renewed_does_not_come_back() {
        let pool = Pool::single("old");
        let lease = pool.take_open();
        pool.renew("new", 1);
        drop(lease);
        let taken = pool.take_open();
        assert_eq!((*taken, taken.epoch()), ("new", 1));
        assert!(pool.take_until(Instant::now()).is_none(), "there is one alone");
    }
}
