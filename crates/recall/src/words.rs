//! Tables of words: what a question says without meaning it, and forms that no stemmer joins.
//!
//! Lower-case, without marks. They are small on purpose: a word stands here because dropping or
//! joining it helps in any notes, not because one question asked for it.

use crate::language::Language;

/// Words that carry no content, by language. They are left out of questions, and tell the language of a text.
pub const STOP_WORDS: &[(Language, &str)] = &[
    (
        Language::English,
        "
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
lets theres s t d ll ve re m",
    ),
    (
        Language::Spanish,
        "
el la los las un una unos unas de del al a que quien quienes donde cuando como cual cuales cuanto cuantos cuanta cuantas
por porque para con sin sobre entre hasta desde y u e o ni es son era eran fue fueron ser sido esta estan estaba estaban
estar este esto estos estas eso esa ese esos esas se su sus lo le les me te nos os mi mis tu tus ha han he hemos hay
habia muy mas menos pero si no ya tambien yo ella ellos ellas nosotros usted ustedes en algo alguien hizo hice
hicimos hicieron hacer hace haciendo paso pasa",
    ),
    (
        Language::German,
        "
der die das den dem des ein eine einen einem einer eines und oder aber ist sind war waren bin bist sein wer wo wann wie
warum wieso welche welcher welches welchen wem wen was wohin woher wieviel wieviele viel viele mit von vom zu zum zur im am in an
auf fur nicht kein keine keinen es wir ihr sie er ich du mich mir dich dir uns euch ihm ihn ihnen mein meine meinen meinem
meiner dein deine unser unsere hat habe haben hatte hatten wird werden wurde wurden kann konnen auch noch schon nur bei
beim nach aus uber unter vor bis seit als wenn dass ob ja nein so sehr mal denn da dort hier man sich gibt gab gemacht
machen machte machten macht passiert passierte",
    ),
    (
        Language::French,
        "
le la les l un une des du de d et ou mais est sont etait etaient etre ete suis es sommes qui que qu quoi quand comment
combien pourquoi quel quelle quels quelles ou avec sans pour dans sur sous par ce c cet cette ces il elle ils elles on
nous vous je j tu ne n pas plus au aux a ai as ont avons avez avait avaient y en se s sa son ses mon ma mes ton ta tes
notre nos votre vos leur leurs lui me te moi toi si donc tres aussi deja dont fait
faire fais faisons faisait passe",
    ),
    (
        Language::Italian,
        "
il lo la i gli le un uno una di del dello della dei degli delle a al allo alla ai agli alle da dal dalla in nel nella nei
con su sul sulla per tra fra e o ma che chi cui dove quando come perche quale quali quanto quanti non si e sono era erano
ha hanno ho abbiamo mi ti ci vi lui lei noi voi loro questo questa quello quella suo sua mio mia anche piu molto c",
    ),
    (
        Language::Portuguese,
        "
o a os as um uma uns umas de do da dos das em no na nos nas por pelo pela para com sem sobre entre e ou mas que quem onde
quando como porque qual quais quanto quantos nao se e sao era foi ser esta estao estava tem tinha eu ele ela eles elas nos voce
meu minha seu sua este esta esse essa isso isto muito mais tambem ja ao aos",
    ),
    (
        Language::Dutch,
        "
de het een en of maar is zijn was waren ben wie wat waar wanneer hoe waarom welke met van voor op in aan uit bij naar
niet geen ik jij je hij zij ze wij we jullie hun haar hem mijn jouw ons onze heeft heb hebben had er dat die dit deze
om te ook nog al wordt werd worden",
    ),
    (
        Language::Swedish,
        "
den det en ett och eller men ar var vem vad nar hur varfor vilken vilka med av for pa i till fran om inte ingen jag du
han hon vi ni de mig dig min din har hade som att sig ocksa",
    ),
    (
        Language::Danish,
        "
den det en et og eller men er var hvem hvad hvor hvornar hvordan hvorfor hvilken med af for pa i til fra om ikke ingen jeg
du han hun vi de mig dig min din har havde som at sig ogsa",
    ),
    (
        Language::Norwegian,
        "
den det en et og eller men er var hvem hva hvor nar hvordan hvorfor hvilken med av for pa i til fra om ikke ingen jeg du
han hun vi de meg deg min din har hadde som at seg ogsa",
    ),
    (
        Language::Finnish,
        "ja tai mutta on ovat oli kuka mika mita missa milloin miten miksi ei han se ne me te he mina sina etta kun jos myos",
    ),
    (
        Language::Hungarian,
        "a az egy es vagy de van volt ki mi hol mikor hogyan miert melyik nem en te o mi ti ok hogy is meg ezt azt",
    ),
    (
        Language::Romanian,
        "un o si sau dar este sunt era cine ce unde cand cum care cu de la in pe pentru din nu eu tu el ea noi voi ei sa am au",
    ),
    (
        Language::Turkish,
        "ve veya ama bir bu su o ne kim nerede zaman nasil neden hangi ile icin de da mi ben sen biz siz onlar degil var cok",
    ),
];

