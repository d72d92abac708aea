//! The text of a launchd property list.

use std::fmt::Write as _;

use super::{MARK, Service};

/// The name of the service for launchd.
pub const LABEL: &str = "inwit.serve";

/// The property list of `service`.
pub fn text(service: &Service) -> String {
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!-- {MARK}. -->\n\
         <plist version=\"1.0\">\n\
         <dict>\n\
         <key>Label</key><string>{LABEL}</string>\n\
         <key>ProgramArguments</key>\n\
         <array>\n"
    );
    let program = service.program.display().to_string();
    for word in std::iter::once(&program).chain(&service.arguments) {
        let _ = writeln!(text, "<string>{}</string>", escaped(word));
    }
    text.push_str("</array>\n<key>EnvironmentVariables</key>\n<dict>\n");
    for (name, value) in &service.variables {
        let _ = writeln!(text, "<key>{name}</key><string>{}</string>", escaped(value));
    }
    let log = escaped(&service.log.display().to_string());
    let _ = write!(
        text,
        "</dict>\n\
         <key>RunAtLoad</key><true/>\n\
         <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>\n\
         <key>ProcessType</key><string>Background</string>\n\
         <key>Umask</key><integer>63</integer>\n\
         <key>ExitTimeOut</key><integer>30</integer>\n\
         <key>StandardErrorPath</key><string>{log}</string>\n\
         </dict>\n\
         </plist>\n"
    );
    text
}

/// Text inside of an element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_cannot_add_an_element() {
        let service = Service {
            program: "/opt/inwit".into(),
            arguments: vec!["serve".to_owned()],
            variables: vec![("INWIT_HOME", "/h/</string><string>x & y".to_owned())],
            writes_to: Vec::new(),
            log: "/state/serve.log".into(),
        };
        let text = text(&service);
        let home = "<key>INWIT_HOME</key><string>/h/&lt;/string&gt;&lt;string&gt;x &amp; y</string>";
        assert!(text.contains(home), "{text}");
        assert_eq!(text.matches("<string>").count(), 6, "label, two words, home, type, log");
    }
}
