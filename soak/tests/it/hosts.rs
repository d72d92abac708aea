//! A day of real sessions of Claude Code and Codex.

use crate::campaign;

#[test]
fn what_is_said_in_one_session_of_a_client_reaches_a_later_one_and_uninstall_restores_its_files() {
    let report = campaign("hosts");
    assert_eq!(report.violations, [""; 0], "seed {}: {}", report.seed, report.figures());
}
