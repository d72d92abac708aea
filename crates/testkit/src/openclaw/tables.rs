//! The text of the made OpenClaw workspaces: all our own, in English and Chinese.

use jiff::civil::{Date, date};

/// Questions with the file whose text answers them; [`super::on`] fills in the dates of a path. The answers are
/// [`ANSWERS`], in this order. Core and logs must have been asked for.
pub const QUESTIONS: &[(&str, &str)] = &[
    ("What is Maren allergic to?", "memory/core.md"),
    ("谁可以批准超过两千元的采购？", "memory/core.md"),
    ("How thick are the ribs of the harvest lantern?", "MEMORY.md"),
    ("仓库的备用钥匙在哪里？", "MEMORY.md"),
    ("How should prices be quoted?", "USER.md"),
    ("她早上喝什么茶？", "USER.md"),
    ("Why did the rice paste fail?", "memory/{today}.md"),
    ("谁取走了鲤鱼灯？", "memory/{yesterday}.md"),
    ("Which stall did the harbour market give us?", "memory/{today}-harbour-market.md"),
    ("哪家胶水供应商关门了？", OLD_LOG),
    ("How long does silk soak in persimmon juice?", "memory/topics/dyeing.md"),
    ("风筝尾巴的长度怎么算？", "memory/topics/kites.md"),
];

/// The sentences that answer [`QUESTIONS`]. Each occurs once in a workspace.
pub const ANSWERS: &[&str] = &[
    "Maren is allergic to walnut; even walnut oil on a brush handle brings a rash.",
    "超过两千元的采购只有闻白羽可以批准。",
    "Ribs of the harvest lantern are split to 4.2 mm, because thinner ones broke in the gale of 2025.",
    "仓库的备用钥匙挂在染缸后面的第三个钉子上。",
    "Always quote prices with tax included, rounded to whole crowns.",
    "早上只喝不加糖的荞麦茶，不要推荐咖啡。",
    "The rice paste failed in the rain because somebody had left out the alum.",
    "陶静取走了三盏鲤鱼灯，余款下周付清。",
    "The harbour market gave us stall 31, next to the eel smoker.",
    "青杉胶水供应商关门了，以后改从白鹭行进货。",
    "Silk soaks in persimmon juice for nine hours and dries in full sun.",
    "风筝尾巴的长度是骨架高度的七倍。",
];

/// The only sentence that occurs twice: a bullet of MEMORY.md and of memory/core.md.
pub const DUPLICATE: &str = "The loft ladder carries one person at a time.";
/// The first bullet of MEMORY.md.
pub const FIRST_MEMORY: &str = "First note: the workshop opened on the longest day of 2019.";
/// The last bullet of MEMORY.md.
pub const LAST_MEMORY: &str = "Last note: 屋顶的风向标指着东南。";
/// The last bullet of AGENTS.md.
pub const LAST_AGENTS: &str = "Last rule: this page belongs to the bench; change it when the bench changes.";
/// The log that is much older than the others of [`LOGS`].
pub const OLD_LOG: &str = "memory/2026-02-11.md";
/// The log that holds credentials.
pub const SECRET_LOG: &str = "memory/2026-02-12.md";
/// The date of the first log beside BOOTSTRAP.md; 36 of them end before [`OLD_LOG`].
pub const FIRST_DAY: Date = date(2026, 1, 5);
/// A word in every vendored file and in no other.
pub const VENDORED_WORD: &str = "spindrel";
/// Path of the socket, where git's file monitor creates it.
pub const SOCKET: &str = ".git/fsmonitor--daemon.ipc";

/// The logs of [`super::Workspace::logs`], with their lengths in characters.
pub const LOGS: &[(&str, usize)] = &[
    ("memory/{today}.md", 9_000),
    ("memory/{yesterday}.md", 9_000),
    ("memory/{today}-harbour-market.md", 900),
    ("memory/{today}-paper-order.md", 900),
    ("memory/{today}-roof-leak.md", 700),
    ("memory/{today}-1432.md", 700),
    (OLD_LOG, 1_200),
];

/// Folders of other people's Markdown, which no command should read.
pub const VENDORED: &[&str] = &[
    ".venv/lib/python3.12/site-packages/idna",
    "venv/lib/python3.12/site-packages/wheel",
    "skills/x/node_modules/left",
    ".git/logs/notes",
    "__pycache__",
];

/// Symbolic links and their targets: three that dangle (an editor's lock among them), one to a folder, one to
/// [`SOCKET`].
pub const LINKS: &[(&str, &str)] = &[
    (".#MEMORY.md", "maren@bench.4711:1767000000"),
    ("venv/bin/python3", "../../gone/python3.12"),
    ("skills/x/README.md", "../gone/README.md"),
    ("latest", "memory"),
    ("agent.sock", SOCKET),
];

