//! A workspace has the lengths, names and traps that its tables promise.

use jiff::civil::date;

use super::*;

const TODAY: Date = date(2026, 11, 21);
const BOTH: [Generation; 2] = [Generation::Older, Generation::Current];

fn whole(generation: Generation) -> Workspace {
    let long = Workspace::new(generation).core().logs(TODAY).long_memory(48_000).long_agents(30_000);
    long.skills(150).bootstrap_beside(17).venvs_and_links().secrets()
}

#[test]
fn lengths_are_exact_in_characters_and_in_utf_16_units() {
    for (generation, secrets) in BOTH.into_iter().flat_map(|one| [(one, false), (one, true)]) {
        let files = Workspace { secrets, ..whole(generation) }.files();
        let logs = LOGS.iter().map(|(path, chars)| (on(path, TODAY), *chars));
        let long = [("MEMORY.md".to_owned(), 48_000), ("AGENTS.md".to_owned(), 30_000)];
        for (name, chars) in logs.chain(long) {
            let text = &files[&name];
            assert_eq!((text.chars().count(), text.encode_utf16().count()), (chars, chars), "{name}");
        }
        let bullets: Vec<&str> =
            files["MEMORY.md"].lines().filter_map(|line| line.strip_prefix("- ")).collect();
        assert_eq!((bullets.first(), bullets.last()), (Some(&FIRST_MEMORY), Some(&LAST_MEMORY)));
        let chinese = bullets.iter().filter(|line| line.chars().any(|char| char > '\u{2e7f}')).count();
        assert!((25..=42).contains(&(chinese * 100 / bullets.len())), "{chinese} of {}", bullets.len());
        for policy in POLICIES {
            let (before, _) = files["AGENTS.md"].split_once(policy).expect("the policy");
            assert!((10_000..25_500).contains(&before.chars().count()), "{policy}");
        }
    }
}

#[test]
fn each_answer_stands_once_in_its_file_and_one_bullet_stands_twice() {
    assert_eq!((QUESTIONS.len(), ANSWERS.len()), (12, 12));
    let small = BOTH.map(|one| Workspace::new(one).core().logs(TODAY));
    for workspace in BOTH.map(whole).into_iter().chain(small) {
        let files = workspace.files();
        for ((_, path), answer) in QUESTIONS.iter().zip(ANSWERS) {
            let holders = files.iter().filter(|(_, text)| text.contains(answer));
            assert_eq!(holders.map(|(name, _)| name).collect::<Vec<_>>(), [&on(path, TODAY)]);
            assert_eq!(files[&on(path, TODAY)].matches(answer).count(), 1, "{answer}");
        }
        let bullets = files.values().flat_map(|text| text.lines()).filter(|line| line.starts_with("- "));
        let mut bullets: Vec<&str> = bullets.filter(|line| !line.contains("Sweeps")).collect();
        bullets.sort_unstable();
        let twice = bullets.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
        assert_eq!(twice.collect::<Vec<_>>(), [format!("- {DUPLICATE}")]);
    }
}

#[test]
fn each_credential_stands_in_its_file_and_none_in_this_source() {
    for generation in BOTH {
        let files = whole(generation).files();
        let without = Workspace { secrets: false, ..whole(generation) }.files();
        let secrets = secrets(generation);
        assert_eq!(secrets.len(), CREDENTIALS.len());
        for (file, value) in secrets {
            assert!(files[file].contains(&value), "{file}");
            assert!(!include_str!("../openclaw.rs").contains(&value), "{file}");
            assert!(without.values().all(|text| !text.contains(&value)), "{file}");
        }
        assert!(public_addresses().iter().all(|address| files["MEMORY.md"].contains(address)));
    }
}

#[test]
fn the_folder_has_every_file_and_every_link() {
    for generation in BOTH {
        let (workspace, folder) = (whole(generation), whole(generation).write());
        let files = workspace.files();
        for (name, text) in &files {
            let written = std::fs::read_to_string(folder.path().join(name));
            assert_eq!(written.ok().as_ref(), Some(text), "{name}");
        }
        for (link, target) in LINKS {
            let read = std::fs::read_link(folder.path().join(link)).expect("a link");
            assert_eq!(read, std::path::Path::new(target));
        }
        let open = |(link, _): &&(&str, &str)| std::fs::File::open(folder.path().join(link)).is_ok();
        assert_eq!(LINKS.iter().filter(open).map(|(link, _)| *link).collect::<Vec<_>>(), ["latest"]);
        assert!(folder.path().join("agent.sock").exists() && folder.path().join("latest").is_dir());
        let older = generation == Generation::Older;
        for name in ["TOOLS.md", "HEARTBEAT.md", ".openclaw/workspace-state.json"] {
            assert_eq!(files.contains_key(name), older, "{name}");
        }
        for name in ["DREAMS.md", "memory/dreaming/deep/2026-08-28.md"] {
            assert_eq!(files.contains_key(name), !older, "{name}");
        }
        assert!(files.contains_key("BOOTSTRAP.md"));
        assert!((0..17).all(|at| files.contains_key(&format!("memory/{}.md", day(at)))));
        let vendored: Vec<&String> =
            files.iter().filter(|(_, text)| text.contains(VENDORED_WORD)).map(|(name, _)| name).collect();
        assert_eq!(vendored.len(), 15 * VENDORED.len());
    }
}

#[test]
fn every_skill_has_a_name_of_its_own_and_a_description_of_one_sentence() {
    let files = Workspace::new(Generation::Current).skills(310).files();
    let skills: Vec<(&String, &String)> =
        files.iter().filter(|(name, _)| name.ends_with("SKILL.md")).collect();
    assert_eq!(skills.len(), 310);
    for (name, text) in skills {
        let own = name.split('/').nth(1).expect("a folder");
        let (_, described) =
            text.split_once(&format!("---\nname: {own}\ndescription: ")).expect("front matter");
        let described = described.lines().next().expect("a line");
        assert!((60..=160).contains(&described.chars().count()), "{name}");
        assert_eq!(described.matches(['.', '。']).count(), 1, "{name}");
    }
}
