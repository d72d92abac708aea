//! The one source of chance of the program.

use inwit_model::Entropy;

/// The system's chance.
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn sixteen(&self) -> [u8; 16] {
        let mut bytes = [0; 16];
        // A system without chance cannot name anything: ids would meet.
        getrandom::fill(&mut bytes)
            .unwrap_or_else(|error| panic!("the system gives no random bytes: {error}"));
        bytes
    }
}
