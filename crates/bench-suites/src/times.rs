//! Times of repeated work, by percentile.

use std::time::{Duration, Instant};

/// Measured times.
#[derive(Debug, Default, Clone)]
pub struct Times(Vec<Duration>);

impl Times {
    /// Runs `work` and measures its time.
    pub fn of<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let done = work();
        self.0.push(start.elapsed());
        done
    }

    /// The given percentile in milliseconds; 0 if there are no measurements.
    pub fn ms(&self, percent: usize) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let at = (sorted.len().saturating_sub(1) * percent).div_ceil(100);
        sorted.get(at).map_or(0.0, |time| time.as_secs_f64() * 1e3)
    }

    /// All of them together, in seconds.
    pub fn sum_s(&self) -> f64 {
        self.0.iter().sum::<Duration>().as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_a_time_that_was_taken() {
        let times = Times([5, 1, 4, 2, 3].map(Duration::from_millis).to_vec());
        assert_eq!([0, 50, 95, 100].map(|percent| times.ms(percent)), [1.0, 3.0, 5.0, 5.0]);
        assert_eq!(times.sum_s(), 0.015);
        assert_eq!(Times::default().ms(50), 0.0);
    }
}
