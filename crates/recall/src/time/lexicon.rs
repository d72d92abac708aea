//! Time words in English, Spanish, German, French and Portuguese.
//!
//! Lower-case, without marks. A row is a role and its words; a word may have several roles, and several words may
//! have one. Where a word means something else as well ("may", "sat", "fall"), its role is weak: it counts only
//! beside another word of time.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::calendar::Unit;
use super::feast::{self, Feast};
use crate::language::Language;

/// The role of a word in an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A number, or a range if it is vague.
    Number(i32, i32),
    /// "third".
    Ordinal(i32),
    /// 1 to 12.
    Month(i8),
    /// A month that is also another word.
    WeakMonth(i8),
    /// 0 for Monday.
    Weekday(i8),
    /// A weekday that is also another word.
    WeakWeekday(i8),
    /// 0 for spring.
    Season(usize),
    /// A season that is also another word.
    WeakSeason(usize),
    /// A unit of time.
    Unit(Unit),
    /// A number of days: a fortnight.
    Days(i32),
    /// "last", "this", "next".
    Relative(i32),
    /// "yesterday": days from today.
    Day(i32),
    /// "last night": it began yesterday and ended today.
    LastNight,
    /// A number of minutes: an hour.
    Minutes(i32),
    /// A number and a half: "half a", "anderthalb".
    Halved(i32),
    /// "and a half", after a number or its unit.
    AndHalf,
    /// "last" before a number.
    Past,
    /// "next" before a number.
    Coming,
    /// "ago", after a distance.
    Ago,
    /// "hace", before a distance.
    AgoBefore,
    /// "in three days".
    Ahead,
    /// "since".
    Since,
    /// "until".
    Until,
    /// "before".
    Before,
    /// "after".
    After,
    /// "between".
    Between,
    /// "and".
    And,
    /// "from".
    From,
    /// "to".
    To,
    /// "on", "in", "the": may be inside of an expression, and before one.
    Lead,
    /// "every": the following time is a repetition, not a date.
    Every,
    /// "morning".
    DayPart,
    /// 0 for "early", 1 for "mid", 2 for "late".
    Part(usize),
    /// "exactly", "to the day": a distance beside it means an exact day.
    Exact,
    /// "the eve of": days from the following time.
    Offset(i32),
    /// "half" of a month or a year, after "first" or "second".
    Half,
    /// A word for half a year: "semestre".
    HalfYear,
    /// A holiday.
    Feast(Feast),
}

use Role::{
    After, Ago, AgoBefore, Ahead, And, AndHalf, Before, Between, Coming, Day, DayPart, Days, Every, Exact,
    From, Half, HalfYear, Halved, LastNight, Lead, Minutes, Offset, Past, Since, To, Until,
};

/// Rows of the languages: role and words, several separated by `|`.
type Rows = &'static [(Role, &'static str)];

/// Names by number, separated by blanks; alternatives joined by `/`, words of one name by `-`.
struct Names {
    /// The section of the holiday table.
    feasts: &'static str,
    months: &'static str,
    weak_months: &'static [(i8, &'static str)],
    weekdays: &'static str,
    seasons: &'static str,
    numbers: &'static str,
    ordinals: &'static str,
    rows: Rows,
}

