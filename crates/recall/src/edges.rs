//! Extracts edges from a statement by patterns and tables, without a model (M54, M55).
//!
//! Each domain has its table: [`entities`] for people and pages, [`mod@finance`] for traded assets. Invariants: equal
//! statements give equal edges, each once, at most [`EDGES_PER_CONTENT_MAX`], strong types first (M58); a scenario
//! comes only from the system.

use std::collections::BTreeSet;

use inwit_model::edge::{Domain, EDGES_PER_CONTENT_MAX, Edge, EdgeType, Entity, EntityKind};
use inwit_model::fact::FACT_CHARS_MAX;

use crate::entities::entities;
use crate::finance::{self, NamedAssets};

/// Most tickers of one statement that are paired: ten pairs (M55).
pub const PAIRED_TICKERS_MAX: usize = 5;

/// The edges of `text`; `scenario` is set by the system. A row of another program may be longer than a fact: its
/// first [`FACT_CHARS_MAX`] characters are read.
pub fn edges(domain: Domain, text: &str, scenario: Option<&str>) -> Vec<Edge> {
    let end = text.char_indices().nth(FACT_CHARS_MAX).map_or(text.len(), |(at, _)| at);
    let text = &text[..end];
    let mut all = match domain {
        Domain::General => entities(text).into_iter().map(mention).collect(),
        Domain::Finance => of_finance(text),
    };
    let scenario = scenario.map(str::trim).filter(|id| !id.is_empty());
    all.extend(
        scenario
            .map(|id| Edge { says: EdgeType::BelongsToScenario, of: Entity::new(EntityKind::Scenario, id) }),
    );
    // A stable sort: within one type the text order is kept.
    all.sort_by_key(|edge| edge.says);
    let mut known = BTreeSet::new();
    all.retain(|edge| !edge.of.key.is_empty() && known.insert(edge.clone()));
    all.truncate(EDGES_PER_CONTENT_MAX);
    all
}

fn mention(of: Entity) -> Edge {
    Edge { says: EdgeType::Mentions, of }
}

