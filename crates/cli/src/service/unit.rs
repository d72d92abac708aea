//! The text of a systemd user unit.
//!
//! Invariant: every word and path is read back by systemd as it was given: quotes, `\`, `%` and line breaks are
//! escaped, and `:` before the program keeps `$` as it is.

use std::fmt::Write as _;

use super::{MARK, Service};

/// What the service may not do. Options that need privileges are left out, since a user's systemd has none.
const HARDENED: &str = "\
UMask=0077
NoNewPrivileges=yes
ProtectSystem=strict
ProtectControlGroups=yes
ProtectKernelTunables=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
";

/// The unit of `service`.
pub fn text(service: &Service) -> String {
    let program = format!(":{}", service.program.display());
    let words = std::iter::once(program.as_str()).chain(service.arguments.iter().map(String::as_str));
    let command = words.map(quoted).collect::<Vec<_>>().join(" ");
    let mut text = format!(
        "# {MARK}. Change it with `systemctl --user edit inwit`, which keeps your lines in a file of their own.\n\
         [Unit]\n\
         Description=inwit, the memory of your agents\n\
         StartLimitIntervalSec=60\n\
         StartLimitBurst=5\n\
         \n\
         [Service]\n\
         Type=notify\n\
         ExecStart={command}\n"
    );
    for (name, value) in &service.variables {
        let _ = writeln!(text, "Environment={}", quoted(&format!("{name}={value}")));
    }
    text.push_str("Restart=on-failure\nRestartSec=2\nWatchdogSec=60\nTimeoutStopSec=30\n");
    text.push_str(HARDENED);
    if !service.is_in_tmp() {
        text.push_str("PrivateTmp=yes\n");
    }
    for folder in &service.writes_to {
        // A folder that is gone stops nothing else.
        let _ = writeln!(text, "ReadWritePaths={}", quoted(&format!("-{}", folder.display())));
    }
    text.push_str("\n[Install]\nWantedBy=default.target\n");
    text
}

/// A word as systemd reads it back.
fn quoted(word: &str) -> String {
    let mut quoted = String::from("\"");
    for character in word.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '%' => quoted.push_str("%%"),
            character if character.is_ascii_control() => {
                let _ = write!(quoted, "\\x{:02x}", u32::from(character));
            }
            character => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn service(home: &str) -> Service {
        Service {
            program: "/opt/my $tools/inwit".into(),
            arguments: ["serve", "--addr", "127.0.0.1:7717"].map(str::to_owned).into(),
            variables: vec![("INWIT_HOME", home.to_owned())],
            writes_to: vec![PathBuf::from(home)],
            log: PathBuf::from("/state/serve.log"),
        }
    }

    #[test]
    fn a_path_cannot_add_a_line_or_a_specifier() {
        let text = text(&service("/h/a \"b\" %h \\ c\nExecStartPre=/bin/false"));
        let lines = |start: &str| text.lines().filter(|line| line.starts_with(start)).collect::<Vec<_>>();
        assert_eq!(
            lines("Exec"),
            [r#"ExecStart=":/opt/my $tools/inwit" "serve" "--addr" "127.0.0.1:7717""#],
            "one program"
        );
        let home = r#"/h/a \"b\" %%h \\ c\x0aExecStartPre=/bin/false""#;
        assert_eq!(lines("Environment"), [format!("Environment=\"INWIT_HOME={home}")]);
        assert_eq!(lines("ReadWritePaths"), [format!("ReadWritePaths=\"-{home}")]);
    }

    #[test]
    fn a_home_among_temporary_files_stays_visible() {
        assert!(text(&service("/home/ana")).contains("\nPrivateTmp=yes\n"));
        for home in ["/tmp/home", "/var/tmp/home"] {
            assert!(!text(&service(home)).contains("PrivateTmp"), "{home} would be hidden");
        }
    }
}
