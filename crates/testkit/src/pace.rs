//! Time that passes only where somebody waits.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use inwit_outbound::Pace;

/// A pace that a test sets, and that remembers each pause.
#[derive(Clone, Default)]
pub struct FakePace(Arc<Mutex<(Duration, Vec<Duration>)>>);

impl FakePace {
    /// Goes on by `duration`.
    pub fn pass(&self, duration: Duration) {
        self.0.lock().expect("unpoisoned").0 += duration;
    }

    /// The pauses so far.
    pub fn pauses(&self) -> Vec<Duration> {
        self.0.lock().expect("unpoisoned").1.clone()
    }
}

impl Pace for FakePace {
    fn elapsed(&self) -> Duration {
        self.0.lock().expect("unpoisoned").0
    }

    fn wait(&self, pause: Duration) {
        let mut held = self.0.lock().expect("unpoisoned");
        held.0 += pause;
        held.1.push(pause);
    }

    fn chance(&self) -> u64 {
        0
    }
}