const ENGLISH: Names = Names {
    feasts: "en",
    months: "january february _ april _ june july august september october november december",
    weak_months: &[
        (5, "may"),
        (3, "march|mar"),
        (1, "jan"),
        (12, "dec"),
        (9, "sep"),
        (2, "feb"),
        (4, "apr"),
        (6, "jun"),
        (7, "jul"),
        (8, "aug"),
        (9, "sept"),
        (10, "oct"),
        (11, "nov"),
    ],
    weekdays: "monday tuesday wednesday thursday friday saturday sunday",
    seasons: "spring summer autumn winter",
    numbers: "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty twenty-one twenty-two twenty-three twenty-four twenty-five twenty-six twenty-seven twenty-eight twenty-nine thirty thirty-one",
    ordinals: "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first",
    rows: &[
        (Role::WeakWeekday(0), "mon"),
        (Role::WeakWeekday(1), "tue|tues"),
        (Role::WeakWeekday(2), "wed"),
        (Role::WeakWeekday(3), "thu|thur|thurs"),
        (Role::WeakWeekday(4), "fri"),
        (Role::WeakWeekday(5), "sat"),
        (Role::WeakWeekday(6), "sun"),
        (Role::WeakSeason(2), "fall"),
        (Role::Number(1, 1), "a|an"),
        (Role::Number(2, 3), "couple|couple of|a couple|a couple of"),
        (Role::Number(2, 6), "few|a few|some"),
        (Role::Number(2, 8), "several"),
        (Role::Unit(Unit::Day), "day|days"),
        (Role::Unit(Unit::Week), "week|weeks"),
        (Role::Unit(Unit::Weekend), "weekend|weekends|week end"),
        (Role::Unit(Unit::Month), "month|months"),
        (Role::Unit(Unit::Quarter), "quarter|quarters"),
        (Role::Unit(Unit::Year), "year|years"),
        (Days(14), "fortnight|fortnights"),
        (Day(0), "today|tonight|this morning|this afternoon|this evening|this noon"),
        (Day(-1), "yesterday"),
        (LastNight, "last night|last evening"),
        (Minutes(60), "hour|hours|hr|hrs"),
        (Minutes(1), "minute|minutes|min|mins"),
        (Halved(0), "half a|half an"),
        (AndHalf, "and a half"),
        (Day(1), "tomorrow"),
        (Day(-2), "day before yesterday|the day before yesterday"),
        (Day(2), "day after tomorrow|the day after tomorrow"),
        (Role::Relative(-1), "last|previous|past|this past"),
        (Role::Relative(0), "this|current"),
        (Role::Relative(1), "next|coming|this coming|upcoming"),
        (Role::Relative(-2), "before last"),
        (Role::Relative(2), "after next"),
        (Past, "last|past|previous"),
        (Coming, "next|coming"),
        (Ago, "ago|back"),
        (Ahead, "in"),
        (Ago, "earlier"),
        (Since, "since|starting|as of"),
        (Until, "until|till|up to|through|by|up until"),
        (Before, "before|prior to|earlier than"),
        (After, "after|later than|following"),
        (Exact, "exactly|today|to the day|precisely"),
        (Offset(-1), "eve of|the eve of"),
        (Half, "half"),
        (Between, "between"),
        (And, "and"),
        (From, "from"),
        (To, "to|until|till|through|thru"),
        (Lead, "the|of|in|on|at|during|for|around|about|throughout|within|over|s|back in|this"),
        (Every, "every|each|any|most"),
        (DayPart, "morning|afternoon|evening|night|noon"),
        (Role::Part(0), "early|beginning of|the beginning of|start of|the start of"),
        (Role::Part(1), "mid|middle of|the middle of"),
        (Role::Part(2), "late|end of|the end of"),
    ],
};

