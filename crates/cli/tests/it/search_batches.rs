//! Asking: batches, prompts, and the forms in which a program gets its answers.

use std::io::{BufRead as _, Write as _};
use std::process::Stdio;

use inwit_testkit::Cli;

use crate::{newcomer, shell_on, user_of_a_shell};

fn with_notes(cli: Cli) -> Cli {
    cli.write("work/ws/MEMORY.md", "- Ana bakes rye bread\n")
}

#[test]
fn a_bad_line_of_a_batch_gets_its_error_in_its_place() {
    let cli = with_notes(newcomer());
    let asked = "\u{feff}{\"id\": 1, \"query\": \"bread\"}\nno json\n{\"id\": \"b\"}\n\n{\"id\": 4, \"query\": \"\"}\n{\"id\": 5, \"query\": \"rye\"}\n";
    let lines = cli.run_with(["search", "-w", "ws", "--batch", "-", "--jsonl"], asked).exits(1).json_lines();
    let ids: Vec<String> = lines.iter().map(|line| line["id"].to_string()).collect();
    assert_eq!(ids, ["1", "null", "\"b\"", "4", "5"]);
    assert!(lines[1]["error"]["message"].as_str().expect("a sentence").contains("line 2: "));
    assert_eq!(lines[2]["error"]["code"], "usage_bad");
    assert!(lines[3]["error"]["hint"].is_string());
    assert!(lines[0]["results"].is_array() && lines[4]["results"].is_array());
}

/// A file without line ends, such as a device, is not read to its end.
#[test]
fn a_batch_stops_at_a_line_that_is_too_long() {
    let cli = with_notes(newcomer());
    let asked = format!("{{\"id\":1,\"query\":\"bread\"}}\n{}\n", "x".repeat(64 << 10));
    let run = cli.run_with(["search", "-w", "ws", "--batch", "-", "--jsonl"], &asked);
    run.exits(2).mentions("Ana bakes").mentions("line 2 has more than 65536 bytes");
}

#[test]
fn a_batch_that_is_not_there_is_told_before_anything_is_opened() {
    let cli = with_notes(newcomer());
    cli.run(["search", "-w", "ws", "--batch", "none.jsonl", "--jsonl"]).exits(3);
    assert!(!cli.home("inwit").exists());
}

