//! The source of randomness of the program.

use inwit_model::Entropy;

/// The system's random number generator.
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn sixteen(&self) -> [u8; 16] {
        let mut bytes = [0; 16];
        // Without randomness ids could collide, so this is fatal.
        getrandom::fill(&mut bytes)
            .unwrap_or_else(|error| panic!("the system gives no random bytes: {error}"));
        bytes
    }
}