fn of_finance(text: &str) -> Vec<Edge> {
    let NamedAssets { tickers, chains, addresses } = finance::named(text);
    let mut all = Vec::new();
    for (ticker, said) in &tickers {
        let of = Entity::new(EntityKind::Ticker, ticker);
        if said.is_empty() {
            all.push(mention(of));
        } else {
            all.extend(said.iter().map(|says| Edge { says: *says, of: of.clone() }));
        }
    }
    let of_kind = |kind| move |key: &String| mention(Entity::new(kind, key));
    all.extend(chains.iter().map(of_kind(EntityKind::Chain)));
    all.extend(addresses.iter().map(of_kind(EntityKind::Address)));
    let is_told = |name: &Entity| {
        let upper = name.key.to_uppercase();
        name.kind == EntityKind::Name
            && (tickers.iter().any(|(ticker, _)| upper.split_whitespace().any(|word| word == ticker))
                || chains.contains(&name.key)
                || finance::is_alias(&name.key))
    };
    all.extend(entities(text).into_iter().filter(|name| !is_told(name)).map(mention));
    let paired = &tickers[..tickers.len().min(PAIRED_TICKERS_MAX)];
    for (at, (one, _)) in paired.iter().enumerate() {
        for (other, _) in &paired[at + 1..] {
            let (first, second) = if one < other { (one, other) } else { (other, one) };
            let of = Entity::new(EntityKind::Pair, &format!("{first}+{second}"));
            all.push(Edge { says: EdgeType::CoOccursWith, of });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn told(domain: Domain, text: &str, scenario: Option<&str>) -> Vec<String> {
        let all = edges(domain, text, scenario).into_iter();
        all.map(|edge| format!("{} {}:{}", edge.says, edge.of.kind, edge.of.key)).collect()
    }

    fn traded(text: &str) -> Vec<String> {
        let all = told(Domain::Finance, text, None).into_iter();
        all.filter(|edge| edge.contains(" ticker:")).collect()
    }

    /// Proves M54a.
    #[test]
    fn what_a_note_names_is_mentioned() {
        assert_eq!(
            told(
                Domain::General,
                "She met Ana on 2026-11-21, see [[Rye bread]], #baking and https://a.example/x",
                None
            ),
            [
                "mentions name:ana", "mentions date:2026-11-21", "mentions wikilink:rye bread",
                "mentions tag:baking", "mentions url:https://a.example/x"
            ]
        );
    }

    /// Verbs say what is done, in two languages; the nearest one before a ticker counts, and what is denied is only
    /// mentioned.
    /// Proves M55.
    #[test]
    fn verbs_say_what_is_done_with_a_ticker() {
        for (text, expected) in [
            ("bought BTC at 60k", &["holds ticker:BTC"][..]),
            ("long ETH since May", &["holds ticker:ETH"]),
            ("做多BTC，止损ETH", &["holds ticker:BTC", "exited ticker:ETH"]),
            ("持有比特币", &["holds ticker:BTC"]),
            ("BTC 止损", &["exited ticker:BTC"]),
            ("sold ETH and bought SOL", &["holds ticker:SOL", "exited ticker:ETH"]),
            ("BTC was sold, ETH was bought", &["holds ticker:ETH", "exited ticker:BTC"]),
            ("holds BTC, ETH and SOL", &["holds ticker:BTC", "holds ticker:ETH", "holds ticker:SOL"]),
            ("swapped USDC for ARB", &["traded ticker:USDC", "traded ticker:ARB"]),
            ("做空DOGE", &["traded ticker:DOGE"]),
            ("watching $HYPE", &["watched ticker:HYPE"]),
            ("关注SOL", &["watched ticker:SOL"]),
            ("bought WIF", &["holds ticker:WIF"]),
            ("traded EUR/USD on Friday", &["traded ticker:EURUSD"]),
            ("closed the BTC-PERP position", &["exited ticker:BTC"]),
            ("never sold BTC", &["mentions ticker:BTC"]),
            ("no longer holds ETH", &["mentions ticker:ETH"]),
            ("不再持有ETH", &["mentions ticker:ETH"]),
            ("没有买SOL", &["mentions ticker:SOL"]),
            ("BTC is volatile", &["mentions ticker:BTC"]),
            ("the API is slow and NASA launched", &[]),
            ("she holds the door", &[]),
        ] {
            assert_eq!(traded(text), expected, "{text}");
        }
    }

    #[test]
    fn chains_and_addresses_are_mentioned() {
        let address = format!("0x{}", "aB".repeat(20));
        let said = told(Domain::Finance, &format!("bridged to Base from arbitrum, wallet {address}"), None);
        assert!(said.contains(&"mentions chain:base".to_owned()), "{said:?}");
        assert!(said.contains(&"mentions chain:arbitrum".to_owned()), "{said:?}");
        assert!(said.contains(&format!("mentions address:0x{}", "ab".repeat(20))), "{said:?}");
        assert!(
            !told(Domain::Finance, "touch base with Bo", None).iter().any(|edge| edge.contains("chain:"))
        );
    }

    /// Of six tickers the first five are paired.
    /// Proves M55.
    #[test]
    fn tickers_that_stand_together_are_paired() {
        let pairs = |text: &str| -> Vec<String> {
            told(Domain::Finance, text, None).into_iter().filter(|edge| edge.starts_with("co_")).collect()
        };
        assert_eq!(pairs("ETH and BTC"), ["co_occurs_with pair:BTC+ETH"]);
        assert!(pairs("BTC").is_empty());
        let five = pairs("BTC ETH SOL ARB OP");
        assert_eq!(five.len(), 10);
        assert_eq!(pairs("BTC ETH SOL ARB OP DOGE"), five);
    }

    /// Proves M55.
    #[test]
    fn a_scenario_is_the_systems_word_and_never_the_texts() {
        for domain in [Domain::General, Domain::Finance] {
            for text in ["scenario_id: s-1", "belongs_to_scenario s-1", "{\"scenario_id\":\"s-1\"}"] {
                assert!(!told(domain, text, None).iter().any(|edge| edge.starts_with("belongs")), "{text}");
            }
            assert_eq!(told(domain, "plain", Some(" S-1 ")), ["belongs_to_scenario scenario:S-1"]);
            assert_eq!(told(domain, "plain", Some(" ")), [""; 0]);
        }
    }

    /// Thirty tickers that are only named stand before two that are held: those come first all the same.
    /// Proves M58.
    #[test]
    fn at_most_twenty_edges_and_strong_verbs_first() {
        let named: Vec<String> = ('A'..='Z').map(|letter| format!("$NN{letter}")).collect();
        let said = told(Domain::Finance, &format!("{}. bought BTC. sold ETH.", named.join(" ")), Some("s"));
        assert_eq!(said.len(), 20);
        assert_eq!(said[..3], ["holds ticker:BTC", "exited ticker:ETH", "belongs_to_scenario scenario:s"]);
        assert!(said[3..].iter().all(|edge| edge.starts_with("mentions ticker:NN")));
        let held = told(Domain::Finance, &format!("bought {}", named.join(" ")), None);
        assert!(held.len() == 20 && held.iter().all(|edge| edge.starts_with("holds")));
    }

    proptest! {
        #[test]
        fn any_text_has_few_edges_each_once_in_order(
            text in "(\\PC|[A-Z]{2,5}|\\$[A-Z]{2}| |,|bought|sold|持有|BTC|/){0,120}",
            scenario in prop::option::of("\\PC{0,6}"),
        ) {
            for domain in [Domain::General, Domain::Finance] {
                let all = edges(domain, &text, scenario.as_deref());
                prop_assert!(all.len() <= EDGES_PER_CONTENT_MAX);
                prop_assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
                prop_assert!(all.is_sorted_by_key(|edge| edge.says));
                prop_assert_eq!(&all, &edges(domain, &text, scenario.as_deref()));
            }
        }
    }
}