/// Irregular forms of Spanish: the head, then forms that its stemmer leaves apart.
pub const FORMS_SPANISH: &[&str] = &[
    "ir voy vas va vamos van iba ibamos iban fui fuiste fue fuimos fueron ido yendo vaya",
    "hacer hago hace hice hizo hicimos hicieron hecho haga",
    "tener tengo tiene tienes tienen tuve tuvo tuvimos tuvieron tenga tendra",
    "decir digo dice dicen dije dijo dijimos dijeron dicho diga",
    "poner pongo puse puso pusimos pusieron puesto ponga",
    "venir vengo viene vienen vine vino vinimos vinieron venga",
    "ver veo ves ven vio vimos vieron visto vea",
    "dar doy da dan di dio dimos dieron",
    "traer traigo traje trajo trajimos trajeron traido",
    "querer quiero quiere quieren quise quiso quisieron",
    "poder puedo puede pueden pude pudo pudieron",
    "saber sabe supe supo supieron",
    "dormir duermo duerme duermen durmio durmieron",
    "morir muere muerto murio murieron",
    "pedir pido pide piden pidio pidieron",
    "perder pierdo pierde pierden",
    "volver vuelvo vuelve vuelven vuelto",
    "romper roto rota rotos rotas",
    "escribir escrito escrita escritos",
    "abrir abierto abierta abiertos",
    "conducir conduzco conduje condujo condujeron",
    "jugar juego juega juegan jugue jugo",
    "empezar empiezo empieza empiezan empezo",
    "encontrar encuentro encuentra encuentran encontro",
    "sentir siento siente sienten sintio sintieron",
    "elegir elijo elige eligen eligio eligieron",
    "seguir sigo sigue siguen siguio siguieron",
    "servir sirve sirven sirvio sirvieron",
    "pagar pague",
    "buscar busque",
    "llegar llegue",
];