const SPANISH: Names = Names {
    feasts: "es",
    months: "enero febrero marzo abril mayo junio julio agosto septiembre/setiembre octubre noviembre diciembre",
    weak_months: &[],
    weekdays: "lunes martes miercoles jueves viernes sabado domingo",
    seasons: "primavera verano otono invierno",
    numbers: "un/una/uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte veintiuno/veintiun veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve treinta treinta-y-uno/treinta-y-un",
    ordinals: "primer/primero/primera segundo/segunda tercer/tercero/tercera cuarto/cuarta quinto/quinta",
    rows: &[
        (Role::Number(2, 3), "un par de|par de"),
        (Role::Number(2, 6), "unos|unas|algunos|algunas|unos pocos|unas pocas"),
        (Role::Number(2, 8), "varios|varias"),
        (Role::Unit(Unit::Day), "dia|dias"),
        (Role::Unit(Unit::Week), "semana|semanas"),
        (Role::Unit(Unit::Weekend), "fin de semana|fines de semana|finde"),
        (Role::Unit(Unit::Month), "mes|meses"),
        (Role::Unit(Unit::Quarter), "trimestre|trimestres"),
        (Role::Unit(Unit::Year), "ano|anos"),
        (Days(14), "quincena"),
        (Day(0), "hoy|esta noche|esta manana|esta tarde"),
        (Day(-1), "ayer"),
        (LastNight, "anoche|la noche pasada|noche pasada"),
        (Minutes(60), "hora|horas"),
        (Minutes(1), "minuto|minutos"),
        (Halved(0), "medio|media"),
        (AndHalf, "y medio|y media"),
        (Day(1), "manana"),
        (Day(-2), "anteayer|antier|antes de ayer|antes de anoche|anteanoche"),
        (Day(2), "pasado manana"),
        (Role::Relative(-1), "pasado|pasada|ultimo|ultima|anterior"),
        (Role::Relative(0), "este|esta|actual|en curso"),
        (Role::Relative(1), "proximo|proxima|siguiente|que viene|entrante"),
        (Role::Relative(-2), "antepasado|antepasada|penultimo|penultima"),
        (Past, "ultimos|ultimas|pasados|pasadas"),
        (Coming, "proximos|proximas|siguientes"),
        (Ago, "atras"),
        (AgoBefore, "hace"),
        (Ahead, "en|dentro de"),
        (Since, "desde|a partir de|a partir del"),
        (Until, "hasta|hasta el|antes del final de"),
        (Before, "antes de|antes del|antes de que|antes que|antes"),
        (After, "despues de|despues del|despues de que|despues que|despues|tras|luego de"),
        (Exact, "exactamente|justo|hoy|exacto"),
        (Offset(-1), "vispera de|vispera del"),
        (Offset(1), "dia siguiente de|dia siguiente a|dia siguiente al|dia siguiente del"),
        (Half, "mitad"),
        (HalfYear, "semestre"),
        (Between, "entre"),
        (And, "y|e"),
        (From, "desde|de|del"),
        (To, "a|al|hasta"),
        (Lead, "el|la|los|las|de|del|en|durante|por|para|al|a|sobre|hacia|este|esta"),
        (Every, "cada|los|todos|todas|todos los|todas las"),
        (
            DayPart,
            "por la manana|por la tarde|por la noche|de la manana|de la tarde|de la noche|al mediodia|en la noche|en la tarde",
        ),
        (
            Role::Part(0),
            "principios de|a principios de|principios del|a principios del|comienzos de|a comienzos de|comienzos del|a comienzos del|inicios de|a inicios de|inicios del|a inicios del",
        ),
        (Role::Part(1), "mediados de|a mediados de|mediados del|a mediados del"),
        (
            Role::Part(2),
            "finales de|a finales de|finales del|a finales del|fines de|a fines de|fines del|a fines del",
        ),
    ],
};

