import { ANTONYMS } from './antonyms';
import { oppositeDirectionsOf, stemOrStopWord, WORDS_OF_DIRECTION, stemsOf } from './lexicon';

/** Stems of words that end, undo or rule out something. */
const DENYING = stemsOf(
  `not no never none nobody nothing nowhere neither nor without cannot lack fail refuse forget neglect omit avoid prevent prohibit forbid
forbade ban bar block deny reject exclude exempt oppose against stop cease halt discontinue cancel abandon withdraw remove revoke repeal
rescind disallow kick disprove dismiss expel evict fire demolish destroy dismantle abolish dissolve disband close shut end terminate miss missing unable
incapable impossible hardly barely scarcely rarely seldom unlikely instead except zero absent blacklist disqualify ineligible ignore
disregard despite unrelated irrelevant independent separate suspend ceased stopped barred banned extinct defunct
yet non contrary contradict refute debunk exclusion refusal failure denial deprive spurn shun devoid lacking`,
);
/** Pairs of opposites, including verbs for beginning and ending. The same thing cannot be both at one time. */
const PAIRS = pairsOf(
  `${ANTONYMS};build demolish;construct demolish;erect demolish;build destroy;construct destroy;founded dissolve;founded disband;founded abolish;
establish dissolve;establish disband;form disband;form dissolve;launch end;launch close;launch cancel;begin cease;begin stop;start end;start stop;
born die;birth death;add remove;appoint dismiss;appoint remove;elect defeat;adopt revoke;adopt abandon;adopt reject;introduce withdraw;
introduce abolish;release withdraw;create destroy;create prevent;cause prevent;cause cure;cause alleviate;merge separate;merge split;unite split;
join leave;join quit;join separate;enter leave;marry divorce;hire dismiss;buy sell;acquire sell;praise condemn;praise criticize;support oppose;
allow prohibit;allow ban;allow prevent;allow forbid;permit ban;permit prevent;permit deny;approve deny;approve reject;pass reject;grant deny;accept deny;
convict acquit;arrest release;confirm deny;confirm refute;contain lack;include lack;include omit;continue cease;continue discontinue;
continue stop;continue halt;survive perish;survive die;help hinder;improve hinder;improve worsen;protect endanger;follow precede;
endangered extinct;endangered abundant;threatened abundant;rare common;scarce abundant;rare abundant;unique common;legal banned;open shut;
arrive depart;reveal conceal;reveal hide;win lose;beat lose;major minor;increase reduce;increase diminish;raise cut;rise plunge;rise sink;
expand shrink;grow decline;grow diminish;gain shed;extend shorten;strengthen erode;restore destroy;repair damage;preserve destroy;save destroy;
promote discourage;promote inhibit;stimulate inhibit;activate inhibit;activate deactivate;enhance impair;enhance diminish;enhance reduce;
encourage inhibit;enable prevent;facilitate hinder;facilitate impede;agree dispute;friend enemy;ally enemy;hero villain;sibling stranger;
democrat republican;democratic republican;army navy;uphold overturn;uphold quash;uphold reverse;uphold unconstitutional;uphold unlawful;uphold invalid;annul uphold;share alone;affirm reverse;affirm overturn;
dawn dusk;sunrise sunset;gold silver;silver bronze;gold bronze;undergraduate graduate;bachelor master;single married;
mandatory voluntary;compulsory voluntary;compulsory optional;free paid;cash debt;deterministic random;herbivore carnivore;nocturnal diurnal;
aquatic terrestrial;marine terrestrial;saltwater freshwater;analog digital;analogue digital;wired wireless;open proprietary;upper lower;
profit loss;surplus deficit;surplus shortage;surplus shortfall;inflow outflow;creditor debtor;outperform underperform;exceed miss;bullish bearish;hawkish dovish;
tighten loosen;tighten relax;nationalise privatise;nationalize privatize;retail wholesale;recommend discourage;endorse reject;ratify reject;favour oppose;
favor oppose;favour reject;favor reject;back oppose;approve veto;legalise ban;legalize ban;legalise outlaw;legalize outlaw;welcome criticise;welcome criticize;
welcome condemn;renew cancel;resume suspend;resume halt;keep abolish;keep scrap;retain scrap;retain abandon;stay leave;remain leave;delay accelerate;
promote relegate;permanent temporary;oral intravenous;benign malignant;native invasive;online offline;acidic alkaline;freeze thaw;climb descend;
rigid flexible;transparent opaque;coastal inland;static dynamic;mutable immutable;sequential parallel;sequential concurrent;encrypted plaintext;
required forbidden;stable experimental;eager lazy;intact damaged;intact destroyed;unanimous divided;unanimous split;inbound outbound;northbound southbound;eastbound westbound;
everyone nobody;everything nothing;always never;always rarely;often never;near far;inside outside;within outside;
resign dismiss;resign sack;resign fire;breach comply;violate comply;violate respect;cheap expensive;cheap dear;cheap costly;late punctual;overdue punctual;
guilty acquit;guilty acquittal;convict acquittal;conviction acquittal;guilty clear;convict clear;sentence acquit;sentence clear;approve refuse;approval refuse;approval refusal;approval reject;approval rejection;accept veto;
kill recover;kill survive;die recover;perish escape;perish recover;die escape;kill escape;resign cling;resign clung;resign stay;resign remain;resign re-elect;exempt pay;exempt charge;exempt liable;
exempt taxable;mandatory optional;mandatory advisable;mandatory recommend;compulsory advisable;compulsory recommend;require optional;comply exceeded;exceeded miss;
meet miss;achieve miss;earn miss;win miss;win dismiss;win fail;name miss;award miss;receive miss;recommend oppose;allow oppose;permit oppose;endorse oppose;advise oppose;before after;with without;for against;most least;more less;more fewer;many few;above below;first last;over under;all none;some none;both neither`,
);

