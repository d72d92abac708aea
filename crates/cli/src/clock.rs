//! The one wall clock of the program.

use inwit_model::Clock;
use jiff::Timestamp;

/// The system's clock.
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is where time enters")]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// A clock that stands still, for the sample agent whose notes end on a certain day.
pub struct FixedClock(pub Timestamp);

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        self.0
    }
}
