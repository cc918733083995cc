import { isStopWord, stemOf } from '../tokens';
import { meaningOf } from './same-meaning';
import { BASES } from './verb-forms';

/**
 * The effect of a word on its statement: `filler` changes nothing, `hedge` leaves open whether or for how many it holds, `condition` limits when it
 * holds, `former` says that it no longer holds, `attribution` says that somebody claims it.
 */
export type Effect = 'filler' | 'hedge' | 'condition' | 'former' | 'attribution';

export const SCALES: ReadonlyMap<string, number> = new Map(
  Object.entries({ dozen: 12, thousand: 1e3, k: 1e3, million: 1e6, m: 1e6, mn: 1e6, billion: 1e9, bn: 1e9, trillion: 1e12, tn: 1e12 }),
);
export const NUMBERS: ReadonlyMap<string, number> = new Map(
  Object.entries({ two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10, eleven: 11, twelve: 12, thirteen: 13 })
    .concat(Object.entries({ fourteen: 14, fifteen: 15, sixteen: 16, seventeen: 17, eighteen: 18, nineteen: 19, twenty: 20, thirty: 30 }))
    .concat(Object.entries({ forty: 40, fifty: 50, sixty: 60, seventy: 70, eighty: 80, ninety: 90 })),
);

export const NEGATIONS = new Set(
  'not no never none nobody nothing nowhere neither nor without cannot lack lacks lacked lacking'.split(' '),
);
export const NEGATIONS_BEFORE_TO = new Set(
  'fail fails failed failing failure unable ineligible unworthy unfit refuse refuses refused decline declines declined yet'.split(' '),
);

/** Negated words, each with the word that it negates. */
export const NEGATED: ReadonlyMap<string, string> = new Map(
  `unmarried married;unfinished finished;incomplete complete;impossible possible;illegal legal;invalid valid;inactive active;unsafe safe;
insecure secure;unsupported supported;unpublished published;unsuccessful successful;ineffective effective;inaccurate accurate;untrue true;
incorrect correct;incompatible compatible;unavailable available;unstable stable;unreliable reliable;unable able;unknown known;unpaid paid;
uninjured injured;unarmed armed;uncommon common;unlimited limited;uninhabited inhabited;disagree agree;disagrees agrees;disagreed agreed;
disapprove approve;disapproved approved;disobeyed obeyed;disproved proved;nonexistent existent`
    .split(/[;\n]+/)
    .map((pair) => pair.split(' ') as [string, string]),
);

const NO_WORDS: readonly string[] = [];
/**
 * Pairs of words that reverse a statement when exchanged, in all their forms. Of some, both may hold at different times: "win" and "lose".
 */
const REVERSING =
  opposedIn(`increase decrease;increase reduce;increase lower;raise reduce;raise lower;raise decrease;rise fall;rise decline;rise drop;grow shrink;
higher lower;highest lowest;above below;faster slower;larger smaller;larg small;bigger smaller;longer shorter;older younger;elder younger;
eldest youngest;oldest youngest;better worse;best worst;stronger weaker;hotter colder;warmer colder;warmer cooler;heavier lighter;
enable disable;allow forbid;allow block;permit forbid;permit prohibit;accept reject;approve reject;include exclude;
synchronous asynchronous;ascending descending;support oppose;true false;win lose;optional required;optional mandatory;
public private;success failure;succeed fail;positive negative;improve worsen;convict acquit;guilty innocent;admit deny;active extinct;
left right;north south;northern southern;east west;eastern western;maternal paternal;amateur professional;expand contract;strengthen weaken;accelerate slow;accelerate decelerate;
defeat lose;lengthen shorten;benefit harm;gain lose`);
/** Pairs that distinguish two statements although both can hold: the first race and the last, the minimum and the maximum. */
const OPPOSED =
  opposedIn(`more less;more fewer;most least;before after;first last;minimum maximum;open closed;present absent;gain loss;early late;earlier later;
start end;hot cold;join leave;buy sell;import export`);

export const EFFECTS: ReadonlyMap<string, Effect> = new Map(
  Object.entries({
    filler: `also currently now today presently actually famously well widely approximately about around nearly roughly total overall own subsequently
eventually still already away altogether manage managed manages able contain contains contained possess possesses feature features successfully
fully very really especially particularly always separate every fact indeed professionally sir dame dr worldwide`,
    hedge: `may might could possibly perhaps probably likely unlikely sometimes often usually some many several few certain most partly partially generally
typically mostly rarely seldom necessarily`,
    condition: `unless if when whenever except only until till before after because while whereas although though despite besides where once
under against alone during other others same another`,
    former: 'originally formerly previously initially former',
    attribution: `claim claims claimed alleged allegedly reportedly according believe believes believed argue argues argued say says said suggest suggests
suggested accuse accused accuses supposedly deny denied denies admit admits admitted`,
  } satisfies Record<Effect, string>).flatMap(([effect, list]) =>
    list.split(/\s+/).map((word): [string, Effect] => [word, effect as Effect]),
  ),
);

/** The words of direction, each with those opposed to it. `areOpposite` knows many more opposites. */
const DIRECTIONS: ReadonlyMap<string, readonly string[]> = new Map(
  [...REVERSING.keys(), ...OPPOSED.keys()].map((stem) => [stem, [...reversingOf(stem), ...(OPPOSED.get(stem) ?? NO_WORDS)]]),
);

/** Their stems. */
export const WORDS_OF_DIRECTION: readonly string[] = [...DIRECTIONS.keys()];

/** The words of direction opposed to the one with this stem, including those that hold beside it: "last" for "first". */
export function oppositeDirectionsOf(stem: string): readonly string[] {
  return DIRECTIONS.get(stem) ?? NO_WORDS;
}

/** Only those that reverse a statement when they replace the word: none for "first". Whether both may hold at different times: `excludeEachOther`. */
export function reversingOf(stem: string): readonly string[] {
  return REVERSING.get(stem) ?? NO_WORDS;
}

/** Whether the word with this stem is one of direction, such as "increase" or "first". */
export function isDirection(stem: string): boolean {
  return DIRECTIONS.has(stem);
}

/** The stem of the word's base form and meaning: "win" for "won", "married" for "unmarried", "acquire" for "purchased". */
export function stemOrStopWord(text: string): string {
  return isStopWord(text) ? text : meaningOf(stemOf(NEGATED.get(text) ?? BASES.get(text) ?? withoutAccents(text)));
}

/** The stems of several words separated by white space. */
export const stemsOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).map(stemOrStopWord));

/** Removes accents from Latin letters, because "Martínez" is often written "Martinez". Other scripts keep their marks. */
export function withoutAccents(text: string): string {
  return /[\u00C0-\u024F]/.test(text) ? text.normalize('NFD').replace(/(?<=\p{Script=Latin})\p{M}+/gu, '') : text;
}

function opposedIn(pairs: string): ReadonlyMap<string, readonly string[]> {
  const opposites = new Map<string, string[]>();
  for (const pair of pairs.split(/[;\n]+/)) {
    const [left = '', right = ''] = pair.split(' ').map(stemOrStopWord);
    opposites.set(left, [...(opposites.get(left) ?? []), right]);
    opposites.set(right, [...(opposites.get(right) ?? []), left]);
  }
  return opposites;
}
