//! Tables of words: what a question says without meaning it, and forms that no stemmer joins.
//!
//! Lower-case, without marks. They are small on purpose: a word stands here because dropping or
//! joining it helps in any notes, not because one question asked for it.

/// Words of a question that carry no content.
pub const STOP_WORDS: &str = "
a an the this that these those there here
i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers
herself it its itself they them their theirs themselves who whom whose which what when where why how
am is are was were be been being do does did doing done have has had having will would shall should can could may
might must ought and or but nor so yet if then than as because while until unless though although whether
of in on at by for from to into onto with without within about after before between during through over under
above below up down out off against among around across along toward towards upon via per
not no any some each every either neither both all such same other another very too just also only even still again
ever never always often much many happen happens happened happening im ive id ill youre youve youd youll hes shes weve were theyre theyve dont doesnt didnt isnt
arent wasnt werent wont wouldnt cant cannot couldnt shouldnt havent hasnt hadnt thats whats wheres whens whos hows
lets theres s t d ll ve re m
el la los las un una unos unas de del al que qué quien donde cuando como cual por para con sin sobre entre y o u e es
son era fue ser estar esta este esto eso esa ese se su sus lo le les mi mis tu tus nos ha han hay muy mas pero si no ya
der die das ein eine einen einem einer und oder ist sind war wer wo wann wie warum welche welcher mit von zu zum zur
im am auf fur nicht es wir ihr sie er du
le les des une du et ou est sont qui quand comment pourquoi quel quelle avec sans pour dans sur ce cette ces il elle
ils elles nous vous ne pas au aux";

/// Forms of one word: the head, then forms that stemming leaves apart.
pub const FORMS: &[&str] = &[
    "be am is are was were been being",
    "become became",
    "begin began begun",
    "bite bit bitten",
    "blow blew blown",
    "break broke broken",
    "bring brought",
    "build built",
    "buy bought",
    "catch caught",
    "choose chose chosen",
    "come came",
    "deal dealt",
    "dig dug",
    "do did done",
    "draw drew drawn",
    "dream dreamt",
    "drink drank drunk",
    "drive drove driven",
    "eat ate eaten",
    "fall fell fallen",
    "feed fed",
    "feel felt",
    "fight fought",
    "find found",
    "fly flew flown",
    "forget forgot forgotten",
    "forgive forgave forgiven",
    "freeze froze frozen",
    "get got gotten",
    "give gave given",
    "go went gone",
    "grow grew grown",
    "hang hung",
    "hear heard",
    "hide hid hidden",
    "hold held",
    "keep kept",
    "know knew known",
    "lay laid",
    "lead led",
    "learn learnt",
    "leave left",
    "lend lent",
    "lose lost",
    "make made",
    "mean meant",
    "meet met",
    "pay paid",
    "ride rode ridden",
    "ring rang rung",
    "rise rose risen",
    "run ran",
    "say said",
    "see saw seen",
    "seek sought",
    "sell sold",
    "send sent",
    "shake shook shaken",
    "shine shone",
    "shoot shot",
    "show shown",
    "sing sang sung",
    "sink sank sunk",
    "sit sat",
    "sleep slept",
    "speak spoke spoken",
    "spend spent",
    "stand stood",
    "steal stole stolen",
    "stick stuck",
    "strike struck",
    "swear swore sworn",
    "sweep swept",
    "swim swam swum",
    "swing swung",
    "take took taken",
    "teach taught",
    "tear tore torn",
    "tell told",
    "think thought",
    "throw threw thrown",
    "understand understood",
    "wake woke woken",
    "wear wore worn",
    "win won",
    "wind wound",
    "write wrote written",
    "man men",
    "woman women",
    "child children kid kids",
    "foot feet",
    "tooth teeth",
    "mouse mice",
    "person people",
    "wife wives",
    "life lives",
    "leaf leaves",
    "half halves",
    "knife knives",
    "good better best",
    "bad worse worst",
];

/// Words that say when: a passage with one of them may answer "when …?".
pub const TIME_WORDS: &str = "
yesterday today tonight tomorrow last next ago week weekend month year weekday morning evening night day days weeks
months years recently earlier soon date monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu
thurs fri sat sun january february march april may june july august september october november december jan feb mar
apr jun jul aug sep sept oct nov dec spring summer autumn fall winter since
ayer hoy manana anteayer semana mes ano lunes martes miercoles jueves viernes sabado domingo enero febrero marzo abril
mayo junio julio agosto septiembre octubre noviembre diciembre hace
gestern heute morgen woche monat jahr montag dienstag mittwoch donnerstag freitag samstag sonntag
hier aujourdhui demain semaine mois annee lundi mardi mercredi jeudi vendredi samedi dimanche";

/// The same in scripts without spaces, as they stand in a text.
pub const TIME_WORDS_SPACELESS: &[&str] = &[
    "昨天",
    "今天",
    "明天",
    "前天",
    "上周",
    "下周",
    "星期",
    "周末",
    "去年",
    "今年",
    "明年",
    "上个月",
    "下个月",
    "昨日",
    "今日",
    "明日",
    "어제",
    "오늘",
    "내일",
];

/// Names of months by number, 1 to 12.
pub const MONTHS: [&str; 12] = [
    "january jan enero janvier januar",
    "february feb febrero fevrier februar",
    "march mar marzo mars marz",
    "april apr abril avril",
    "may mayo mai",
    "june jun junio juin juni",
    "july jul julio juillet juli",
    "august aug agosto aout",
    "september sep sept septiembre septembre",
    "october oct octubre octobre oktober",
    "november nov noviembre novembre",
    "december dec diciembre decembre dezember",
];
