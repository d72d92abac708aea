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
    cli.run(["serach", "--", "--json"]).exits(2).mentions("Usage: ");
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
        drop(run.exits(2).mentions("--report goes with"));
    }
    cli.run(["prompt", "-w", "ws", "--report"]).mentions("tokens");
    assert!(cli.home("inwit").exists());
}

#[test]
fn bytes_for_a_program_are_kept_and_lines_are_safe_to_look_at() {
    let cli = newcomer().write("work/ws/MEMORY.md", "- rye \u{1b}[2Jbread\n");
    assert!(cli.run(["get", "-w", "ws", "MEMORY.md"]).stdout().contains('\u{1b}'));
    // A model's own is another matter: what cannot be seen does not reach it.
    cli.run(["prompt", "-w", "ws"]).mentions("- rye ⟦U+001B⟧[2Jbread").hides("\u{1b}");
    cli.run(["search", "-w", "ws", "rye"]).mentions("⟦U+001B⟧[2J").hides("\u{1b}");
    let script = "command -v script >/dev/null || { echo '⟦U+001B⟧[2J'; exit 0; }; \
                  TERM=dumb script -qec \"$0 get -w ws MEMORY.md\" /dev/null";
    let on_terminal = with_notes(user_of_a_shell()).write("work/ws/MEMORY.md", "- rye \u{1b}[2Jbread\n");
    shell_on(&on_terminal, script).mentions("⟦U+001B⟧[2J");
}
