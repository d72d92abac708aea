//! A home, a backup that an attacker made, and what lies around them.

use super::*;

/// A folder with a backup that is spoiled, a user's home, and the home of inwit.
pub(super) struct Sandbox {
    pub(super) _folder: tempfile::TempDir,
    pub(super) root: PathBuf,
    pub(super) manifest: Value,
    /// What is written in place of the manifest.
    pub(super) raw: Option<Vec<u8>>,
}

impl Sandbox {
    pub(super) fn of(base: &Path) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a path");
        copy_tree(base, &root.join("kept"));
        for path in [
            "user/.ssh/authorized_keys", "user/.bashrc", "user/.config/systemd/user/x.service",
            "user/notes/MEMORY.md", "canary/a", "canary/sub/b", "inwit/agents/other/agent.toml",
            "inwit/agents/other/workspace/MEMORY.md",
        ] {
            fixture::put(&root, path, b"# not yours\n");
        }
        let manifest = fs::read(root.join("kept/manifest.json")).expect("read");
        let manifest = serde_json::from_slice(&manifest).expect("JSON");
        Self { _folder: folder, root, manifest, raw: None }
    }

    pub(super) fn kept(&self, path: &str) -> PathBuf {
        self.root.join("kept").join(path)
    }

    pub(super) fn files(&mut self) -> &mut Vec<Value> {
        self.manifest["files"].as_array_mut().expect("files")
    }

    /// An entry of the manifest with the hash of what lies at `path`, if anything does.
    pub(super) fn name(&mut self, path: &str) {
        let bytes = fs::read(self.kept(path)).unwrap_or_default();
        self.name_as(path, &bytes);
    }

    pub(super) fn name_as(&mut self, path: &str, bytes: &[u8]) {
        let entry = json!({ "path": path, "bytes": bytes.len(), "sha256": Sha256::of(bytes).to_string() });
        self.files().push(entry);
    }

    /// A file of the backup, with its entry.
    pub(super) fn put(&mut self, path: &str, bytes: &[u8]) {
        self.files().retain(|file| file["path"] != path);
        let place = self.kept(path);
        let made = place.parent().is_some_and(|parent| fs::create_dir_all(parent).is_ok());
        if made && place.starts_with(self.kept("")) {
            let _ = fs::remove_file(&place);
            let _ = File::create(&place).and_then(|mut file| file.write_all(bytes));
        }
        self.name_as(path, bytes);
    }

    pub(super) fn spoil(&mut self, chance: &mut Chance) {
        let absolute = |path: &str| self.root.join(path).display().to_string();
        let places = [
            absolute("canary"),
            absolute("user/.ssh"),
            absolute("user/.config/systemd/user"),
            absolute("inwit/agents/other"),
            "/etc".to_owned(),
            "../canary".to_owned(),
            "~/.ssh".to_owned(),
            "".to_owned(),
            "/\u{202e}x\n".to_owned(),
        ];
        let place = chance.pick(&places).clone();
        match chance.below(18) {
            0 => {
                let ids = [
                    "ws-/../../../canary",
                    "ws-..",
                    "../other",
                    "other",
                    "ws-/x",
                    "/",
                    "",
                    "main/../other",
                    "ws-0123456789abcdef",
                    "MAIN",
                    "con",
                    "ws-\u{0}",
                    "main\u{200b}",
                    "a".repeat(9_000).leak(),
                ];
                self.manifest["agent"] = json!(chance.pick(&ids));
            }
            1 => self.manifest["workspace"] = json!(place),
            2 => {
                let names = [
                    "workspace/../../canary/a",
                    "home/../../canary/a",
                    "workspace/../../../canary/new",
                    "/etc/passwd",
                    "../canary/a",
                    "kept",
                    "home",
                    "workspace/",
                    "workspace//a",
                    "workspace/./a",
                    "home/.restoring.json",
                    "home/index.db",
                    "home/backups/x.db",
                    "home/transcripts/../agent.toml",
                    "home/history.git/hooks/post-commit",
                    "home/history.git/objects/info/alternates",
                    "workspace/.git/config",
                    "workspace/sub/.GIT/hooks/x",
                    "workspace/.dreaming.lock",
                ];
                let name = *chance.pick(&names);
                self.name(name);
            }
            3 => {
                let at = self.kept("workspace/MEMORY.md");
                let _ = fs::remove_file(&at);
                let target = chance.pick(&["canary/a", "user/.ssh/authorized_keys", "absent"]).to_owned();
                let _ = symlink(self.root.join(target), at);
                self.files().retain(|file| file["path"] != "workspace/MEMORY.md");
                self.name("workspace/MEMORY.md");
            }
            4 => {
                let _ = symlink(self.root.join("canary"), self.kept("workspace/linked"));
                self.name("workspace/linked/a");
                self.name("workspace/linked/sub/b");
            }
            5 => {
                let side = *chance.pick(&["workspace", "home", "home/transcripts", "home/history.git"]);
                let (from, to) = (self.kept(side), self.root.join("moved"));
                let _ = fs::rename(&from, &to).and_then(|()| symlink(&to, &from));
            }
            6 => {
                use rustix::fs::{CWD, FileType, Mode, mknodat};
                let at = self.kept("workspace/pipe");
                let _ = mknodat(CWD, &at, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0);
                self.name_as("workspace/pipe", b"");
                let _ = symlink("/dev/zero", self.kept("workspace/zero"));
                self.name_as("workspace/zero", b"");
            }
            7 => {
                let sizes = [
                    json!(u64::MAX),
                    json!(-1),
                    json!(1.5),
                    json!("1"),
                    json!(null),
                    json!(1u64 << 50),
                    json!(0),
                ];
                let at = chance.below(self.files().len());
                self.files()[at]["bytes"] = chance.pick(&sizes).clone();
            }
            8 => {
                let hashes =
                    [json!(""), json!("e3b0"), json!("E".repeat(64)), json!("../".repeat(20)), json!(7)];
                let at = chance.below(self.files().len());
                self.files()[at]["sha256"] = chance.pick(&hashes).clone();
            }
            9 => {
                let at = chance.below(self.files().len());
                let twice = self.files()[at].clone();
                self.files().push(twice);
            }
            10 => {
                self.put("workspace/Both", b"1");
                self.name_as("workspace/Both/below", b"2");
            }
            11 => {
                let mut bytes = serde_json::to_vec(&self.manifest).expect("JSON");
                bytes.truncate(chance.below(bytes.len()));
                self.raw = Some(bytes);
            }
            12 => {
                let mut bytes = serde_json::to_vec(&self.manifest).expect("JSON");
                for _ in 0..=chance.below(4) {
                    let at = chance.below(bytes.len());
                    bytes[at] = u8::try_from(chance.below(256)).expect("a byte");
                }
                self.raw = Some(bytes);
            }
            13 => {
                let deep = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
                let odd =
                    [deep.into_bytes(), b"\xff\xfe{}".to_vec(), b"{}".to_vec(), b"null".to_vec(), Vec::new()];
                self.raw = Some(chance.pick(&odd).clone());
            }
            14 => {
                let names = [
                    "workspace/\u{202e}dm.x", "workspace/a\nb", "workspace/\u{1b}[2J", "workspace/a\u{0}b",
                    "workspace/e\u{301}", "workspace/.g\u{200c}it/config", "workspace/❤\u{fe0f}",
                    "workspace/-rf",
                ];
                let name = *chance.pick(&names);
                if name.contains('\0') { self.name_as(name, b"") } else { self.put(name, b"x") }
            }
            15 => {
                let texts = [
                    format!("workspace = \"{}\"\n", absolute("user/.ssh")),
                    format!("workspace = \"{}\"\nhome = \"{}\"\n", absolute("canary"), absolute("canary")),
                    "[judge]\nurl = \"http://192.0.2.1/\"\nprovider = \"http\"\n".to_owned(),
                    "embedding.url = \"http://192.0.2.1/\"\nembedding.folder = \"/etc\"\n".to_owned(),
                    "x = [".to_owned(),
                    "seeded = [\"../../canary/a\"]\nprofile = \"nexo\"\n".to_owned(),
                    "#".repeat(300 * 1024),
                    "profile = \"\u{0}\"\n".to_owned(),
                ];
                let text = chance.pick(&texts).clone();
                self.put("home/agent.toml", text.as_bytes());
            }
            16 => {
                let modes =
                    [json!("4755"), json!("7777"), json!("0777"), json!(511), json!("../x"), json!("0000")];
                let times =
                    [json!("9999-12-31T23:59:59Z"), json!("-009999-01-02T01:59:59Z"), json!("x"), json!(0)];
                let at = chance.below(self.files().len());
                self.files()[at]["mode"] = chance.pick(&modes).clone();
                let at = chance.below(self.files().len());
                self.files()[at]["modified"] = chance.pick(&times).clone();
            }
            _ => {
                let hooked = b"[core]\n\tfsmonitor = touch /tmp/x\n[include]\n\tpath = ../x\n";
                let (path, bytes): (&str, &[u8]) = *chance.pick(&[
                    ("home/history.git/config", hooked.as_slice()),
                    ("home/history.git/HEAD", b"ref: ../../../canary/a\n"),
                    ("home/history.git/packed-refs", b"../../x\n"),
                    ("home/memory.db", b"SQLite format 3\0 and no more"),
                    ("home/memory.db", b""),
                    ("home/transcripts/s-1.jsonl", b"{\"session\":\"../../x\",\"agent\":\"other\"}\n"),
                    ("workspace/.soul-state.json", b"{\"path\":\"/etc/passwd\"}"),
                    ("workspace/.dreamed-state.json", b"[[[[[[["),
                ]);
                self.put(path, bytes);
            }
        }
    }

    pub(super) fn write_manifest(&self) {
        let bytes = self.raw.clone().unwrap_or_else(|| serde_json::to_vec(&self.manifest).expect("JSON"));
        File::create(self.kept("manifest.json"))
            .and_then(|mut file| file.write_all(&bytes))
            .expect("written");
    }

    pub(super) fn settings(&self, flags: &[(&'static str, String)]) -> Settings {
        let at = |path: &str| Some(self.root.join(path).display().to_string());
        let look = |name: &str| match name {
            "HOME" => at("user"),
            "INWIT_HOME" => at("inwit"),
            "XDG_STATE_HOME" => at("state"),
            "XDG_CONFIG_HOME" => at("config"),
            _ => None,
        };
        let flag = |(key, text): &(&'static str, String)| {
            let name = if *key == "agent" { "--agent" } else { "--workspace" };
            (*key, Setting { text: text.clone(), origin: Origin::Flag(name) })
        };
        Settings::read(Layers::default(), &look, flags.iter().map(flag).collect()).expect("read")
    }
}

fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("made");
    for entry in fs::read_dir(from).expect("read") {
        let entry = entry.expect("an entry");
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy_tree(&from, &to);
        } else {
            fs::copy(&from, &to).expect("copied");
        }
    }
}