const GERMAN: Names = Names {
    feasts: "de",
    months: "januar/janner/jaenner/jan februar/feber/feb marz/maerz april/apr mai juni/jun juli/jul august/aug september/sep/sept oktober/okt november/nov dezember/dez",
    weak_months: &[],
    weekdays: "montag dienstag mittwoch donnerstag freitag samstag/sonnabend sonntag",
    seasons: "fruhling/fruhjahr/fruehling/fruehjahr sommer herbst winter",
    numbers: "ein/eine/einem/einer/einen/eins zwei/zwo drei vier funf/fuenf sechs sieben acht neun zehn elf zwolf/zwoelf dreizehn vierzehn funfzehn/fuenfzehn sechzehn siebzehn achtzehn neunzehn zwanzig einundzwanzig zweiundzwanzig/zwoundzwanzig dreiundzwanzig vierundzwanzig funfundzwanzig/fuenfundzwanzig sechsundzwanzig siebenundzwanzig achtundzwanzig neunundzwanzig dreissig einunddreissig",
    ordinals: "erste/ersten/erstes/erster/erstem zweite/zweiten/zweites/zweiter/zweitem dritte/dritten/drittes/dritter/drittem vierte/vierten/viertes/vierter/viertem funfte/fuenfte sechste siebte/siebente achte neunte zehnte elfte zwolfte/zwoelfte dreizehnte vierzehnte funfzehnte/fuenfzehnte sechzehnte siebzehnte achtzehnte neunzehnte zwanzigste einundzwanzigste zweiundzwanzigste/zwoundzwanzigste dreiundzwanzigste vierundzwanzigste funfundzwanzigste/fuenfundzwanzigste sechsundzwanzigste siebenundzwanzigste achtundzwanzigste neunundzwanzigste dreissigste einunddreissigste",
    rows: &[
        (Role::Number(2, 6), "paar|ein paar|einige|einigen|wenigen"),
        (Role::Number(2, 8), "mehreren"),
        (Role::Unit(Unit::Day), "tag|tage|tagen|tages"),
        (Role::Unit(Unit::Week), "woche|wochen"),
        (Role::Unit(Unit::Weekend), "wochenende|wochenenden|wochenendes"),
        (Role::Unit(Unit::Month), "monat|monate|monaten|monats"),
        (Role::Unit(Unit::Quarter), "quartal|quartale|quartalen|quartals|vierteljahr"),
        (Role::Unit(Unit::Year), "jahr|jahre|jahren|jahres|jahrs"),
        (Day(0), "heute|diesen morgen|diesen vormittag|diesen mittag|diesen nachmittag|diesen abend"),
        (LastNight, "letzte nacht|letzten nacht|vergangene nacht|vergangenen nacht|vorige nacht"),
        (Minutes(60), "stunde|stunden"),
        (Minutes(1), "minute|minuten"),
        (Halved(0), "halbe|halben|halbes|ein halbes|eine halbe|einem halben|einer halben|einen halben"),
        (Halved(1), "anderthalb|eineinhalb"),
        (Halved(2), "zweieinhalb"),
        (Halved(3), "dreieinhalb"),
        (Day(-1), "gestern"),
        (Day(1), "morgen"),
        (Day(-2), "vorgestern"),
        (Day(2), "ubermorgen|uebermorgen"),
        (Day(-3), "vorvorgestern"),
        (
            Role::Relative(-1),
            "letzte|letzten|letzter|letztes|letztem|vorige|vorigen|voriger|voriges|vorigem|vergangene|vergangenen|vergangener|vergangenes|vergangenem",
        ),
        (Role::Relative(0), "diese|diesen|dieser|dieses|diesem|laufenden"),
        (
            Role::Relative(1),
            "nachste|nachsten|nachster|nachstes|nachstem|naechste|naechsten|naechster|naechstes|kommende|kommenden|kommender|kommendes",
        ),
        (Role::Relative(-2), "vorletzte|vorletzten|vorletzter|vorletztes|vorletztem"),
        (
            Role::Relative(2),
            "ubernachste|ubernachsten|ubernachster|ubernachstes|uebernaechste|uebernaechsten",
        ),
        (Past, "letzten|vergangenen|vorigen|letzte"),
        (Coming, "nachsten|naechsten|kommenden"),
        (AgoBefore, "vor"),
        (Ago, "her"),
        (Ahead, "in"),
        (Since, "seit|ab|seit dem|seit der"),
        (Until, "bis|bis zum|bis zur|bis ende"),
        (Before, "vor|vor dem|vor der|bevor|ehe"),
        (After, "nach|nach dem|nach der|nachdem"),
        (Exact, "genau|exakt|heute|auf den tag genau"),
        (Offset(-1), "vorabend von|vorabend"),
        (Half, "halfte|haelfte"),
        (HalfYear, "halbjahr|halbjahres|halbjahrs"),
        (Between, "zwischen"),
        (And, "und"),
        (From, "von|vom"),
        (To, "bis|bis zum|bis zur"),
        (
            Lead,
            "der|die|das|den|dem|des|am|im|in|um|an|zu|wahrend|waehrend|zum|zur|vom|von|ubers|uebers|uber|gegen|fur",
        ),
        (Every, "jede|jeden|jeder|jedes|jedem|alle"),
        (
            DayPart,
            "morgen|vormittag|mittag|nachmittag|abend|nacht|fruh|frueh|vormittags|abends|nachmittags|morgens",
        ),
        (Role::Part(0), "anfang"),
        (Role::Part(1), "mitte"),
        (Role::Part(2), "ende"),
    ],
};