/// Irregular forms of German.
pub const FORMS_GERMAN: &[&str] = &[
    "gehen geht ging gingen gegangen",
    "kommen kommt kam kamen gekommen",
    "ankommen ankam angekommen",
    "essen isst ass assen gegessen",
    "trinken trinkt trank tranken getrunken",
    "nehmen nimmt nahm nahmen genommen",
    "geben gibt gab gaben gegeben",
    "sehen sieht sah sahen gesehen",
    "lesen liest las lasen gelesen",
    "sprechen spricht sprach sprachen gesprochen",
    "treffen trifft traf trafen getroffen",
    "helfen hilft half halfen geholfen",
    "schreiben schreibt schrieb schrieben geschrieben",
    "unterschreiben unterschreibt unterschrieb unterschrieben",
    "bleiben bleibt blieb blieben geblieben",
    "finden findet fand fanden gefunden",
    "stehen steht stand standen gestanden",
    "verstehen versteht verstand verstanden",
    "liegen liegt lag lagen gelegen",
    "sitzen sitzt sass sassen gesessen",
    "fahren fahrt fuhr fuhren gefahren",
    "tragen tragt trug trugen getragen",
    "schlafen schlaft schlief schliefen geschlafen",
    "laufen lauft lief liefen gelaufen",
    "rufen ruft rief riefen gerufen",
    "anrufen angerufen",
    "fliegen fliegt flog flogen geflogen",
    "verlieren verliert verlor verloren",
    "ziehen zieht zog zogen gezogen",
    "umziehen umzog umgezogen",
    "schneiden schneidet schnitt schnitten geschnitten",
    "beginnen beginnt begann begannen begonnen",
    "gewinnen gewinnt gewann gewannen gewonnen",
    "schwimmen schwimmt schwamm schwammen geschwommen",
    "singen singt sang sangen gesungen",
    "brechen bricht brach brachen gebrochen",
    "sterben stirbt starb starben gestorben",
    "werfen wirft warf warfen geworfen",
    "vergessen vergisst vergass vergassen",
    "bringen bringt brachte brachten gebracht",
    "denken denkt dachte dachten gedacht",
    "wissen weiss wusste wussten gewusst",
    "kennen kennt kannte kannten gekannt",
    "leihen leiht lieh liehen geliehen",
    "bieten bietet bot boten geboten",
    "schliessen schliesst schloss geschlossen",
    "backen backt buk gebacken",
    "waschen wascht wusch gewaschen",
    "wachsen wachst wuchs gewachsen",
    "fallen fallt fiel fielen gefallen",
    "halten halt hielt hielten gehalten",
    "lassen lasst liess liessen gelassen",
    "empfehlen empfiehlt empfahl empfohlen",
    "steigen steigt stieg stiegen gestiegen",
];

/// Irregular forms of French.
pub const FORMS_FRENCH: &[&str] = &[
    "aller vais vas va vont alle allee alles allees ira",
    "avoir eu",
    "faire fais font faisait ferai fera",
    "voir vois voit voyons voient vu vue vus verra",
    "prendre prends prend prenons prennent pris prise prises",
    "venir viens vient viennent venu venue venus viendra",
    "mettre mets met mettent mis mise mises",
    "dire dis dit disent dite dites",
    "lire lis lit lisent lu lue lus",
    "boire bois boit boivent bu bue",
    "recevoir recois recoit recoivent recu recue recus",
    "pouvoir peux peut peuvent pu",
    "vouloir veux veut veulent voulu",
    "savoir sais sait savent su",
    "devoir dois doit doivent du",
    "connaitre connais connait connu connue",
    "ouvrir ouvre ouvert ouverte ouverts",
    "ecrire ecris ecrit ecrivent ecrite ecrits",
    "perdre perds perd perdu perdue",
    "vendre vends vend vendu vendue vendus",
    "acheter achete achetee achetes achat achats",
    "oeil yeux",
    "travail travaux",
    "naitre ne nee",
    "mourir mort morte morts",
    "appeler appelle appellent",
];