/// Whoever waits for an answer before the next question gets it.
#[test]
fn an_answer_of_a_batch_is_there_before_the_next_question() {
    let cli = with_notes(newcomer());
    #[expect(clippy::disallowed_methods, reason = "the test talks to the program while it runs")]
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_inwit"));
    command.env_clear().env("HOME", cli.home("")).current_dir(cli.work(""));
    command.args(["search", "-w", "ws", "--batch", "-", "--jsonl"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("started");
    let mut questions = child.stdin.take().expect("piped");
    let answers = std::io::BufReader::new(child.stdout.take().expect("piped"));
    let (say, hear) = std::sync::mpsc::channel();
    std::thread::spawn(move || answers.lines().map_while(Result::ok).try_for_each(|line| say.send(line)));
    questions.write_all(b"{\"id\": 1, \"query\": \"bread\"}\n").expect("asked");
    let answer = hear.recv_timeout(std::time::Duration::from_secs(20));
    drop(questions);
    assert!(child.wait().expect("ended").success());
    assert!(answer.expect("an answer").starts_with("{\"id\":1,"));
}

#[test]
fn usage_errors_are_json_where_json_was_asked_for() {
    let cli = newcomer();
    for args in [["--json", "serach"], ["status", "--json=1"], ["search", "--json"]] {
        let run = cli.run(args).exits(2);
        if args[1] == "--json=1" {
            // Not the flag: clap's own words.
            drop(run.mentions("error: "));
            continue;
        }
        let error = run.json_error();
        assert_eq!(error["error"]["code"], "usage_bad", "{args:?}");
        assert!(error["error"]["message"].as_str().expect("a sentence").ends_with('.'));
    }
    cli.run(["serach", "--", "--json"]).exits(2).mentions("error: Unknown command `serach`.");
    cli.run(["--json", "--help"]).mentions("Usage: ");
}

#[test]
fn a_try_in_json_is_one_object() {
    let tried = newcomer().run(["try", "--json"]).json();
    assert_eq!(tried["prompts"].as_array().map(Vec::len), Some(2));
    assert_eq!(tried["searches"].as_array().map(Vec::len), Some(4));
    let laid_out = newcomer().run(["try", "--to", "sample", "--json"]).json();
    assert!(laid_out["files"].as_u64().expect("a count") > 60);
}

#[test]
fn a_prompt_makes_an_index_only_to_count_tokens() {
    let cli = with_notes(newcomer());
    for format in ["text", "anthropic", "openai"] {
        cli.run(["prompt", "-w", "ws", "--format", format]).mentions("rye");
        assert!(!cli.home("inwit").exists(), "{format} makes nothing in the home");
    }
    for format in ["anthropic", "openai"] {
        let run = cli.run(["prompt", "-w", "ws", "--format", format, "--report"]);
        drop(run.exits(2).mentions("--report works with"));
    }
    cli.run(["prompt", "-w", "ws", "--report"]).mentions("tokens");
    assert!(cli.home("inwit").exists());
}

/// What a question brings is the last thing before the conversation in every form: hosts append what is said.
///
/// Proves R24.
#[test]
fn the_passages_about_a_question_end_every_form_of_a_prompt() {
    let cli = newcomer()
        .write("work/ws/SOUL.md", "I sail.\n")
        .write("work/ws/MEMORY.md", "- The boat is called Sirena.\n")
        .write("work/ws/memory/2020-01-01.md", "- The boat got a new anchor.\n");
    let words = ["prompt", "-w", "ws", "--question", "what about the boat?", "--profile"];
    let told = "memory/2020-01-01.md#L1\n- The boat got a new anchor.\n</inwit-context>";
    let text = cli.run_words(&[&words[..], &["personal"]].concat()).stdout().to_owned();
    assert!(text.ends_with(&format!("{told}\n")), "{text}");
    assert_eq!(text.matches("Sirena").count(), 1, "{text}");
    let report = cli.run_words(&[&words[..], &["personal", "--report"]].concat());
    drop(report.mentions("recalled").mentions("Already in the prompt: 1 passage about the question."));
    let report = cli.run_words(&[&words[..], &["mindroom", "--report"]].concat());
    drop(report.mentions("only with an embedding model"));
    cli.run(["prompt", "-w", "ws", "--question", "?"]).exits(2).mentions("contains no words");

    let cli = cli.env("INWIT_LOAD_RECALLED", "words");
    for (profile, role) in [("personal", "system"), ("mindroom", "user")] {
        let form = |form: &str| cli.run_words(&[&words[..], &[profile, "--format", form]].concat()).json();
        let openai = form("openai");
        let last = openai["messages"].as_array().and_then(|all| all.last()).expect("a message");
        assert_eq!(last["role"], role, "{openai}");
        assert!(last["content"].as_str().is_some_and(|text| text.ends_with(told)), "{openai}");
        let anthropic = form("anthropic");
        let place = if role == "user" { &anthropic["messages"][0]["content"] } else { &anthropic["system"] };
        let last = place.as_array().and_then(|all| all.last()).expect("a block");
        assert!(last["text"].as_str().is_some_and(|text| text.ends_with(told)), "{anthropic}");
        assert!(last["cache_control"].is_null(), "it breaks no cache");
        let json = form("json");
        let blocks = json["blocks"].as_array().expect("blocks");
        let recalled = blocks.iter().find(|block| block["kind"] == "recalled").expect("a block");
        assert_eq!(recalled["part"], if role == "user" { "user_prefix" } else { "tail" });
    }
}

#[test]
fn bytes_for_a_program_are_kept_and_lines_are_safe_to_look_at() {
    let cli = newcomer().write("work/ws/MEMORY.md", "- rye \u{1b}[2Jbread\n");
    assert!(cli.run(["show", "-w", "ws", "MEMORY.md"]).stdout().contains('\u{1b}'));
    // A model's own is another matter: what cannot be seen does not reach it.
    cli.run(["prompt", "-w", "ws"]).mentions("- rye ⟦U+001B⟧[2Jbread").hides("\u{1b}");
    cli.run(["search", "-w", "ws", "rye"]).mentions("⟦U+001B⟧[2J").hides("\u{1b}");
    let script = "command -v script >/dev/null || { echo '⟦U+001B⟧[2J'; exit 0; }; \
                  TERM=dumb script -qec \"$0 get -w ws MEMORY.md\" /dev/null";
    let on_terminal = with_notes(user_of_a_shell()).write("work/ws/MEMORY.md", "- rye \u{1b}[2Jbread\n");
    shell_on(&on_terminal, script).mentions("⟦U+001B⟧[2J");
}
