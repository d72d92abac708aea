//! The image of the server: its words are commands that work.

use std::path::Path;

use crate::serve::{Serving, home};

/// The text of a file of `deploy/`.
fn deployed(name: &str) -> String {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy")).join(name);
    std::fs::read_to_string(path).expect("a file of the repository")
}

/// The words of an instruction of the Dockerfile, such as `CMD`, as the image runs them.
fn words(dockerfile: &str, instruction: &str) -> Vec<String> {
    let line = dockerfile.lines().find_map(|line| line.strip_prefix(instruction)).expect("the instruction");
    serde_json::from_str(line).expect("words in JSON: the image has no shell")
}

#[test]
fn the_image_starts_a_server_that_is_healthy_and_serves_its_machine() {
    let dockerfile = deployed("Dockerfile");
    assert_eq!(words(&dockerfile, "ENTRYPOINT "), ["/inwit"]);
    let home = home();
    let socket = home.home("s").display().to_string();
    // Its own port and socket, so that tests run beside each other.
    let here = |word: &String| match word.as_str() {
        "/run/inwit/inwit.sock" => socket.clone(),
        "0.0.0.0:7717" => "0.0.0.0:0".to_owned(),
        word => word.to_owned(),
    };
    let command: Vec<String> = words(&dockerfile, "CMD ").iter().map(here).collect();
    let [serve, addr, address, rest @ ..] = command.as_slice() else { panic!("{command:?}") };
    assert_eq!((serve.as_str(), addr.as_str()), ("serve", "--addr"));
    let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
    let serving = Serving::start_at(&home, address, &rest);
    let check: Vec<String> = words(&dockerfile, "    CMD ").iter().map(here).collect();
    let check: Vec<&str> = check.iter().map(String::as_str).collect();
    assert_eq!(check[0], "/inwit");
    home.run_words(&check[1..]).exits(0);
    for host in ["localhost:7717", "127.0.0.1:7717"] {
        let known = serving.client.with("Host", host);
        assert_eq!(known.get("/v1/agents").status, 401, "{host}: served, and not without a token");
    }
    assert_eq!(serving.client.with("Host", "evil.example").get("/v1/agents").status, 421);
}

#[test]
fn the_compose_file_starts_the_same_server() {
    let (dockerfile, compose) = (deployed("Dockerfile"), deployed("compose.yaml"));
    let (_, list) = compose.split_once("    command:\n").expect("a command");
    let items = list.lines().map_while(|line| line.strip_prefix("      - "));
    let command: Vec<&str> = items.flat_map(|item| item.split('=')).collect();
    assert_eq!(command, words(&dockerfile, "CMD "));
    for line in ["    read_only: true", "      - ALL", "      - \"127.0.0.1:7717:7717\""] {
        assert!(compose.lines().any(|known| known == line), "{line}");
    }
    assert!(dockerfile.lines().any(|line| line == "USER 65532:65532"), "not root");
}
