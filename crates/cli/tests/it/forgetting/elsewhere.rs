//! Backups that lie elsewhere: no deed touches them, and whoever forgets is told of each that is known.

use super::CANARY;
use crate::newcomer;

/// A plan and a deed name the folders that the audit knows of, in words and in JSON, newest first; one that lies where
/// nothing is any more is not named.
#[test]
fn backups_that_lie_elsewhere_are_named_by_plan_and_deed() {
    let home = newcomer();
    home.run(["init", "--timezone", "UTC"]).exits(0);
    home.run(["facts", "add", &format!("a {CANARY} lives in the shed")]).exits(0);
    for folder in ["gone", "older", "newer", "older-copy/../newest"] {
        home.run(["backup", folder]).exits(0).mentions("were copied");
    }
    std::fs::remove_dir_all(home.work("gone")).expect("removed");
    let told = |folder: &str| format!("may contain the words, and is not changed: $HOME/work/{folder}");
    let places = |json: &serde_json::Value| -> Vec<String> {
        let all = json["places"].as_array().expect("places").iter();
        let here = all.filter(|place| place["kind"] == "elsewhere" && place["fate"] == "stays");
        here.map(|place| place["name"].as_str().expect("a name").to_owned()).collect()
    };
    let notices = |json: &serde_json::Value| -> Vec<String> {
        let all = json["notices"].as_array().expect("notices").iter();
        let here = all.filter(|notice| notice["code"] == "backup_untouched");
        here.map(|notice| notice["message"].as_str().expect("a message").to_owned()).collect()
    };
    let folders = ["newest", "newer", "older"];
    let plan = ["forget", "--everywhere", CANARY];
    let run = home.run(plan).exits(0).hides("work/gone");
    folders.iter().fold(run, |run, folder| run.mentions(&told(folder)));
    let json = home.run(["forget", "--everywhere", CANARY, "--json"]).exits(0).json();
    let ends = |named: &[String]| {
        assert_eq!(named.len(), folders.len(), "{named:?}");
        assert!(named.iter().zip(folders).all(|(named, folder)| named.ends_with(folder)), "{named:?}");
    };
    ends(&places(&json));
    ends(&notices(&json));
    let deed = ["forget", "--everywhere", CANARY, "--apply", "--yes", "--json"];
    let done = home.run(deed).exits(0).json();
    ends(&places(&done));
    ends(&notices(&done));
    // What came back from one is known by it too, also where it was moved.
    std::fs::rename(home.work("older"), home.work("moved")).expect("moved");
    home.run(["restore", "moved", "--yes", "--force"]).exits(0);
    home.run(["forget", "--everywhere", CANARY, "--apply", "--yes"])
        .exits(0)
        .mentions(&told("moved"))
        .mentions("The words were not found");
}
