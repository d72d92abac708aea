//! `inwit-soak [--small] [--seed N] [--corpus DIR]… [NAME]…`: runs campaigns and prints a Markdown table.
//!
//! Each campaign runs in a process of its own, so that one that panics is a row of the table and not the
//! end of it. Exit status 1: a promise was broken.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use inwit_soak::{CAMPAIGNS, Campaign, Plan, Size, child};

#[expect(clippy::disallowed_methods, reason = "this is where arguments enter")]
fn main() -> ExitCode {
    let mut words = std::env::args();
    let called = words.next().unwrap_or_default();
    if Path::new(&called).file_name().is_some_and(|name| name == "inwit") {
        return inwit_cli::run();
    }
    let words: Vec<String> = words.collect();
    if words.first().is_some_and(|word| word == "child") {
        child::play(&words[1..]);
        return ExitCode::SUCCESS;
    }
    match Asked::parse(&words) {
        Ok(asked) if asked.alone => run_one(&asked),
        Ok(asked) => run_all(&asked),
        Err(why) => {
            say(&format!("{why}\nusage: inwit-soak [--small] [--seed N] [--corpus DIR]… [NAME]…"));
            ExitCode::from(2)
        }
    }
}

/// What was asked for.
struct Asked {
    size: Size,
    seed: Option<u64>,
    corpora: Vec<PathBuf>,
    campaigns: Vec<&'static Campaign>,
    /// One campaign, in this process.
    alone: bool,
}

impl Asked {
    fn parse(words: &[String]) -> Result<Self, String> {
        let mut asked =
            Self { size: Size::Full, seed: None, corpora: Vec::new(), campaigns: Vec::new(), alone: false };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} wants a value."));
            match word.as_str() {
                "--small" => asked.size = Size::Small,
                "--alone" => asked.alone = true,
                "--seed" => {
                    asked.seed = Some(value()?.parse().map_err(|_| "a seed is a number.".to_owned())?)
                }
                "--corpus" => asked.corpora.push(value()?.into()),
                name => {
                    let known = CAMPAIGNS.iter().find(|campaign| campaign.name == name);
                    asked.campaigns.push(known.ok_or_else(|| format!("no campaign is called {name}."))?);
                }
            }
        }
        if asked.campaigns.is_empty() {
            asked.campaigns = CAMPAIGNS.iter().collect();
        }
        Ok(asked)
    }

    fn plan(&self, campaign: &Campaign) -> Plan {
        let program = std::env::current_exe().expect("a program has a path");
        let mut plan = Plan::of(campaign, self.size, &program);
        plan.seed = self.seed.unwrap_or(plan.seed);
        plan.corpora.clone_from(&self.corpora);
        plan
    }
}

/// Runs one campaign here and prints its row.
fn run_one(asked: &Asked) -> ExitCode {
    let campaign = asked.campaigns[0];
    let plan = asked.plan(campaign);
    let report = (campaign.run)(&plan);
    say(&format!(
        "| {} | {} {} | {} | {} | {} | {} |",
        campaign.name,
        grouped(plan.cases),
        campaign.unit,
        report.violations.len(),
        report.figures(),
        report.seed,
        report.seconds()
    ));
    if report.violations.is_empty() {
        return ExitCode::SUCCESS;
    }
    tell(&format!("{}: {}", campaign.name, report.shown()));
    ExitCode::FAILURE
}

/// Runs every campaign in a process of its own.
fn run_all(asked: &Asked) -> ExitCode {
    say("| campaign | size | violations | figures | seed | seconds |\n|---|---|---|---|---|---|");
    let mut clean = true;
    for campaign in &asked.campaigns {
        let status = alone(asked, campaign);
        if status.code().is_none() {
            say(&format!("| {} | – | it was ended by a signal: {status} | | | |", campaign.name));
        }
        clean &= status.success();
    }
    if clean { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[expect(clippy::disallowed_methods, reason = "a campaign that panics must not end the others")]
fn alone(asked: &Asked, campaign: &Campaign) -> std::process::ExitStatus {
    let mut command = Command::new(std::env::current_exe().expect("a program has a path"));
    command.args(["--alone", campaign.name]);
    if asked.size == Size::Small {
        command.arg("--small");
    }
    if let Some(seed) = asked.seed {
        command.args(["--seed", &seed.to_string()]);
    }
    for corpus in &asked.corpora {
        command.arg("--corpus").arg(corpus);
    }
    command.status().expect("the campaign starts")
}

fn grouped(number: u32) -> String {
    inwit_engine::core::fit::grouped(number as usize)
}

#[expect(clippy::print_stdout, reason = "the table is the output")]
fn say(line: &str) {
    println!("{line}");
}

#[expect(clippy::print_stderr, reason = "what broke is talk beside the table")]
fn tell(line: &str) {
    eprintln!("{line}");
}