const FRENCH: Names = Names {
    feasts: "fr",
    months: "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
    weak_months: &[],
    weekdays: "lundi mardi mercredi jeudi vendredi samedi dimanche",
    seasons: "printemps _ automne hiver",
    numbers: "un/une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt vingt-et-un/vingt-et-une vingt-deux vingt-trois vingt-quatre vingt-cinq vingt-six vingt-sept vingt-huit vingt-neuf trente trente-et-un/trente-et-une",
    ordinals: "premier/premiere/1er deuxieme/second/seconde/2e troisieme/3e quatrieme/4e cinquieme/5e",
    rows: &[
        (Role::WeakSeason(1), "ete"),
        (Role::Number(2, 6), "quelques"),
        (Role::Number(2, 8), "plusieurs"),
        (Role::Number(15, 15), "une quinzaine de"),
        (Role::Unit(Unit::Day), "jour|jours"),
        (Role::Unit(Unit::Week), "semaine|semaines"),
        (Role::Unit(Unit::Weekend), "week end|week ends|weekend|weekends|fin de semaine"),
        (Role::Unit(Unit::Month), "mois"),
        (Role::Unit(Unit::Quarter), "trimestre|trimestres"),
        (Role::Unit(Unit::Year), "an|ans|annee|annees"),
        (Day(0), "aujourd hui|ce soir|ce matin|cet apres midi|cette nuit"),
        (Day(-1), "hier"),
        (LastNight, "la nuit derniere|nuit derniere|la nuit passee|nuit passee"),
        (Minutes(60), "heure|heures"),
        (Minutes(1), "minute|minutes"),
        (Halved(0), "demi|demie|un demi|une demi|une demie"),
        (AndHalf, "et demi|et demie"),
        (Day(1), "demain"),
        (Day(-2), "avant hier"),
        (Day(2), "apres demain"),
        (Role::Relative(-1), "dernier|derniere|passe|passee|precedent|precedente"),
        (Role::Relative(0), "ce|cet|cette|en cours"),
        (Role::Relative(1), "prochain|prochaine|suivant|suivante|qui vient"),
        (Role::Relative(-2), "avant dernier|avant derniere|penultieme"),
        (Past, "derniers|dernieres"),
        (Coming, "prochains|prochaines"),
        (AgoBefore, "il y a|y a|voici|voila"),
        (Ahead, "dans|d ici"),
        (Since, "depuis|depuis le|a partir de|a partir du|des"),
        (Until, "jusqu a|jusqu au|jusqu en|jusqu|jusque"),
        (Before, "avant|avant le|avant la|avant que"),
        (After, "apres|apres le|apres la|apres que|suivant"),
        (Exact, "exactement|jour pour jour|aujourd hui|precisement"),
        (Offset(-1), "veille de|veille du|veille"),
        (Offset(1), "lendemain de|lendemain du|lendemain"),
        (Offset(2), "surlendemain de|surlendemain du|surlendemain"),
        (Offset(-2), "avant veille de|avant veille du"),
        (Days(15), "quinzaine"),
        (Half, "moitie"),
        (HalfYear, "semestre"),
        (Between, "entre"),
        (And, "et"),
        (From, "de|du|d|depuis"),
        (To, "a|au|jusqu a|jusqu au|jusqu en"),
        (Lead, "le|la|les|l|de|du|d|des|en|au|aux|a|dans|pendant|durant|lors|pour|ce|cet|cette|vers|sur"),
        (Every, "chaque|tous les|toutes les|les"),
        (DayPart, "matin|apres midi|soir|nuit|midi|au soir|au matin"),
        (Role::Part(0), "debut|au debut de|debut de"),
        (Role::Part(1), "mi|milieu de|au milieu de"),
        (Role::Part(2), "fin|a la fin de|fin de"),
    ],
};

