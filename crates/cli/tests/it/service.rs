//! The server as a service of the user, with a systemd of the test.

use std::os::unix::fs::PermissionsExt;

use inwit_testkit::Cli;
use inwit_testkit::http_client::HttpClient;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::newcomer;
use crate::serve::{Serving, home};

/// Where the unit is, below `$HOME`.
const UNIT: &str = ".config/systemd/user/inwit.service";

/// A `systemctl` and a `journalctl` that write down what they are asked, and a `systemctl` that says what the file
/// `state` has.
const MANAGER: &str = "#!/bin/sh\n\
    printf '%s %s\\n' \"${0##*/}\" \"$*\" >> \"$HOME/asked\"\n\
    case \"${0##*/} $2\" in\n\
    'systemctl show') while read -r line; do echo \"$line\"; done < \"$HOME/state\";;\n\
    journalctl*) echo 'one line'; echo 'another';;\n\
    esac\n";

/// `home` with these programs of a service manager.
fn managed(home: Cli, script: &str) -> Cli {
    let mut home = home;
    for program in ["systemctl", "journalctl"] {
        home = home.write(&format!("bin/{program}"), script);
        let path = home.home(&format!("bin/{program}"));
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).expect("its own file");
    }
    home.env("PATH", "$HOME/bin")
}

/// What the service manager was asked since the last time.
fn asked(home: &Cli) -> Vec<String> {
    let asked = std::fs::read_to_string(home.home("asked")).unwrap_or_default();
    let _ = std::fs::remove_file(home.home("asked"));
    asked.lines().map(str::to_owned).collect()
}

fn unit(home: &Cli) -> String {
    std::fs::read_to_string(home.home(UNIT)).unwrap_or_default()
}

#[test]
fn the_unit_is_shown_then_written_and_started_and_removed() {
    let home = managed(newcomer(), MANAGER);
    let shown = home.run(["service", "install", "--print"]).stdout();
    assert!(!home.home(UNIT).exists() && asked(&home).is_empty(), "`--print` changes nothing");
    assert!(shown.contains("\nReadWritePaths=\"-$HOME/inwit\"\n"), "{shown}");
    assert!(shown.contains("\nProtectSystem=strict\n"), "{shown}");
    let wire = home.run(["service", "install", "--print", "--json"]).json();
    assert_eq!(wire, json!({ "path": format!("$HOME/{UNIT}"), "unit": shown }));

    let installed = home.run(["service", "install", "--json"]).json();
    let [reload, enable] = ["systemctl --user daemon-reload", "systemctl --user enable --now inwit.service"];
    assert_eq!((&installed["action"], &installed["started"]), (&json!("create"), &json!(true)));
    assert_eq!(asked(&home), [reload, enable]);
    let written = unit(&home);
    assert_eq!(written.replace(&home.home("").display().to_string(), "$HOME/"), shown);

    assert_eq!(home.run(["service", "install", "--json"]).json()["action"], "keep");
    assert_eq!(asked(&home), [reload, enable], "and it runs");
    home.run(["service", "install", "--addr", "127.0.0.1:7718"]).exits(4).mentions("has other text");
    assert_eq!((unit(&home), asked(&home)), (written.clone(), Vec::new()), "nothing was done");
    let replaced = home.run(["service", "install", "--addr", "127.0.0.1:7718", "--force", "--json"]).json();
    assert_eq!(replaced["action"], "replace");
    assert_eq!(asked(&home), [reload, enable, "systemctl --user restart inwit.service"]);
    assert!(unit(&home).contains("\"127.0.0.1:7718\""));
    let backup = replaced["backup"].as_str().expect("a copy").replace("$HOME/", "");
    assert_eq!(std::fs::read_to_string(home.home(&backup)).expect("a copy"), written);

    home.run(["service", "uninstall"]).mentions("Removed $HOME/.config/systemd/user/inwit.service.");
    assert_eq!(asked(&home), ["systemctl --user disable --now inwit.service", reload]);
    assert!(!home.home(UNIT).exists());
    assert_eq!(home.run(["service", "uninstall", "--json"]).json()["removed"], false);
    assert_eq!(asked(&home), [""; 0]);
}

#[test]
fn the_status_of_the_service_is_an_exit_status_too() {
    let home =
        managed(newcomer(), MANAGER).write("state", "ActiveState=active\nSubState=running\nMainPID=812\n");
    home.run(["service", "status"]).exits(1).mentions("Not installed");
    home.run(["service", "install"]).exits(0);
    let status = home.run(["service", "status", "--json"]).exits(0).json();
    let path = format!("$HOME/{UNIT}");
    assert_eq!(
        status,
        json!({ "manager": "systemd", "path": path, "installed": true, "running": true,
                "state": "active (running)", "pid": 812 })
    );
    let home = home.write("state", "ActiveState=failed\nSubState=failed\nMainPID=0\n");
    home.run(["service", "status"]).exits(1).mentions("failed (failed)").mentions("service logs");
    asked(&home);
    let log = home.run(["service", "logs", "-n", "2", "--json"]).json();
    assert_eq!(log, json!({ "lines": ["one line", "another"] }));
    home.run(["service", "logs", "--follow"]).mentions("one line\nanother\n");
    home.run(["service", "logs", "--follow", "--json"]).exits(2);
    let words = "journalctl --user --unit inwit.service --lines";
    let output = "--no-pager --output cat";
    assert_eq!(asked(&home), [format!("{words} 2 {output}"), format!("{words} 50 {output} --follow")]);
}

