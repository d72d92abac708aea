//! What a statement names, and how: the edges between a fact and the things of the world (M54–M58).
//!
//! An edge leads from one fact to one named thing. A thing is known again by its kind and its key, so equal
//! things have equal keys: one case, no blanks around. Invariant: an edge says nothing that the fact does not
//! say, but for the scenario, which is the system's word and never the text's.

use crate::words::words;

/// Most edges of one text; strong verbs stand first (M58).
pub const EDGES_PER_CONTENT_MAX: usize = 20;

words! {
    /// What the facts of a home are mostly about: which table of names is looked for (X36).
    Domain {
        /// People, wikilinks, tags, web addresses, days.
        General = "general",
        /// Tickers, chains, addresses, and what is done with them.
        Finance = "finance",
    }
}

words! {
    /// What kind of thing a name names.
    EntityKind {
        /// Somebody, some place, some product: words that begin with a capital.
        Name = "name",
        /// `[[Rye bread]]`.
        Wikilink = "wikilink",
        /// `#baking`.
        Tag = "tag",
        /// A web address.
        Url = "url",
        /// A day as `2026-11-21`.
        Date = "date",
        /// Something that is traded: `BTC`, `$HYPE`, `EURUSD`.
        Ticker = "ticker",
        /// Two of them that stand together: `BTC+ETH`, in the order of letters.
        Pair = "pair",
        /// A network: `arbitrum`.
        Chain = "chain",
        /// Where something is kept on a chain: `0x…`.
        Address = "address",
        /// A scenario, by its id.
        Scenario = "scenario",
    }
}

impl EntityKind {
    /// Every kind.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::WORDS.iter().filter_map(|word| Self::parse(word))
    }

    /// `text` as a key of this kind is written.
    pub fn key(self, text: &str) -> String {
        let text = text.trim();
        match self {
            Self::Ticker | Self::Pair => text.to_uppercase(),
            // Letters of different case are different letters there, and the id is not ours.
            Self::Address if !text.starts_with("0x") && !text.starts_with("0X") => text.to_owned(),
            Self::Scenario => text.to_owned(),
            _ => text.to_lowercase(),
        }
    }
}

words! {
    /// What a fact says of a thing, the strongest first (M55).
    EdgeType {
        /// It is had, or was just taken: bought, long, 做多.
        Holds = "holds",
        /// It was given away: sold, closed, 止损.
        Exited = "exited",
        /// It is bought and sold: traded, swapped, short, 做空.
        Traded = "traded",
        /// It is looked at: watching, 关注.
        Watched = "watched",
        /// The fact belongs to a scenario. Only the system says so.
        BelongsToScenario = "belongs_to_scenario",
        /// It is named, and nothing more is known.
        Mentions = "mentions",
        /// Two tickers are named together.
        CoOccursWith = "co_occurs_with",
    }
}

/// One thing that a text names.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entity {
    /// What kind of thing.
    pub kind: EntityKind,
    /// Its name, by which it is known again.
    pub key: String,
}

impl Entity {
    /// The thing of this kind that `text` names.
    pub fn new(kind: EntityKind, text: &str) -> Self {
        Self { kind, key: kind.key(text) }
    }

    /// Things that a person may mean by `text`: of every kind, or of the one before a colon (`ticker:btc`).
    pub fn meant(text: &str) -> Vec<Self> {
        let of_kind = text.split_once(':').and_then(|(kind, key)| Some((EntityKind::parse(kind)?, key)));
        match of_kind {
            Some((kind, key)) => vec![Self::new(kind, key)],
            None => {
                let plain = text.trim().trim_start_matches(['#', '$']);
                EntityKind::all().map(|kind| Self::new(kind, plain)).collect()
            }
        }
    }
}

/// What one fact says of one thing.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// What it says.
    pub says: EdgeType,
    /// Of what.
    pub of: Entity,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_things_have_equal_keys() {
        for (kind, text, key) in [
            (EntityKind::Name, " Ana María ", "ana maría"),
            (EntityKind::Ticker, "btc", "BTC"),
            (EntityKind::Address, "0xABcd", "0xabcd"),
            (EntityKind::Address, "So1aNa", "So1aNa"),
        ] {
            assert_eq!(Entity::new(kind, text).key, key);
        }
    }

    #[test]
    fn a_person_names_a_thing_with_its_kind_or_without() {
        assert_eq!(Entity::meant("ticker:btc"), [Entity { kind: EntityKind::Ticker, key: "BTC".into() }]);
        let any = Entity::meant("$btc");
        assert_eq!(any.len(), EntityKind::WORDS.len());
        assert!(any.contains(&Entity { kind: EntityKind::Ticker, key: "BTC".into() }));
        assert!(any.contains(&Entity { kind: EntityKind::Name, key: "btc".into() }));
        assert!(
            Entity::meant("https://a.example").contains(&Entity::new(EntityKind::Url, "https://a.example"))
        );
    }
}