/// The policy lines in the middle of a long AGENTS.md.
pub const POLICIES: &[&str] = &[
    "Never lend the long saw to visitors.",
    "Always close the skylight before the fan runs.",
    "禁止在阁楼点明火。",
    "Never send an invoice without Maren's word.",
    "Always name the person who took a message.",
    "不得把客人的地址写进公开的群。",
    "Never delete a drawing; move it to the attic folder.",
    "Always ask before a payment leaves the account.",
    "禁止把客人的照片发给别人。",
    "Never answer the ferry office in Maren's name.",
    "Always read a number back before it goes to print.",
    "务必在六点以前收起晾纸架。",
];

/// Place, text before, recipe, text after. `TOOLS.md` is `## Tools` of AGENTS.md in the current generation.
pub(super) const CREDENTIALS: &[(&str, &str, &str, &str)] = &[
    ("MEMORY.md", "- Bot of the stall: https://api.telegram.org/bot", "<d10>:AA<w33>", "/getUpdates\n"),
    ("MEMORY.md", "- 公众号 AppSecret: ", "<h32>", "\n"),
    ("MEMORY.md", "- 飞书机器人 App Secret：", "<a32>", "\n"),
    ("MEMORY.md", "- Web search goes through ", "tvly-<a32>", " since May.\n"),
    ("TOOLS.md", "- Router in the loft, user admin, Password: ", "Heron<d4>-<a4>", "\n"),
    ("TOOLS.md", "- 晾纸房的摄像头，密码：", "<a12>", "\n"),
    ("TOOLS.md", "- Ledger: postgres://ledger:", "<a16>", "@db.oskerwell.example:5432/stock\n"),
    ("TOOLS.md", "- Stock: `curl -u pilcrow:", "<a14>", " https://stock.oskerwell.example/today`\n"),
    ("TOOLS.md", "- Film night: http://192.0.2.20:32400/library?X-Plex-Token=", "<a20>", "\n"),
    (SECRET_LOG, "```sh\nexport DB_PASSWORD=", "<a18>", "\n"),
    (SECRET_LOG, "export CODING_PLAN=", "sk-cp-<w86>", "\n```\n"),
    (SECRET_LOG, "- Parcel photos: aws_access_key_id = ", "AKIA<b16>", "\n"),
    (SECRET_LOG, "  aws_secret_access_key = ", "<a12>/<a12>+<a14>", "\n"),
    (SECRET_LOG, "- Binance API Key: ", "<a64>", "\n"),
    (SECRET_LOG, "- 币安 Secret Key：", "<a64>", "\n"),
];