const PORTUGUESE: Names = Names {
    feasts: "pt",
    months: "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro",
    weak_months: &[],
    weekdays: "segunda-feira terca-feira quarta-feira quinta-feira sexta-feira sabado domingo",
    seasons: "primavera verao outono inverno",
    numbers: "um/uma dois/duas tres quatro cinco seis sete oito nove dez onze doze treze catorze/quatorze quinze dezesseis/dezasseis dezessete/dezassete dezoito dezenove/dezanove vinte vinte-e-um/vinte-e-uma vinte-e-dois/vinte-e-duas vinte-e-tres vinte-e-quatro vinte-e-cinco vinte-e-seis vinte-e-sete vinte-e-oito vinte-e-nove trinta trinta-e-um/trinta-e-uma",
    ordinals: "primeiro/primeira segundo/segunda terceiro/terceira quarto/quarta quinto/quinta",
    rows: &[
        (Role::WeakWeekday(0), "segunda"),
        (Role::WeakWeekday(1), "terca"),
        (Role::WeakWeekday(2), "quarta"),
        (Role::WeakWeekday(3), "quinta"),
        (Role::WeakWeekday(4), "sexta"),
        (Role::Number(2, 3), "um par de|par de"),
        (Role::Number(2, 6), "uns|umas|alguns|algumas|uns poucos|umas poucas"),
        (Role::Number(2, 8), "varios|varias"),
        (Role::Unit(Unit::Day), "dia|dias"),
        (Role::Unit(Unit::Week), "semana|semanas"),
        (Role::Unit(Unit::Weekend), "fim de semana|fins de semana|final de semana|finais de semana"),
        (Role::Unit(Unit::Month), "mes|meses"),
        (Role::Unit(Unit::Quarter), "trimestre|trimestres"),
        (Role::Unit(Unit::Year), "ano|anos"),
        (Days(15), "quinzena"),
        (Day(0), "hoje|esta noite|esta manha|esta tarde|hoje cedo"),
        (Day(-1), "ontem"),
        (LastNight, "ontem a noite|noite passada|a noite passada"),
        (Minutes(60), "hora|horas"),
        (Minutes(1), "minuto|minutos"),
        (Halved(0), "meio|meia"),
        (AndHalf, "e meio|e meia"),
        (Day(1), "amanha"),
        (Day(-2), "anteontem|antes de ontem"),
        (Day(2), "depois de amanha"),
        (Role::Relative(-1), "passado|passada|ultimo|ultima|anterior"),
        (Role::Relative(0), "este|esta|neste|nesta|deste|desta|atual"),
        (Role::Relative(1), "proximo|proxima|seguinte|que vem"),
        (Role::Relative(-2), "retrasado|retrasada|penultimo|penultima"),
        (Past, "ultimos|ultimas|passados|passadas"),
        (Coming, "proximos|proximas|seguintes"),
        (Ago, "atras"),
        (AgoBefore, "ha|faz"),
        (Ahead, "em|daqui a|dentro de"),
        (Since, "desde|a partir de|a partir do|a partir da"),
        (Until, "ate|ate o|ate a|ate ao"),
        (Before, "antes de|antes do|antes da|antes que|antes"),
        (After, "depois de|depois do|depois da|depois que|depois|apos|apos o|apos a"),
        (Between, "entre"),
        (And, "e"),
        (From, "de|do|da|desde"),
        (To, "a|ao|ate"),
        (
            Lead,
            "o|a|os|as|de|do|da|dos|das|em|no|na|nos|nas|durante|por|para|pelo|pela|ao|sobre|num|numa|este|esta",
        ),
        (Every, "cada|todo|toda|todos os|todas as"),
        (
            DayPart,
            "de manha|a tarde|a noite|de noite|de tarde|da manha|da tarde|da noite|pela manha|ao meio dia",
        ),
        (
            Role::Part(0),
            "comeco de|comeco do|inicio de|inicio do|principio de|principio do|inicios de|comecinho de",
        ),
        (Role::Part(1), "meados de|meados do|meio de"),
        (Role::Part(2), "fim de|fim do|final de|final do|fins de|finais de"),
        (Exact, "exatamente|exactamente|hoje|justo"),
        (Offset(-1), "vespera de|vespera do|vespera da"),
        (Offset(1), "dia seguinte a|dia seguinte ao|dia seguinte de|dia seguinte do"),
        (Half, "metade"),
        (HalfYear, "semestre"),
    ],
};

