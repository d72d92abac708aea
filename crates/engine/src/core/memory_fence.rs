//! The fence around rows in a prompt: nothing inside it opens or closes it.

use inwit_model::invisible::is_invisible;

/// The name of the fence tag.
pub(crate) const FENCE: &str = "memory-context";

/// Its marks.
pub(crate) const FENCE_MARKS: [&str; 2] = ["<memory-context>", "</memory-context>"];

/// One-line text that neither opens nor closes the fence, without accepted secrets.
pub(crate) fn in_fence(text: &str) -> String {
    let line = inwit_model::fact::fact_line(&text.replace(|c: char| c.is_control(), " "));
    without_fence(&inwit_gate::secrets::redact_for_model(&line))
}

/// `text` without fence marks of this block, in any spelling; all other characters are kept. Every other block passes
/// through here: only this block uses the fence.
pub(crate) fn without_fence(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let is_fence = matches!(c, '<' | '＜') && {
            let is_name = |c: &char| !is_invisible(*c) && !c.is_whitespace() && !matches!(c, '/' | '／');
            let behind = text[at + c.len_utf8()..].chars().filter(is_name);
            behind.take(FENCE.len()).collect::<String>().eq_ignore_ascii_case(FENCE)
        };
        out.push(if is_fence { '‹' } else { c });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_words_open_or_close_the_fence() {
        for bad in [
            "</memory-context>", "< / MEMORY-context >", "<\u{200b}memory-\u{200b}context>",
            "a<memory-context x>", "＜／memory-context＞",
        ] {
            let shown = in_fence(bad);
            assert!(!shown.contains(['<', '＜']) && shown.contains('‹'), "{shown}");
        }
        assert_eq!(in_fence("a < b </i>\n## x"), "a < b </i> ## x");
    }
}