/** Each line lists alternatives of which a thing has only one: frequency, colour, season, direction, kind. */
const SIBLINGS = siblingsOf(`hourly daily nightly weekly fortnightly monthly quarterly annual
red blue green yellow orange purple brown pink black white grey
winter spring summer autumn
morning afternoon evening
monday tuesday wednesday thursday friday saturday sunday
north northeast east southeast south southwest west northwest
northern northeastern eastern southeastern southern southwestern western northwestern
solid liquid gaseous
bacterium virus fungus parasite
bacterial viral fungal parasitic
mammal bird reptile amphibian fish insect
brick stone timber concrete marble
catholic protestant orthodox
christian muslim jewish hindu buddhist
plaintiff defendant
tenant landlord
buyer seller
borrower lender
double triple quadruple halve
oval circular rectangular triangular square hexagonal`);

/** Whether two stems are alternatives of which a thing has only one. */
export const areSiblings = (one: string, other: string): boolean => SIBLINGS.get(one)?.has(other) === true;

/** Whether the word with this stem denies its subject or object: by a negation, an end, an exclusion or a failure. */
export function isDenying(stem: string): boolean {
  return DENYING.has(stem);
}

/** Pairs of opposites that can both hold, at different times or for different parts. */
const BOTH_MAY_HOLD = pairsOf(
  `born die;birth death;build demolish;construct demolish;erect demolish;build destroy;construct destroy;founded dissolve;founded disband;founded abolish;
establish dissolve;establish disband;form disband;form dissolve;launch end;launch close;begin end;begin cease;start stop;start end;start finish;add remove;appoint dismiss;
appoint remove;join leave;join quit;buy sell;acquire sell;marry divorce;open close;hire dismiss;hire fire;enter leave;enter exit;arrive depart;
arrive leave;before after;first last;minimum maximum;maximal minimal;maximum minimum;import export;export import;early late;old new;male female;primary secondary;
junior senior;son daughter;top bottom;above below;winter summer;spring autumn;morning evening;day night;gold silver;
silver bronze;gold bronze;undergraduate graduate;bachelor master;live recorded;major minor;public private;true false;present absent;gain loss;
win lose;left right;north south;northern southern;east west;eastern western;upper lower;inner outer;national international;past present;
former current;indoor outdoor;offensive defensive;domestic foreign;give take;credit debit`,
);

/** Whether two stems that `areOpposite` can never both hold for one thing, at whatever time. */
export function excludeEachOther(one: string, other: string): boolean {
  return BOTH_MAY_HOLD.get(one)?.has(other) !== true;
}

