//! Every fixed limit of parsing, with its unit in its name.

/// Longest passage, in characters as read (CRLF counts as one); longer blocks are split.
pub const PASSAGE_CHARS_MAX: usize = 1_200;

/// Shortest piece that a preferred cut may leave, in characters; below it the next kind of cut is tried.
pub const PASSAGE_CHARS_CUT_MIN: usize = 300;

/// Longest entry that is never split into parts, in characters.
pub const PART_CHARS_MIN: usize = 200;

/// Longest group of sentences of a paragraph, in characters.
pub const WINDOW_CHARS_MAX: usize = 400;

/// Most passages of one file that are such parts; later entries are split by length alone.
pub const FILE_PARTS_MAX: usize = 50_000;

/// Most lines above a passage that are its context, nearest first.
pub const CONTEXT_LEVELS_MAX: usize = 4;

/// Longest line of a context, in bytes.
pub const CONTEXT_BYTES_MAX: usize = 200;

/// Deepest nesting of lists and quotes that is read as such; a deeper line is read as plain text.
pub const NESTING_LEVELS_MAX: usize = 64;

/// Most Markdown marks in one file, with each line counted twice; later ones are read as plain text. A parser
/// keeps a node for each.
pub const MARKS_MAX: usize = 1_500_000;

/// Longest path of headings above a passage, in bytes; it is stored with each passage of the section.
pub const PATH_BYTES_MAX: usize = 400;

/// Longest heading in such a path, in bytes.
pub const PATH_TITLE_BYTES_MAX: usize = 200;

/// Longest link title, in line ends; a quote without a closing quote within this distance starts no title.
pub const LINK_TITLE_LINES_MAX: usize = 16;

/// Largest file whose link titles are not checked first, in bytes; their cost is small there.
pub const LINK_TITLE_UNGUARDED_BYTES_MAX: usize = 8 * 1024;

/// Largest front matter, in bytes between its fences; a larger one is read as text.
pub const FRONT_MATTER_BYTES_MAX: usize = 64 * 1024;

/// Most YAML nodes of one front matter.
pub const FIELD_NODES_MAX: usize = 2_000;

/// Deepest YAML nesting of one front matter.
pub const FIELD_DEPTH_MAX: usize = 16;

/// Longest label, in characters.
pub const LABEL_CHARS_MAX: usize = 40;

/// Bytes at the start of an entry that are searched for its label.
pub const LABEL_HEAD_BYTES_MAX: usize = 4 * 1024;

/// Most words of a label.
pub const LABEL_WORDS_MAX: usize = 4;

/// Bytes read to detect UTF-16 without a byte order mark.
pub const ENCODING_SAMPLE_BYTES: usize = 512;

/// Bytes read at the start, in the middle and at the end of a file to detect a binary file.
pub const BINARY_SAMPLE_BYTES: usize = 8 * 1024;

/// Percent of such a sample that is NUL or not UTF-8 in a binary file. Latin-1 text is far below it.
pub const BINARY_PERCENT: usize = 25;

/// Percent of such a sample that is NUL in a binary file. Text contains NUL only by mistake.
pub const BINARY_NUL_PERCENT: usize = 10;

/// Fewest such bytes in a binary file; a short note may contain a few stray bytes.
pub const BINARY_BYTES_MIN: usize = 64;

const _: () = assert!(PASSAGE_CHARS_CUT_MIN * 2 <= PASSAGE_CHARS_MAX, "a cut must leave room to choose");
