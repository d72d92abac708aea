//! The entities that a fact mentions, and the typed edges to them (M54–M58).
//!
//! An edge leads from one fact to one entity. An entity is identified by its kind and key; keys are normalised (case,
//! blanks), so equal entities have equal keys. Invariant: edges follow from the fact's text, except scenarios, which
//! only the system sets.

use crate::words::words;

/// Most edges of one text; strong edge types come first (M58).
pub const EDGES_PER_CONTENT_MAX: usize = 20;

words! {
    /// Subject area of a home's facts: selects the entities to extract (X36).
    Domain {
        /// People, wikilinks, tags, URLs, dates.
        General = "general",
        /// Tickers, chains, addresses and trades.
        Finance = "finance",
    }
}

words! {
    /// The kind of an entity.
    EntityKind {
        /// A person, place or product: capitalised words.
        Name = "name",
        /// `[[Rye bread]]`.
        Wikilink = "wikilink",
        /// `#baking`.
        Tag = "tag",
        /// A URL.
        Url = "url",
        /// A date, as `2026-11-21`.
        Date = "date",
        /// A traded asset: `BTC`, `$HYPE`, `EURUSD`.
        Ticker = "ticker",
        /// Two tickers named together: `BTC+ETH`, sorted.
        Pair = "pair",
        /// A blockchain: `arbitrum`.
        Chain = "chain",
        /// An address on a chain: `0x…`.
        Address = "address",
        /// A scenario id.
        Scenario = "scenario",
    }
}

impl EntityKind {
    /// Every kind.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::WORDS.iter().filter_map(|word| Self::parse(word))
    }

    /// `text` normalised as a key of this kind.
    pub fn key(self, text: &str) -> String {
        let text = text.trim();
        match self {
            Self::Ticker | Self::Pair => text.to_uppercase(),
            // These are case-sensitive; scenario ids come from elsewhere.
            Self::Address if !text.starts_with("0x") && !text.starts_with("0X") => text.to_owned(),
            Self::Scenario => text.to_owned(),
            _ => text.to_lowercase(),
        }
    }
}

words! {
    /// The relation of a fact to an entity, strongest first (M55).
    EdgeType {
        /// Owned or just acquired: bought, long, 做多.
        Holds = "holds",
        /// Given up: sold, closed, 止损.
        Exited = "exited",
        /// Traded: swapped, short, 做空.
        Traded = "traded",
        /// Observed: watching, 关注.
        Watched = "watched",
        /// The fact belongs to a scenario; only the system sets it.
        BelongsToScenario = "belongs_to_scenario",
        /// Mentioned, with no other relation.
        Mentions = "mentions",
        /// Two tickers are named together.
        CoOccursWith = "co_occurs_with",
    }
}

/// One entity that a text mentions.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entity {
    /// Its kind.
    pub kind: EntityKind,
    /// Its normalised key.
    pub key: String,
}

impl Entity {
    /// The entity of this kind that `text` names.
    pub fn new(kind: EntityKind, text: &str) -> Self {
        Self { kind, key: kind.key(text) }
    }

    /// Entities that a person may mean by `text`: of every kind, or of the kind before a colon (`ticker:btc`).
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

/// One relation of a fact to an entity.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// The relation.
    pub says: EdgeType,
    /// The entity.
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