#[test]
fn without_a_service_manager_the_commands_are_named() {
    let home = newcomer().env("PATH", "$HOME/bin").env("INWIT_SEARCH_LIMIT", "7");
    let installed = home.run(["service", "install", "--json"]).json();
    let lines = ["systemctl --user daemon-reload", "systemctl --user enable --now inwit.service"];
    assert_eq!((&installed["started"], &installed["remaining"]), (&json!(false), &json!(lines)));
    home.run(["service", "install"]).mentions(lines[1]).mentions("does not get INWIT_SEARCH_LIMIT");
    home.run(["service", "status"]).exits(1).mentions("Installed: ");
    home.run(["service", "logs"]).exits(1).mentions("the program was not found");
    let removed = home.run(["service", "uninstall", "--json"]).json();
    let lines = ["systemctl --user disable --now inwit.service", lines[0]];
    assert_eq!((&removed["removed"], &removed["remaining"]), (&json!(true), &json!(lines)));
    assert!(!home.home(UNIT).exists());
}

#[test]
fn a_service_manager_that_fails_is_reported_with_what_remains() {
    let script = "#!/bin/sh\necho 'Failed to connect to bus.' >&2\nexit 1\n";
    let home = managed(newcomer(), script);
    home.run(["service", "install"])
        .exits(1)
        .mentions(
            "The unit is written, but `systemctl --user daemon-reload` failed: Failed to connect to bus.",
        )
        .mentions("run: systemctl --user daemon-reload; systemctl --user enable --now inwit.service");
    let written = unit(&home);
    assert!(!written.is_empty());
    home.run(["service", "uninstall"]).exits(1).mentions("Nothing was removed: ");
    assert_eq!(unit(&home), written);
}

#[test]
fn a_unit_of_somebody_else_is_not_removed() {
    let home = managed(newcomer(), MANAGER).write(UNIT, "[Service]\nExecStart=/bin/true\n");
    home.run(["service", "uninstall"]).exits(4).mentions("somebody else");
    assert!(home.home(UNIT).exists() && asked(&home).is_empty());
    home.run(["service", "uninstall", "--force"]).exits(0);
    assert!(!home.home(UNIT).exists());
}

/// The words of a line of the unit whose quoted words have no escapes.
fn words<'u>(unit: &'u str, key: &str) -> Vec<&'u str> {
    let line = unit.lines().find_map(|line| line.strip_prefix(key)).expect("the line");
    line.split('"').filter(|word| !word.trim().is_empty()).collect()
}

/// The agent and the workspace outside of the home are those of the command.
#[test]
fn the_line_of_the_unit_starts_the_server() {
    let home = managed(home(), MANAGER);
    home.run(["init", "--agent", "work", "../elsewhere"]).exits(0);
    let run =
        home.run(["service", "install", "--agent", "work", "--addr", "localhost:0", "--socket", "run/s"]);
    run.exits(0);
    let unit = unit(&home);
    let folder = |path: &str| format!("-{}", home.home(path).display());
    let writable: Vec<String> = unit
        .lines()
        .filter_map(|line| line.strip_prefix("ReadWritePaths="))
        .map(|path| path.replace('"', ""))
        .collect();
    let wanted = ["inwit", ".local/state/inwit", "elsewhere", "work/run"].map(folder);
    assert_eq!(writable, wanted);
    let command = words(&unit, "ExecStart=");
    assert_eq!(command[0], format!(":{}", home.program().display()));
    std::fs::create_dir(home.work("run")).expect("a folder");
    // Only what the unit says, in a folder and an environment that say something else.
    let home = home.env("INWIT_HOME", words(&unit, "Environment=")[0].trim_start_matches("INWIT_HOME="));
    let mut running = home.running(&[&command[1..], &["--json"]].concat());
    let said: Value = serde_json::from_str(&running.line()).expect("where it listens");
    let client = HttpClient::of(said["address"].as_str().expect("an address"));
    let serving = Serving::of(running, client);
    assert_eq!(serving.client.get("/v1/agents").json(), json!({ "agents": ["work"] }));
    assert!(home.work("run/s").exists());
    serving.end(Signal::TERM).exits(0);
}

#[test]
fn systemd_finds_no_fault_in_the_unit() {
    let program = std::path::Path::new("/usr/bin/systemd-analyze");
    if !inwit_testkit::is_there(program.exists(), "systemd-analyze") {
        return;
    }
    let home = managed(newcomer(), MANAGER).env("INWIT_HOME", "$HOME/a \"b\" %h \\ $c 'd");
    home.run(["service", "install"]).exits(0);
    let run = home.home("run");
    std::fs::create_dir(&run).expect("a folder");
    let systemd = home
        .environment()
        .fold(Cli::new(program), |systemd, (name, value)| systemd.env(name, value))
        .env("XDG_RUNTIME_DIR", &run.display().to_string());
    let path = home.home(UNIT).display().to_string();
    let found = systemd.run(["--user", "--man=no", "verify", &path]);
    let (status, said) = (found.stdout(), found.stderr());
    assert_eq!((status.as_str(), said.as_str()), ("", ""), "no fault");
}