pub(super) const ALPHABETS: &[(&str, &str)] = &[
    ("a", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
    ("w", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-"),
    ("d", "0123456789"),
    ("h", "0123456789abcdef"),
    ("b", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
];

pub(super) const PURPOSES: &[&str] = &["Donations arrive at", "码头摊位的收款地址是", "The guild pays from"];

// English=Chinese, separated by semicolons.
pub(super) const WHO: &str = "Tilde Orrin=蒂尔德; Bram Castellan=布拉姆; Ottil Fen=奥蒂; He Qiushan=何秋山; \
    Lin Duanmu=林端木; Sorrel Vance=索蕾; Ned Harrow=内德";
pub(super) const DID: &str =
    "counted=点了; packed=包好了; repaired=修好了; painted=漆好了; carried out=搬走了";
pub(super) const WHAT: &str = "paper fans=把纸扇; brass hooks=个铜钩; reed mats=张苇席; ink cakes=锭墨; \
    flax cords=根麻绳; drying racks=座晾架; copper pans=口铜锅; clay lids=个陶盖";
pub(super) const PLACE: &str = "in the loft=阁楼; at Lask Quay=拉斯克码头; behind the shed=棚子后面; on the terrace=露台上; \
    in Tern Lane=燕鸥巷; beside the weir=堰边; under the arcade=骑楼下";
pub(super) const REST: &str = "the rest waits until the dew is gone=剩下的等露水干了再说; \
    the crate was signed for at noon=箱子中午有人签收; two came back with a torn corner=有两件因为破角退了回来; \
    the blue crate is full now=蓝色的箱子已经装满; nobody has written down the colour=颜色还没有人登记; \
    the next round is on Thursday=下一轮排在星期四; the damp ones lie beside the stove=潮的放在炉子旁边; \
    the list hangs on the inner door=清单挂在里门上; a third of them belongs to the school=其中三分之一归学校; \
    the receipt lies in the drawer=收据放在抽屉里; the scale was off by a hair=秤差了一点点";
pub(super) const VERBS: &str = "Sort=整理; Count=清点; Weigh=称量; Label=标记; Photograph=拍摄; Reorder=补订; Inspect=检查; \
    Repair=修补; Appraise=核价; Wrap=包装; Clean=清洗; Stack=堆放; Measure=测量; Ship=发运; List=登记; Oil=上油; \
    Varnish=上漆; Dust=除尘; Collect=收回; Lend=借出";

pub(super) const CORE: &str = "\
//- memory/core.md
# Core
- {0}
- {1}
- {duplicate}
- 访客一律从后门进出。
";

pub(super) const X: &str = "\
//- skills/x/SKILL.md
---
name: x
description: Fold a strip of paper into a cross and glue it to the lid of a box.
---
Fold twice, then press.
";

pub(super) const BOOTSTRAP: &str = "\
//- BOOTSTRAP.md
# BOOTSTRAP.md - Birth Sequence
You have just been unpacked. Agree on a name and a manner, choose a picture, and delete this page.
先问该怎么称呼对方。
";

pub(super) const TOOLS: &str = "\
### Local notes
- Camera of the drying room: the clock runs eleven minutes fast.
- 打印机只认 A5 纸。
";

pub(super) const HEARTBEATS: &str = "\
## Heartbeats
Read HEARTBEAT.md and do what it asks; otherwise answer HEARTBEAT_OK.
";

pub(super) const AGENTS: &str = "\
# AGENTS.md - Your Workspace
The bench of a workshop for paper and lanterns in Tern Lane.

## Session Startup
The pages of this folder are in context. Search the notes before a question about last week.
先读今天和昨天的日志。

## Memory
### MEMORY.md - Durable Facts and Decisions
Open it in talks with Maren alone.
### Write It Down
- A thing that is not on a page is gone tomorrow.
- 数字要带单位，日子要带年份。

## Red Lines
- What guests say in private stays in this folder.
- 对外的信只写草稿。

## Group Chats
### Know When to Speak
Answer when somebody asks for you, and keep it to two lines.

";

pub(super) const COMMON: &str = "\
//- SOUL.md
# SOUL.md - Who You Are
## Core Truths
Show the work before the opinion. 宁可慢一点，也不要猜。
## Boundaries
The letters of guests are theirs.
## Vibe
Dry, warm, short.
//- IDENTITY.md
# IDENTITY.md - Who Am I?

- **Name:** Pilcrow
- **Creature:** a paper heron
- **Vibe:** dry and warm
- **Emoji:** 🏮
- **Avatar:** avatars/heron.png
//- memory/topics/dyeing.md
# Dyeing
- {0}
- 靛蓝缸每天早晚各搅一次。
//- memory/topics/kites.md
# Kites
- {0}
- A kite for the coast gets a doubled bridle.
";

pub(super) const OLDER: &str = "\
//- USER.md
# USER.md - About Your Human

- **Name:** Maren Hu (胡玛伦)
- **What to call them:** Maren
- **Pronouns:** she/her
- **Timezone:** Europe/Lisbon
- **Notes:** {0}

## Context
{1}
Runs the workshop with Wen Baiyu (闻白羽) and reads messages after the noon ferry.
//- HEARTBEAT.md
# HEARTBEAT.md
- Ask about the racks when the log of the day is silent.
//- .openclaw/workspace-state.json
{
  \"version\": 1,
  \"bootstrapSeededAt\": \"2026-01-03T09:00:11.204Z\",
  \"onboardingCompletedAt\": \"2026-01-03T09:21:40.517Z\",
  \"setupCompletedAt\": \"2026-01-03T09:21:40.517Z\"
}
";

pub(super) const CURRENT: &str = "\
//- USER.md
# USER.md - User Model

## Directives

<!-- observed: 2026-05-02 | status: active -->
- {0}
<!-- observed: 2026-05-09 | status: superseded -->
- Prefer the summary before breakfast.
<!-- observed: 2026-06-01 | status: active -->
- {1}
<!-- observed: 2026-06-14 | status: active -->
- Prefer the summary after the noon ferry.
//- DREAMS.md
# Dream Diary
<!-- openclaw:dreaming:diary:start -->
A heron folded itself out of a bill and flew off.
<!-- openclaw:dreaming:diary:end -->

## Deep Sleep
<!-- openclaw:dreaming:deep:start -->
- Ranked 9 candidates and promoted 2.
<!-- openclaw:dreaming:deep:end -->
//- memory/dreaming/deep/2026-08-28.md
# Deep Sleep 2026-08-28
- Two candidates passed: the arcade lease and the weir gauge.
- 其余七条没有通过。
//- memory/imports/codex/2026-08-20-price-list.md
# Imported from Codex
- The list of articles is built by a script in the attic repository.
- 脚本每周一运行。
";
