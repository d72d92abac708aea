//! Extracts traded assets: tickers with actions, chains, addresses (M55).
//!
//! A verb governs the tickers after it up to the next verb of its clause; without one before, the first one after
//! does; a clause without a verb continues the one before its comma. Invariant: a negated verb is no action, and an
//! unknown word in capitals is a ticker only with a verb.

use inwit_model::edge::EdgeType;

use crate::finance_words::{
    ALIASES, ANY_CASE, CHAIN_BEFORE, CHAIN_BEHIND, CHAINS, DENIALS, FIAT, HAN_COINS, HAN_DENIALS, HAN_VERBS,
    NO_TICKERS, POSITION_BEFORE, QUOTES, TICKERS, VERBS,
};

/// The assets in a statement.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct NamedAssets {
    /// Tickers in text order, each once, with their actions.
    pub tickers: Vec<(String, Vec<EdgeType>)>,
    /// Chains, each once.
    pub chains: Vec<String>,
    /// Addresses, each once.
    pub addresses: Vec<String>,
}

/// A token of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Item {
    Verb(EdgeType),
    /// A negated verb.
    Denied,
    Ticker(String),
    /// An unknown word in capitals.
    Capitals(String),
    Chain(String),
    Address(String),
    /// A comma: the next clause continues if it has no verb.
    Comma,
    /// A full stop, or `but`.
    Stop,
}

/// The assets in `text`.
pub fn named(text: &str) -> NamedAssets {
    let items = items(text);
    let mut named = NamedAssets::default();
    for sentence in items.split(|item| *item == Item::Stop) {
        let mut last = None;
        for clause in sentence.split(|item| *item == Item::Comma) {
            last = of_clause(clause, last, &mut named);
        }
    }
    named
}

/// Whether `key`, in lower case, is the long name of a ticker or chain.
pub fn is_alias(key: &str) -> bool {
    ALIASES.iter().any(|(name, _)| *name == key) || CHAINS.iter().any(|(name, _)| *name == key)
}

/// Adds the assets of a clause; `before` governs if it has no verb. Returns the governing verb at its end.
fn of_clause(clause: &[Item], before: Option<EdgeType>, named: &mut NamedAssets) -> Option<EdgeType> {
    let deed = |item: &Item| match item {
        Item::Verb(deed) => Some(Some(*deed)),
        Item::Denied => Some(None),
        _ => None,
    };
    let first = clause.iter().find_map(deed);
    let mut governs = first.unwrap_or(before);
    for item in clause {
        if let Some(deed) = deed(item) {
            governs = deed;
        }
        match item {
            Item::Ticker(key) => add_ticker(named, key, governs),
            Item::Capitals(key) if governs.is_some() => add_ticker(named, key, governs),
            Item::Chain(key) if !named.chains.contains(key) => named.chains.push(key.clone()),
            Item::Address(key) if !named.addresses.contains(key) => named.addresses.push(key.clone()),
            _ => {}
        }
    }
    governs
}

fn add_ticker(named: &mut NamedAssets, key: &str, deed: Option<EdgeType>) {
    let at = named.tickers.iter().position(|(known, _)| known == key).unwrap_or_else(|| {
        named.tickers.push((key.to_owned(), Vec::new()));
        named.tickers.len() - 1
    });
    let said = &mut named.tickers[at].1;
    said.extend(deed.filter(|deed| !said.contains(deed)));
}

