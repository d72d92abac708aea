//! Which judge a command has, from its settings, and the pass that a face lets run when nobody waits.
//!
//! Invariant: composing asks nobody; what cannot be asked as it is configured says so when it is asked, and facts
//! wait meanwhile.

use inwit_engine::consolidate::{Judge, Pass, PassReport};
use inwit_engine::{Agent, EngineError, Notice};
use inwit_model::{Code, CompleteError, Completer, Consolidation, Question};
use inwit_remote::{ChatProvider, HttpCompleter, Key, Patience, Plain};

use crate::settings::{HttpSaid, Settings};

/// One pass as the settings say.
pub fn consolidate(agent: &Agent, settings: &Settings, dry_run: bool) -> Result<PassReport, EngineError> {
    let completer = completer(settings);
    let judge =
        completer.as_deref().map(|completer| Judge { completer, guidance: settings.judge_guidance() });
    agent.consolidate(&Pass { mode: settings.consolidation(), judge, dry_run })
}

/// What is done with facts when nobody waits: those that were recorded are settled, those that were forgotten long
/// ago go for good (M26). What goes wrong is a notice.
pub fn tend(agent: &Agent, settings: &Settings) -> Vec<Notice> {
    let failed = |error: EngineError| {
        let message = format!("The facts were not looked at: {}", error.message);
        Notice::new("facts_not_settled", message, error.code.spec().hint)
    };
    let mut notices = Vec::new();
    if settings.consolidation() != Consolidation::Off {
        match consolidate(agent, settings, false) {
            Ok(report) => {
                let retired = report.retired();
                notices.extend(report.notices);
                if retired > 0 {
                    let message = format!("Facts were retired for others: {retired}.");
                    let hint =
                        "`inwit facts decisions` shows which and why; `inwit facts restore` brings one back.";
                    notices.push(Notice::new("facts_retired", message, hint));
                }
            }
            Err(error) => notices.push(failed(error)),
        }
    }
    notices.extend(agent.expire_forgotten().err().map(failed));
    notices
}

/// The judge that the settings name.
fn completer(settings: &Settings) -> Option<Box<dyn Completer>> {
    let said = settings.judge_http()?;
    Some(match provider(&said).and_then(HttpCompleter::new) {
        Ok(completer) => Box::new(completer),
        Err(error) => Box::new(Unasked { model: said.model, error }),
    })
}

fn provider(said: &HttpSaid) -> Result<ChatProvider, CompleteError> {
    let bad = |message: String| CompleteError { code: Code::SettingBad, message };
    for (key, text) in [("judge.url", &said.url), ("judge.model", &said.model)] {
        if text.is_empty() {
            return Err(bad(format!("A judge over HTTP needs the setting `{key}`.")));
        }
    }
    #[expect(clippy::disallowed_methods, reason = "a key stands in no file of ours")]
    let key = std::env::var(&said.key_env).ok().filter(|key| !key.is_empty());
    let key = key.as_deref().map(Key::parse).transpose();
    let key = key.map_err(|_| bad(format!("What `{}` holds cannot be a key.", said.key_env)))?;
    Ok(ChatProvider {
        url: said.url.clone(),
        plain: if said.is_plain_allowed { Plain::Anywhere } else { Plain::Loopback },
        model: said.model.clone(),
        key,
        patience: Patience::JUDGE,
    })
}

/// A judge that cannot be asked as it is configured.
struct Unasked {
    model: String,
    error: CompleteError,
}

impl Completer for Unasked {
    fn model(&self) -> &str {
        &self.model
    }

    fn complete(&self, _question: &Question<'_>) -> Result<String, CompleteError> {
        Err(self.error.clone())
    }
}
