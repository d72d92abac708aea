//! An agent that obeys every text.

use crate::campaign;

#[test]
fn an_agent_that_obeys_strangers_changes_no_file_without_a_person() {
    let report = campaign("obeying");
    assert_eq!(report.violations, [""; 0], "seed {}: {}", report.seed, report.figures());
}