/// One run of letters and digits, of Han signs, or one mark.
enum Token<'t> {
    Word(&'t str),
    Han(&'t str),
    Comma,
    Stop,
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if is_han(c) {
            let end = rest.find(|c| !is_han(c)).unwrap_or(rest.len());
            tokens.push(Token::Han(&rest[..end]));
            end
        } else if c.is_alphanumeric() || c == '$' {
            let end = word_end(rest);
            tokens.push(Token::Word(&rest[..end]));
            end
        } else {
            match c {
                '.' | '!' | '?' | ';' | '\n' | '。' | '！' | '？' | '；' => tokens.push(Token::Stop),
                ',' | '，' | '、' | ':' | '：' => tokens.push(Token::Comma),
                _ => {}
            }
            c.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

/// The end of the first word of `text`: inner punctuation belongs to it, trailing does not.
fn word_end(text: &str) -> usize {
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let joins = matches!(c, '-' | '/' | '.' | '\'' | '’' | ',')
            && chars.peek().is_some_and(|(_, next)| next.is_alphanumeric() && !is_han(*next))
            // `1,200` is one word, `BTC,ETH` two.
            && (c != ',' || text[..at].ends_with(|c: char| c.is_ascii_digit()));
        if is_han(c) || !(c.is_alphanumeric() || c == '$' || joins) {
            break;
        }
        end = at + c.len_utf8();
    }
    end
}

fn items(text: &str) -> Vec<Item> {
    let tokens = tokens(text);
    let word = |at: Option<usize>| match at.and_then(|at| tokens.get(at)) {
        Some(Token::Word(word)) => word.to_lowercase(),
        _ => String::new(),
    };
    let mut items = Vec::new();
    let mut denies = false;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token {
            Token::Comma => items.push(Item::Comma),
            Token::Stop => {
                denies = false;
                items.push(Item::Stop);
            }
            Token::Han(run) => of_han(run, &mut items),
            Token::Word(text) => {
                let (before, here, behind) = (word(at.checked_sub(1)), word(Some(at)), word(Some(at + 1)));
                let phrase = format!("{here} {behind}");
                let is_deny =
                    |said: &str| DENIALS.contains(&said) || said.ends_with("n't") || said.ends_with("n’t");
                let deed = |said: &str| VERBS.iter().find(|(verb, _)| *verb == said).map(|(_, deed)| *deed);
                if here == "but" {
                    denies = false;
                    items.push(Item::Stop);
                } else if is_deny(&phrase) {
                    denies = true;
                    at += 1;
                } else if is_deny(&here) {
                    denies = true;
                } else if let Some(deed) = deed(&phrase) {
                    items.push(if std::mem::take(&mut denies) { Item::Denied } else { Item::Verb(deed) });
                    at += 1;
                } else if let Some(deed) = deed(&here) {
                    // `long` and `short` are common words: they count beside a ticker, or as a position.
                    let counts = !matches!(here.as_str(), "long" | "short")
                        || POSITION_BEFORE.contains(&before.as_str())
                        || !of_word(raw(&tokens, at + 1), "", "").is_empty()
                        || at.checked_sub(1).is_some_and(|at| !of_word(raw(&tokens, at), "", "").is_empty());
                    if counts {
                        items.push(if std::mem::take(&mut denies) { Item::Denied } else { Item::Verb(deed) });
                    }
                } else {
                    items.extend(of_word(text, &before, &behind));
                }
            }
        }
        at += 1;
    }
    items
}

fn raw<'t>(tokens: &[Token<'t>], at: usize) -> &'t str {
    match tokens.get(at) {
        Some(Token::Word(word)) => word,
        _ => "",
    }
}

