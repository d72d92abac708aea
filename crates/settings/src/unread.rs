//! Environment names of other systems without effect here, which are reported.
//!
//! Names that inwit reads are listed with their setting ([`super::table::Setting::aliases`]). Invariant: no name is
//! in both tables.

/// A name that changes nothing.
#[derive(Debug, PartialEq, Eq)]
pub struct Unread {
    /// The name.
    pub name: &'static str,
    /// What is so instead.
    pub instead: &'static str,
}

/// The names that Minara documents and inwit does not act on.
pub const UNREAD: &[Unread] = &[Unread {
    name: "MINARA_NON_INTERACTIVE",
    instead: "a command asks only if stdin and stderr are terminals; use `--yes` to answer in advance",
}];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::SETTINGS;

    #[test]
    fn a_name_that_a_setting_takes_is_not_called_unread() {
        let is_alias = |row: &&Unread| SETTINGS.iter().any(|setting| setting.aliases.contains(&row.name));
        let both: Vec<_> = UNREAD.iter().filter(is_alias).map(|row| row.name).collect();
        assert_eq!(both, Vec::<&str>::new());
    }
}