/// A phrase: its words after the first one, and its role.
type Phrase = (Vec<&'static str>, Role);

/// The phrases of a language by first word, longer ones first.
pub struct Lexicon(HashMap<&'static str, Vec<Phrase>>);

impl Lexicon {
    /// The lexicon of `language`; English by default.
    pub fn of(language: Language) -> &'static Self {
        static ALL: LazyLock<[Lexicon; 5]> = LazyLock::new(|| {
            [ENGLISH, SPANISH, GERMAN, FRENCH, PORTUGUESE].map(|names| Lexicon::new(&names))
        });
        &ALL[match language {
            Language::Spanish => 1,
            Language::German => 2,
            Language::French => 3,
            Language::Portuguese => 4,
            _ => 0,
        }]
    }

    fn new(names: &Names) -> Self {
        let mut lexicon = Self(HashMap::new());
        let by_number = |list: &'static str| {
            list.split(' ').enumerate().flat_map(|(at, names)| names.split('/').map(move |name| (at, name)))
        };
        let small = |at: usize| i8::try_from(at).unwrap_or(0);
        by_number(names.months)
            .filter(|(at, _)| *at < 12)
            .for_each(|(at, name)| lexicon.add(name, Role::Month(small(at) + 1)));
        names.weak_months.iter().for_each(|(month, words)| {
            words.split('|').for_each(|word| lexicon.add(word, Role::WeakMonth(*month)))
        });
        by_number(names.weekdays).for_each(|(at, name)| lexicon.add(name, Role::Weekday(small(at))));
        by_number(names.seasons).for_each(|(at, name)| lexicon.add(name, Role::Season(at)));
        by_number(names.numbers)
            .for_each(|(at, name)| lexicon.add(name, Role::Number(at as i32 + 1, at as i32 + 1)));
        by_number(names.ordinals).for_each(|(at, name)| lexicon.add(name, Role::Ordinal(at as i32 + 1)));
        for (role, words) in names.rows {
            words.split('|').for_each(|phrase| lexicon.add(phrase, *role));
        }
        feast::named(names.feasts).iter().for_each(|(name, feast)| lexicon.add(name, Role::Feast(*feast)));
        lexicon
            .0
            .values_mut()
            .for_each(|phrases| phrases.sort_by_key(|(rest, _)| std::cmp::Reverse(rest.len())));
        lexicon
    }

    fn add(&mut self, phrase: &'static str, role: Role) {
        let mut words = phrase.split([' ', '-']).filter(|word| !word.is_empty());
        if let Some(first) = words.next().filter(|first| *first != "_") {
            self.0.entry(first).or_default().push((words.collect(), role));
        }
    }

    /// The phrases that begin with `word`, each by the words after it.
    pub fn phrases(&self, word: &str) -> &[Phrase] {
        self.0.get(word).map_or(&[], Vec::as_slice)
    }
}