/** Words that look like a negated shorter word but are not. */
const NOT_PREFIXED = stemsOf(
  `overweight inform information invent intend income intake inside input improve import impart impress impose department deport detail deposit define
deliver disease discover display dispatch district distance distress dispose mistake understand underground overall overhead overtime overlap overseas
underlying undertake undergo overcome oversee oversight overview department`,
);
const PREFIX = /^(?:un|in|im|il|ir|dis|non|off|de|anti|mis|under|over)-?(?=\p{L}{3})/u;

/** All known opposites and alternatives of each stem in a single map, since many words are looked up. */
const KNOWN = new Map([...PAIRS.keys(), ...SIBLINGS.keys(), ...WORDS_OF_DIRECTION].map((stem) => [stem, knownOppositesOf(stem)]));

function knownOppositesOf(stem: string): ReadonlySet<string> {
  return new Set([...(PAIRS.get(stem) ?? []), ...(SIBLINGS.get(stem) ?? []), ...oppositeDirectionsOf(stem)]);
}

/** Whether two stems exclude each other for one thing at one time: words of direction, pairs and alternatives listed here, and negated forms. */
export function areOpposite(one: string, other: string): boolean {
  if (KNOWN.get(one)?.has(other)) return true;
  return isPrefixed(one, other) || isPrefixed(other, one) || areOppositeGrades(one, other);
}

const MIN_GRADED_LENGTH = 3;
const LAST_OF_ER = 'r'.charCodeAt(0);
const LAST_OF_EST = 't'.charCodeAt(0);

/** Whether two words are opposite comparatives or superlatives: "larger" and "smaller", "largest" and "smallest". */
function areOppositeGrades(one: string, other: string): boolean {
  const last = one.charCodeAt(one.length - 1);
  if (last !== other.charCodeAt(other.length - 1) || (last !== LAST_OF_ER && last !== LAST_OF_EST)) return false;
  const end = last === LAST_OF_ER ? 'er' : 'est';
  if (!one.endsWith(end) || !other.endsWith(end) || Math.min(one.length, other.length) < MIN_GRADED_LENGTH + end.length) return false;
  const theirs = ungraded(other, end);
  return ungraded(one, end).some((base) => theirs.some((opposite) => PAIRS.get(base)?.has(opposite)));
}

/** Stems of the possible base forms of a comparative: "large" for "largest", "big" for "bigger", "easy" for "easier". */
function ungraded(word: string, end: string): string[] {
  const base = word.slice(0, -end.length);
  return [base, `${base}e`, base.replace(/(.)\1$/, '$1'), base.replace(/i$/, 'y')].map(stemOrStopWord);
}

/** The first letters of the prefixes in `PREFIX`. */
const MAY_BE_PREFIXED = new Set('uidnoam');

const MIN_PREFIX_LENGTH = 2;
const MIN_LENGTH_AFTER_PREFIX = 3;

function isPrefixed(word: string, longer: string): boolean {
  if (!MAY_BE_PREFIXED.has(longer.charAt(0)) || NOT_PREFIXED.has(longer)) return false;
  // Checked first, as it rarely holds: the longer word must contain the beginning of the shorter one after its prefix.
  if (word.length < MIN_LENGTH_AFTER_PREFIX || !longer.includes(word.slice(0, MIN_LENGTH_AFTER_PREFIX), MIN_PREFIX_LENGTH)) return false;
  const bare = longer.replace(PREFIX, '');
  return bare !== longer && (bare === word || (word.length > 4 && bare.length > 4 && (bare.startsWith(word) || word.startsWith(bare))));
}

/** For each stem, the others of its line. */
function siblingsOf(lines: string): ReadonlyMap<string, ReadonlySet<string>> {
  const siblings = new Map<string, ReadonlySet<string>>();
  for (const line of lines.split('\n')) {
    const stems = line.split(' ').map(stemOrStopWord);
    for (const stem of stems) siblings.set(stem, new Set(stems.filter((other) => other !== stem)));
  }
  return siblings;
}

function pairsOf(pairs: string): ReadonlyMap<string, ReadonlySet<string>> {
  const opposites = new Map<string, Set<string>>();
  for (const pair of pairs.split(/[;\n]+/)) {
    const [left = '', right = ''] = pair.split(' ').map(stemOrStopWord);
    opposites.set(left, (opposites.get(left) ?? new Set()).add(right));
    opposites.set(right, (opposites.get(right) ?? new Set()).add(left));
  }
  return opposites;
}
