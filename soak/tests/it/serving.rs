//! The HTTP server with many clients.

use crate::campaign;

#[test]
fn nothing_private_shows_over_http() {
    campaign("serving-hiding");
}

#[test]
fn a_killed_server_loses_no_acknowledged_write() {
    campaign("serving-kills");
}

/// Proves X5.
#[test]
fn one_of_a_hundred_writers_over_one_version_wins() {
    campaign("serving-writers");
}

#[test]
fn a_crowd_of_idle_and_slow_clients_keeps_nobody_from_an_answer() {
    campaign("serving-crowd");
}

#[test]
fn nothing_is_left_of_many_requests_and_streams() {
    campaign("serving-mixed");
}

#[test]
fn many_agents_share_one_server() {
    campaign("serving-agents");
}
