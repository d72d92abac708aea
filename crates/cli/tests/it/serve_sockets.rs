//! The server on a unix socket, and on sockets that a service manager passes.

use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixDatagram, UnixListener};
use std::time::Duration;

use inwit_testkit::Cli;
use inwit_testkit::cli::Running;
use inwit_testkit::http_client::HttpClient;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::serve::{Serving, home, token};

/// The answer that a started server prints.
fn said(running: &mut Running) -> Value {
    serde_json::from_str(&running.line()).expect("where it listens")
}

#[test]
fn a_program_of_the_same_user_reads_and_proposes_over_a_socket() {
    let home = home();
    let path = home.home("s");
    let shown = path.display().to_string();
    let mut running = home.running(&["serve", "--socket", &shown, "--json"]);
    let said = said(&mut running);
    assert_eq!(
        (said["socket"].as_str(), said["address"].as_str()),
        (Some(shown.as_str()), None),
        "no address"
    );
    assert_eq!(std::fs::metadata(&path).expect("a socket").permissions().mode() & 0o777, 0o600);
    let serving = Serving::of(running, HttpClient::of_socket(&path));
    let client = &serving.client;
    assert_eq!(client.get("/v1/agents").json(), json!({ "agents": ["main"] }));
    let entry = json!({ "text": "Ana likes rye bread." });
    assert_eq!(client.post("/v1/agents/main/memory?scope=main", &entry).json()["outcome"], "pending");
    let approve = json!({ "confirm": "00000000" });
    assert_eq!(client.post("/v1/agents/main/proposals/1/approve", &approve).status, 401, "needs a person");
    let person = client.token(&token(&home, &["--scope", "approve"]));
    assert_eq!(person.get("/v1/agents/main/proposals").status, 200);
    for (name, value, status) in [
        ("Host", "evil.example", 421),
        ("Host", "127.0.0.1:7717", 421),
        ("Origin", "http://evil.example", 403),
        ("Sec-Fetch-Site", "cross-site", 403),
        ("X-Forwarded-For", "192.0.2.1", 401),
    ] {
        assert_eq!(client.with(name, value).get("/v1/agents").status, status, "{name}: {value}");
    }
    serving.end(Signal::TERM).exits(0);
    assert!(!path.exists(), "removed at the end");
}

#[test]
fn a_server_answers_on_its_address_and_its_socket() {
    let home = home();
    let path = home.home("s");
    let shown = path.display().to_string();
    let words = ["serve", "--socket", &shown, "--addr", "127.0.0.1:0", "--json"];
    let mut running = home.running(&words);
    let said = said(&mut running);
    let by_address = HttpClient::of(said["address"].as_str().expect("an address"));
    let by_socket = HttpClient::of_socket(&path);
    let serving = Serving::of(running, by_socket.clone());
    assert_eq!(by_address.get("/v1/agents").json(), by_socket.get("/v1/agents").json());
    assert_eq!(by_socket.with("Host", &by_address.address).get("/v1/agents").status, 200, "one of our hosts");
    assert_eq!(by_address.with("Host", "localhost").get("/v1/agents").status, 421, "only over the socket");
    drop(serving.end(Signal::KILL).exits(-9));
    assert!(path.exists(), "left by a killed server");
    let mut next = home.running(&["serve", "--socket", &shown, "--json"]);
    next.line();
    let _next = Serving::of(next, by_socket.clone());
    assert_eq!(by_socket.get("/healthz").status, 204, "and replaced by the next one");
    let other = crate::serve::home();
    other
        .run_words(&["serve", "--socket", &shown, "--addr", "192.0.2.1:1"])
        .exits(1)
        .mentions("another program answers there");
}

#[test]
fn a_file_that_is_no_socket_is_never_replaced() {
    let home = home().write("work/notes.md", "Feed it twice.\n");
    // An address of no machine: the server ends in any case.
    home.run(["serve", "--socket", "notes.md", "--addr", "192.0.2.1:1"])
        .exits(1)
        .mentions("a file is there that is no socket");
    assert_eq!(std::fs::read_to_string(home.work("notes.md")).expect("the file"), "Feed it twice.\n");
}

