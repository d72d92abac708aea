//! Whether a server is ready: asked by a health check, and while it stops.

use std::io::Write as _;
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;

use inwit_testkit::http_client;
use inwit_testkit::server::{Reply, Server};
use rustix::process::Signal;

use crate::serve::{Serving, home};

#[test]
fn a_health_check_asks_where_the_server_listens() {
    let home = home();
    let path = home.home("s").display().to_string();
    let mut running = home.running(&["serve", "--addr", "127.0.0.1:0", "--socket", &path, "--json"]);
    let said: serde_json::Value = serde_json::from_str(&running.line()).expect("where it listens");
    let client = http_client::HttpClient::of(said["address"].as_str().expect("an address"));
    let serving = Serving::of(running, client);
    let address = serving.client.address.clone();
    home.run(["serve", "--check", "--addr", &address]).exits(0).mentions("The server is ready.");
    let ready = home.run(["serve", "--check", "--addr", &address, "--json"]).json();
    assert_eq!(ready, serde_json::json!({ "ready": true }));
    home.run(["serve", "--check", "--socket", &path]).exits(0);
    serving.end(Signal::TERM).exits(0);
    home.run(["serve", "--check", "--addr", &address]).exits(1).mentions("No server is ready at 127.0.0.1:");
    home.run(["serve", "--check", "--socket", &path]).exits(1).mentions("No server is ready at ");
}

/// As in a container: the server listens on every address, and answers only for the host that its owner allowed.
#[test]
fn a_health_check_names_the_host_that_is_served() {
    let home = home();
    let host = ["--allow-host", "inwit.example"];
    let serving = Serving::start_at(&home, "0.0.0.0:0", &host);
    let address = serving.client.address.clone();
    home.run(["serve", "--check", "--addr", &address, host[0], host[1]]).exits(0);
    home.run(["serve", "--check", "--addr", &address]).exits(1).mentions("it answers with status 421");
}

#[test]
fn a_program_that_is_no_server_of_inwit_is_not_ready() {
    let other = Server::answering(vec![Reply::good("")]);
    let address = other.url.trim_start_matches("http://");
    home().run(["serve", "--check", "--addr", address]).exits(1).mentions("it answers with status 200");
    assert_eq!(other.requests()[0].line, "GET /readyz HTTP/1.1");
}

/// Whether the server has read everything that was sent on this connection, as Linux says in `/proc/net/tcp`.
fn is_read(stream: &TcpStream) -> bool {
    let ports = |own: std::net::SocketAddr, other: std::net::SocketAddr| {
        (format!(":{:04X}", own.port()), format!(":{:04X}", other.port()))
    };
    let (client, server) = (stream.local_addr().expect("open"), stream.peer_addr().expect("open"));
    let table = std::fs::read_to_string("/proc/net/tcp").unwrap_or_default();
    // Columns: number, own address, other address, state, sent and not received:received and not read.
    let is_empty = |(own, other): (String, String)| {
        let mut rows = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        rows.any(|row| {
            row.len() > 4
                && row[1].ends_with(&own)
                && row[2].ends_with(&other)
                && row[4] == "00000000:00000000"
        })
    };
    is_empty(ports(client, server)) && is_empty(ports(server, client))
}

/// A server that stops ends idle connections, and answers on one where a request has begun.
#[test]
fn a_server_that_stops_is_not_ready_on_an_open_connection() {
    if !inwit_testkit::is_there(std::path::Path::new("/proc/net/tcp").exists(), "/proc/net/tcp") {
        return;
    }
    let home = home();
    let mut running = home.running(&["serve", "--addr", "127.0.0.1:0", "--json"]);
    let said: serde_json::Value = serde_json::from_str(&running.line()).expect("where it listens");
    let client = http_client::HttpClient::of(said["address"].as_str().expect("an address"));
    assert_eq!(client.get("/readyz").status, 204);
    let mut stream = client.connect();
    stream.write_all(b"GET /readyz HTTP/1.1\r\n").expect("sent");
    running.wait_until(&|| is_read(&stream));
    running.signal(Signal::TERM);
    running.wait_until(&|| TcpStream::connect(&client.address).is_err());
    stream.write_all(format!("Host: {}\r\n\r\n", client.address).as_bytes()).expect("sent");
    let answer = http_client::read(stream);
    assert_eq!((answer.status, &answer.json()["code"]), (503, &"server_busy".into()));
    running.end().exits(0);
}

#[test]
fn the_page_of_the_routes_opens_at_a_terminal_only() {
    // Stops the server that started it.
    let browser = "#!/bin/sh\necho \"$1\" > \"$HOME/opened\"\nkill -TERM $PPID\n";
    let home = home().write("bin/xdg-open", browser).env("PATH", "$HOME/bin");
    std::fs::set_permissions(home.home("bin/xdg-open"), PermissionsExt::from_mode(0o755))
        .expect("its own file");
    home.run(["serve", "--addr", "127.0.0.1:0", "--open"]).exits(2).mentions("at a terminal only");
    assert!(!home.home("opened").exists());
    let Some(run) = home.run_at_terminal(&["serve", "--addr", "127.0.0.1:0", "--open"]) else { return };
    let opened = std::fs::read_to_string(home.home("opened")).expect("it was opened");
    let url = opened.trim();
    assert!(url.starts_with("http://127.0.0.1:") && url.ends_with("/docs"), "{url}");
    run.exits(0).mentions(url);
}