/// The token of a word, given the lower-case words before and after it.
fn of_word(word: &str, before: &str, behind: &str) -> Vec<Item> {
    if is_address(word) {
        return vec![Item::Address(word.to_owned())];
    }
    let word = ["'s", "’s"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
    let lower = word.to_lowercase();
    let is_place = CHAIN_BEFORE.contains(&before) || CHAIN_BEHIND.contains(&behind);
    if let Some((name, is_plain)) = CHAINS.iter().find(|(name, _)| *name == lower) {
        let is_capital = word.starts_with(char::is_uppercase) || CHAIN_BEHIND.contains(&behind);
        if is_place && (*is_plain || is_capital) {
            return vec![Item::Chain((*name).to_owned())];
        }
        if let Some((_, ticker)) = ALIASES.iter().find(|(alias, _)| *alias == lower) {
            return vec![Item::Ticker((*ticker).to_owned())];
        }
        return if *is_plain { vec![Item::Chain((*name).to_owned())] } else { Vec::new() };
    }
    if let Some((_, ticker)) = ALIASES.iter().find(|(alias, _)| *alias == lower) {
        return vec![Item::Ticker((*ticker).to_owned())];
    }
    if let Some((base, quote)) = word.split_once(['/', '-']) {
        return of_pair(base, quote);
    }
    of_symbol(word).into_iter().collect()
}

/// `EUR/USD` is one asset, `BTC-PERP` the first part, `BTC/ETH` two.
fn of_pair(base: &str, quote: &str) -> Vec<Item> {
    let (upper, quoted) = (base.to_uppercase(), quote.to_uppercase());
    if FIAT.contains(&upper.as_str()) && FIAT.contains(&quoted.as_str()) {
        return vec![Item::Ticker(format!("{upper}{quoted}"))];
    }
    if QUOTES.contains(&quoted.as_str()) {
        return match of_symbol(base) {
            Some(Item::Capitals(key)) => vec![Item::Ticker(key)],
            named => named.into_iter().collect(),
        };
    }
    [base, quote].iter().filter_map(|part| of_symbol(part)).collect()
}

fn of_symbol(word: &str) -> Option<Item> {
    const LETTERS: std::ops::RangeInclusive<usize> = 2..=6;
    const MARKED_LETTERS_MAX: usize = 10;
    let is_symbol = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_alphabetic()) && word.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    if let Some(marked) = word.strip_prefix('$') {
        let fits = is_symbol(marked) && marked.len() <= MARKED_LETTERS_MAX;
        return fits.then(|| Item::Ticker(marked.to_uppercase()));
    }
    let upper = word.to_uppercase();
    let is_upper = is_symbol(word) && !word.bytes().any(|b| b.is_ascii_lowercase());
    if TICKERS.contains(&upper.as_str()) && (is_upper || ANY_CASE.contains(&upper.as_str())) {
        return Some(Item::Ticker(upper));
    }
    let is_unknown = is_upper
        && LETTERS.contains(&word.len())
        && word.bytes().all(|b| b.is_ascii_alphabetic())
        && !FIAT.contains(&word)
        && !NO_TICKERS.contains(&word);
    is_unknown.then_some(Item::Capitals(upper))
}

fn of_han(run: &str, items: &mut Vec<Item>) {
    let mut rest = run;
    let begins = |rest: &str| HAN_VERBS.iter().find(|(verb, _)| rest.starts_with(verb)).copied();
    while let Some(c) = rest.chars().next() {
        let denied =
            HAN_DENIALS.iter().find_map(|deny| begins(rest.strip_prefix(deny)?).map(|verb| (deny, verb)));
        let length = if let Some((deny, (verb, _))) = denied {
            items.push(Item::Denied);
            deny.len() + verb.len()
        } else if let Some((verb, deed)) = begins(rest) {
            items.push(Item::Verb(deed));
            verb.len()
        } else if let Some((coin, ticker)) = HAN_COINS.iter().find(|(coin, _)| rest.starts_with(coin)) {
            items.push(Item::Ticker((*ticker).to_owned()));
            coin.len()
        } else {
            if c == '但' {
                items.push(Item::Stop);
            }
            c.len_utf8()
        };
        rest = &rest[length..];
    }
}

/// `0x` and 40 digits, `bc1…`, or 32 to 44 signs of base58 with both cases and a digit.
fn is_address(word: &str) -> bool {
    const BASE58: std::ops::RangeInclusive<usize> = 32..=44;
    const BECH32: std::ops::RangeInclusive<usize> = 14..=74;
    if let Some(digits) = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        return digits.len() == 40 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    }
    if let Some(data) = word.strip_prefix("bc1") {
        let is_data = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        return BECH32.contains(&word.len()) && data.bytes().all(is_data);
    }
    let is_base58 = |b: u8| b.is_ascii_alphanumeric() && !matches!(b, b'0' | b'O' | b'I' | b'l');
    BASE58.contains(&word.len())
        && word.bytes().all(is_base58)
        && word.bytes().any(|b| b.is_ascii_digit())
        && word.bytes().any(|b| b.is_ascii_lowercase())
        && word.bytes().any(|b| b.is_ascii_uppercase())
}

/// Signs that are written without blanks between words.
fn is_han(c: char) -> bool {
    matches!(c as u32, 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x2_0000..=0x3_FFFF)
}