#[test]
fn a_program_of_another_user_is_not_served() {
    let folder = tempfile::tempdir().expect("a folder");
    let shell = Cli::new("/usr/bin/env").env("PATH", "/usr/bin:/bin");
    let Some(other) = shell.bound_by_permissions() else { return };
    let is_root =
        std::fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    let has_curl = std::path::Path::new("/usr/bin/curl").exists();
    if !inwit_testkit::is_there(is_root && has_curl, "root and curl") {
        return;
    }
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).expect("open");
    let path = folder.path().join("s");
    let home = home();
    let mut running = home.running(&["serve", "--socket", &path.display().to_string(), "--json"]);
    running.line();
    let serving = Serving::of(running, HttpClient::of_socket(&path));
    // Even if the file itself lets everybody in.
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o666)).expect("open");
    assert_eq!(serving.client.get("/healthz").status, 204);
    // The connection is closed before, while or after curl sends its request.
    const CLOSED: [&str; 4] = ["7", "52", "55", "56"];
    let line = format!("curl -s --unix-socket {} http://localhost/healthz; echo $?", path.display());
    let status = other.run(["sh", "-c", &line]).stdout();
    assert!(CLOSED.contains(&status.trim()), "{status}");
}

/// Starts the server by a shell as a service manager does: with a socket as descriptor 3.
fn passed(home: &Cli, socket: OwnedFd, args: &str) -> Running {
    let script = format!("exec 3<&0 0</dev/null; LISTEN_PID=$$ LISTEN_FDS=1 exec \"$0\" serve --json {args}");
    let shell = home.environment().fold(Cli::new("/bin/sh"), |shell, (name, value)| shell.env(name, value));
    shell.running_with(&["-c", &script, &home.program().display().to_string()], socket)
}

#[test]
fn a_service_manager_passes_the_sockets_of_the_server() {
    let home = home();
    let listener = TcpListener::bind("127.0.0.1:0").expect("an address");
    let address = listener.local_addr().expect("an address").to_string();
    let mut running = passed(&home, listener.into(), "");
    let address_said = said(&mut running)["address"].clone();
    let serving = Serving::of(running, HttpClient::of(&address));
    assert_eq!(address_said, format!("http://{address}"));
    assert_eq!(serving.client.get("/v1/agents").json(), json!({ "agents": ["main"] }));
    serving.end(Signal::TERM).exits(0);

    let path = home.home("passed");
    let mut running = passed(&home, UnixListener::bind(&path).expect("a socket").into(), "");
    said(&mut running);
    let serving = Serving::of(running, HttpClient::of_socket(&path));
    assert_eq!(serving.client.get("/v1/agents").status, 200);
    serving.end(Signal::TERM).exits(0);
    assert!(path.exists(), "a passed socket is the service manager's");

    let (datagram, _other) = UnixDatagram::pair().expect("sockets");
    let run = passed(&home, datagram.into(), "").end();
    run.exits(1).mentions("is no TCP or unix socket that listens");
}

#[test]
fn a_service_manager_hears_when_the_server_is_ready_lives_and_stops() {
    let home = home();
    let path = home.home("notify");
    let manager = UnixDatagram::bind(&path).expect("a socket");
    manager.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
    let heard = || {
        let mut bytes = [0; 64];
        let length = manager.recv(&mut bytes).expect("a message");
        String::from_utf8_lossy(&bytes[..length]).into_owned()
    };
    let service = home.env("NOTIFY_SOCKET", &path.display().to_string()).env("WATCHDOG_USEC", "20000");
    let mut running = service.running(&["serve", "--addr", "127.0.0.1:0", "--json"]);
    let client = HttpClient::of(said(&mut running)["address"].as_str().expect("an address"));
    let serving = Serving::of(running, client);
    let mut messages = vec![heard()];
    messages.extend((0..3).map(|_| heard()));
    assert_eq!(messages[0], "READY=1\n");
    assert_eq!(serving.client.get("/readyz").status, 204);
    assert!(messages[1..].iter().all(|message| message == "WATCHDOG=1\n"), "{messages:?}");
    serving.end(Signal::TERM).exits(0);
    let last = std::iter::repeat_with(heard).find(|message| message != "WATCHDOG=1\n");
    assert_eq!(last.as_deref(), Some("STOPPING=1\n"));
}
