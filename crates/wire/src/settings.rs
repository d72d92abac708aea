//! Settings and profiles.

use crate::shape::shape;

shape! {
    /// All settings.
    pub struct SettingsV1 {
        /// Those that count.
        pub settings: Vec<SettingV1>,
        /// What was said and does not count.
        pub problems: Vec<SettingProblemV1>,
    }

    /// One setting.
    pub struct SettingV1 {
        /// Its key.
        pub key: &'static str,
        /// Its value, as text.
        pub value: String,
        /// Where it is set.
        pub origin: String,
        /// What it takes.
        pub expects: String,
        /// What it does.
        pub about: &'static str,
        /// Variables of the environment that set it.
        pub environment: Vec<String>,
    }

    /// A setting that has a new value.
    pub struct SettingSetV1 {
        /// Its key.
        pub key: &'static str,
        /// The value.
        pub value: String,
        /// The file that says so.
        pub file: String,
    }

    /// A setting that was removed from a file.
    pub struct SettingUnsetV1 {
        /// Its key.
        pub key: &'static str,
        /// Whether the file had it.
        pub removed: bool,
        /// The file.
        pub file: String,
    }

    /// Something that was said and does not count.
    pub struct SettingProblemV1 {
        /// Its key; `null` where it has none.
        pub key: Option<String>,
        /// What was said.
        pub value: String,
        /// Who said it.
        pub origin: String,
        /// Why it does not count.
        pub problem: String,
    }

    /// All profiles.
    pub struct ProfilesV1 {
        /// Each profile.
        pub profiles: Vec<ProfileV1>,
    }

    /// One profile.
    pub struct ProfileV1 {
        /// Its name.
        pub name: String,
        /// What it is for.
        pub about: String,
    }

    /// What a profile says.
    pub struct ProfileShownV1 {
        /// Each of its values.
        pub values: Vec<ProfileValueV1>,
    }

    /// One value of a profile.
    pub struct ProfileValueV1 {
        /// Its key.
        pub key: String,
        /// Its value, as text.
        pub value: String,
    }

    /// In what two profiles differ.
    pub struct ProfileDiffV1 {
        /// Each value that differs.
        pub differences: Vec<ProfileDifferenceV1>,
    }

    /// One value of two profiles.
    pub struct ProfileDifferenceV1 {
        /// Its key.
        pub key: String,
        /// What one says.
        pub left: String,
        /// What the other says.
        pub right: String,
    }
}
