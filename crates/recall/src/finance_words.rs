//! Word tables of [`mod@crate::finance`], in English and Chinese.
//!
//! Invariant: of two Chinese verbs with a common prefix the longer one comes first.

use inwit_model::edge::EdgeType;
use inwit_model::edge::EdgeType::{Exited, Holds, Traded, Watched};

/// Tickers that are not ordinary words in capitals.
pub const TICKERS: &[&str] = &[
    "AAPL", "AAVE", "ADA", "AMD", "AMZN", "APT", "ARB", "ATOM", "AVAX", "BCH", "BNB", "BONK", "BTC", "COIN",
    "CRV", "DOGE", "DOT", "ENA", "ETC", "ETH", "FIL", "GOOG", "GOOGL", "HYPE", "INJ", "JUP", "LDO", "LINK",
    "LTC", "META", "MKR", "MSFT", "MSTR", "NEAR", "NVDA", "ONDO", "OP", "PENDLE", "PEPE", "PYTH", "QQQ",
    "SEI", "SHIB", "SOL", "SPY", "STETH", "STRK", "SUI", "TIA", "TON", "TRX", "TSLA", "UNI", "USDC", "USDE",
    "USDT", "DAI", "WBTC", "WETH", "WIF", "WLD", "XAU", "XAUUSD", "XLM", "XMR", "XRP", "ZEC",
];

/// Tickers recognised in lower case too.
pub const ANY_CASE: &[&str] = &["BNB", "BTC", "DOGE", "ETH", "USDC", "USDT", "WBTC", "WETH", "XRP"];

/// Long names of tickers, in lower case.
pub const ALIASES: &[(&str, &str)] = &[
    ("bitcoin", "BTC"),
    ("ether", "ETH"),
    ("ethereum", "ETH"),
    ("solana", "SOL"),
    ("dogecoin", "DOGE"),
    ("ripple", "XRP"),
    ("litecoin", "LTC"),
    ("cardano", "ADA"),
    ("chainlink", "LINK"),
    ("monero", "XMR"),
    ("tether", "USDT"),
];

/// Chains, and whether the name has no other meaning.
pub const CHAINS: &[(&str, bool)] = &[
    ("ethereum", true),
    ("arbitrum", true),
    ("optimism", false),
    ("base", false),
    ("polygon", false),
    ("solana", true),
    ("bsc", true),
    ("avalanche", false),
    ("bitcoin", true),
    ("tron", false),
    ("sui", false),
    ("aptos", true),
    ("near", false),
    ("ton", false),
    ("cosmos", false),
    ("hyperliquid", true),
    ("zksync", true),
    ("scroll", false),
    ("linea", true),
    ("blast", false),
    ("mantle", false),
    ("starknet", true),
];

/// Words before a chain's name.
pub const CHAIN_BEFORE: &[&str] = &["on", "to", "from", "via", "across", "onto", "chain"];

/// Words after it.
pub const CHAIN_BEHIND: &[&str] = &["chain", "network", "mainnet", "l2", "rollup"];

/// Words before `long` and `short` that make it a position.
pub const POSITION_BEFORE: &[&str] =
    &["go", "goes", "went", "going", "stay", "stayed", "am", "is", "net", "i'm"];

/// Fiat currencies.
pub const FIAT: &[&str] = &[
    "USD", "EUR", "GBP", "JPY", "CHF", "CNY", "CNH", "HKD", "AUD", "CAD", "NZD", "SGD", "KRW", "INR", "TRY",
];

/// Quote currencies: the second part of a pair without further meaning.
pub const QUOTES: &[&str] = &["USD", "USDT", "USDC", "EUR", "PERP", "SPOT"];

/// Ordinary words in capitals that occur near trading verbs.
pub const NO_TICKERS: &[&str] = &[
    "AI", "AM", "AND", "API", "APR", "APY", "ATH", "ATL", "BUY", "CEO", "CEX", "CLI", "CPI", "CPU", "CTO",
    "DAO", "DCA", "DEX", "DIY", "EST", "ETA", "ETF", "FAQ", "FED", "FOMC", "FOMO", "FUD", "GDP", "GMT",
    "GPU", "HODL", "HTTP", "ID", "IMO", "IPO", "IRS", "JSON", "KYC", "LLC", "LLM", "LONG", "LP", "LTD",
    "MACD", "NFT", "NO", "NOT", "OK", "OR", "OTC", "PC", "PDF", "PM", "PNL", "PR", "RSI", "SEC", "SELL",
    "SHORT", "SL", "SQL", "TA", "THE", "TP", "TV", "TVL", "UI", "UK", "US", "USA", "USB", "UTC", "VC", "VIP",
    "VPN", "VS", "YES", "YOLO",
];

/// Negations before a verb.
pub const DENIALS: &[&str] = &[
    "not", "never", "no longer", "cannot", "without", "didn't", "doesn't", "don't", "isn't", "won't",
    "wouldn't", "refuses to", "refused to",
];