/// Forms of one word: the head, then forms that stemming leaves apart.
pub const FORMS: &[&str] = &[
    "be am is are was were been being", "become became", "begin began begun", "bite bit bitten",
    "blow blew blown", "break broke broken", "bring brought", "build built", "buy bought", "catch caught",
    "choose chose chosen", "come came", "deal dealt", "dig dug", "do did done", "draw drew drawn",
    "dream dreamt", "drink drank drunk", "drive drove driven", "eat ate eaten", "fall fell fallen",
    "feed fed", "feel felt", "fight fought", "find found", "fly flew flown", "forget forgot forgotten",
    "forgive forgave forgiven", "freeze froze frozen", "get got gotten", "give gave given", "go went gone",
    "grow grew grown", "hang hung", "hear heard", "hide hid hidden", "hold held", "keep kept",
    "know knew known", "lay laid", "lead led", "learn learnt", "leave left", "lend lent", "lose lost",
    "make made", "mean meant", "meet met", "pay paid", "ride rode ridden", "ring rang rung",
    "rise rose risen", "run ran", "say said", "see saw seen", "seek sought", "sell sold", "send sent",
    "shake shook shaken", "shine shone", "shoot shot", "show shown", "sing sang sung", "sink sank sunk",
    "sit sat", "sleep slept", "speak spoke spoken", "spend spent", "stand stood", "steal stole stolen",
    "stick stuck", "strike struck", "swear swore sworn", "sweep swept", "swim swam swum", "swing swung",
    "take took taken", "teach taught", "tear tore torn", "tell told", "think thought", "throw threw thrown",
    "understand understood", "wake woke woken", "wear wore worn", "win won", "wind wound",
    "write wrote written", "man men", "woman women", "child children kid kids", "foot feet", "tooth teeth",
    "mouse mice", "goose geese", "ox oxen", "louse lice", "die dice", "shelf shelves", "loaf loaves",
    "thief thieves", "wolf wolves", "calf calves", "scarf scarves", "person people", "wife wives",
    "life lives", "leaf leaves", "half halves", "knife knives", "good better best", "bad worse worst",
];

/// Chinese words for the same relative. They are written with two characters each, as the terms of a text are.
const RELATIVES: [&str; 9] = [
    "妻子 老婆 太太 爱人 媳妇", "丈夫 老公 先生 爱人", "父亲 爸爸 老爸 爹爹", "母亲 妈妈 老妈 妈咪",
    "祖父 爷爷", "祖母 奶奶", "外公 姥爷", "外婆 姥姥", "孩子 小孩 娃娃",
];

/// The other words for the relative that `term` names.
pub(crate) fn relatives(term: &str) -> impl Iterator<Item = &'static str> {
    let is_two = term.chars().count() == 2 && !term.is_ascii();
    let rows = RELATIVES.iter().filter(move |_| is_two).map(|row| row.split(' '));
    rows.filter(|row| row.clone().any(|word| word == term))
        .flat_map(|row| row.filter(|word| *word != term).collect::<Vec<_>>())
        .collect::<Vec<_>>()
        .into_iter()
}

/// Words that say when: a passage with one of them may answer "when …?".
pub const TIME_WORDS: &str = "
yesterday today tonight tomorrow last next ago week weekend month year weekday morning evening night day days weeks
months years recently earlier soon date monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu
thurs fri sat sun january february march april may june july august september october november december jan feb mar
apr jun jul aug sep sept oct nov dec spring summer autumn fall winter since
ayer hoy manana anteayer semana mes ano lunes martes miercoles jueves viernes sabado domingo enero febrero marzo abril
mayo junio julio agosto septiembre octubre noviembre diciembre hace
gestern heute morgen woche monat jahr montag dienstag mittwoch donnerstag freitag samstag sonntag
tage tagen wochen monate monaten monats jahre jahren jahres quartal wochenende vorgestern ubermorgen samstag sonnabend januar februar
marz mai juni juli oktober dezember sommer herbst fruhling fruhjahr
anoche semanas meses dias anos trimestre verano otono invierno primavera
semaines jours jour ans annees trimestre janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre
ete automne hiver printemps weekend aujourd
hier aujourdhui demain semaine mois annee lundi mardi mercredi jeudi vendredi samedi dimanche";

/// The same in scripts without spaces, as they stand in a text.
pub const TIME_WORDS_SPACELESS: &[&str] = &[
    "昨天", "今天", "明天", "前天", "上周", "下周", "星期", "周末", "去年", "今年", "明年", "上个月",
    "下个月", "昨日", "今日", "明日", "어제", "오늘", "내일",
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
