//! The owner, who is here.
//!
//! The command line is reached by nobody but the person whose terminal it is, or by a program that runs
//! as them. Invariant: this is the one place of the program that says so; no text, flag or file does.

use inwit_gate::Person;

/// The owner at their own terminal.
#[expect(clippy::disallowed_methods, reason = "the command line is the owner's own face")]
pub fn owner() -> Person {
    Person::at_own_terminal()
}