/// Verbs and their actions.
pub const VERBS: &[(&str, EdgeType)] = &[
    ("hold", Holds),
    ("holds", Holds),
    ("holding", Holds),
    ("hodl", Holds),
    ("hodls", Holds),
    ("hodling", Holds),
    ("own", Holds),
    ("owns", Holds),
    ("owning", Holds),
    ("buy", Holds),
    ("buys", Holds),
    ("bought", Holds),
    ("buying", Holds),
    ("long", Holds),
    ("longs", Holds),
    ("longed", Holds),
    ("longing", Holds),
    ("accumulate", Holds),
    ("accumulates", Holds),
    ("accumulated", Holds),
    ("accumulating", Holds),
    ("acquire", Holds),
    ("acquires", Holds),
    ("acquired", Holds),
    ("purchase", Holds),
    ("purchased", Holds),
    ("sell", Exited),
    ("sells", Exited),
    ("sold", Exited),
    ("selling", Exited),
    ("exit", Exited),
    ("exits", Exited),
    ("exited", Exited),
    ("exiting", Exited),
    ("close", Exited),
    ("closes", Exited),
    ("closed", Exited),
    ("closing", Exited),
    ("dump", Exited),
    ("dumps", Exited),
    ("dumped", Exited),
    ("dumping", Exited),
    ("unloaded", Exited),
    ("liquidated", Exited),
    ("stopped out", Exited),
    ("took profit", Exited),
    ("cashed out", Exited),
    ("trade", Traded),
    ("trades", Traded),
    ("traded", Traded),
    ("trading", Traded),
    ("swap", Traded),
    ("swaps", Traded),
    ("swapped", Traded),
    ("swapping", Traded),
    ("short", Traded),
    ("shorts", Traded),
    ("shorted", Traded),
    ("shorting", Traded),
    ("scalp", Traded),
    ("scalps", Traded),
    ("scalped", Traded),
    ("scalping", Traded),
    ("flip", Traded),
    ("flipped", Traded),
    ("converted", Traded),
    ("rotated", Traded),
    ("hedge", Traded),
    ("hedges", Traded),
    ("hedged", Traded),
    ("watch", Watched),
    ("watches", Watched),
    ("watched", Watched),
    ("watching", Watched),
    ("monitor", Watched),
    ("monitors", Watched),
    ("monitored", Watched),
    ("monitoring", Watched),
    ("track", Watched),
    ("tracks", Watched),
    ("tracked", Watched),
    ("tracking", Watched),
    ("follow", Watched),
    ("follows", Watched),
    ("followed", Watched),
    ("following", Watched),
    ("eyeing", Watched),
    ("watchlist", Watched),
];

/// Verbs in Chinese.
pub const HAN_VERBS: &[(&str, EdgeType)] = &[
    ("买卖", Traded),
    ("买入", Holds),
    ("买进", Holds),
    ("买了", Holds),
    ("买", Holds),
    ("做多", Holds),
    ("开多", Holds),
    ("持有", Holds),
    ("持仓", Holds),
    ("加仓", Holds),
    ("建仓", Holds),
    ("抄底", Holds),
    ("增持", Holds),
    ("囤", Holds),
    ("卖出", Exited),
    ("卖掉", Exited),
    ("卖了", Exited),
    ("卖", Exited),
    ("止损", Exited),
    ("止盈", Exited),
    ("平仓", Exited),
    ("清仓", Exited),
    ("离场", Exited),
    ("抛售", Exited),
    ("减持", Exited),
    ("减仓", Exited),
    ("做空", Traded),
    ("开空", Traded),
    ("交易", Traded),
    ("换成", Traded),
    ("换仓", Traded),
    ("对冲", Traded),
    ("关注", Watched),
    ("观察", Watched),
    ("盯着", Watched),
    ("盯", Watched),
    ("留意", Watched),
    ("跟踪", Watched),
];

/// Chinese negations directly before a verb.
pub const HAN_DENIALS: &[&str] = &["没有", "没", "不再", "不会", "不", "未曾", "未", "别"];

/// Long names of tickers in Chinese.
pub const HAN_COINS: &[(&str, &str)] = &[
    ("比特币", "BTC"),
    ("以太坊", "ETH"),
    ("以太币", "ETH"),
    ("狗狗币", "DOGE"),
    ("瑞波币", "XRP"),
    ("莱特币", "LTC"),
    ("索拉纳", "SOL"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_verb_hides_a_longer_one() {
        for (at, (verb, _)) in HAN_VERBS.iter().enumerate() {
            assert!(HAN_VERBS[..at].iter().all(|(before, _)| !verb.starts_with(before)), "{verb}");
        }
        for (at, deny) in HAN_DENIALS.iter().enumerate() {
            assert!(HAN_DENIALS[..at].iter().all(|before| !deny.starts_with(before)), "{deny}");
        }
    }

    #[test]
    fn keys_are_in_the_case_they_are_looked_up_in() {
        assert!(
            [TICKERS, ANY_CASE, FIAT, QUOTES, NO_TICKERS].concat().iter().all(|w| *w == w.to_uppercase())
        );
        assert!(VERBS.iter().all(|(verb, _)| *verb == verb.to_lowercase()));
        assert!(ANY_CASE.iter().all(|ticker| TICKERS.contains(ticker)));
    }
}
