import { remembering } from '@lib/language/remembering';
import { isStopWord, stemOf } from '@lib/language/tokens';

/** What a word of a sentence means by itself. English; words of other languages have nothing but a stem. */
export interface Word {
  /** As `words` gives it. */
  text: string;
  /** Porter stem; of a stop word the word itself. */
  stem: string;
  isStopWord: boolean;
  hasDigit: boolean;
  /** It has a digit and is no amount: a version, the name of a model. */
  isIdentifier: boolean;
  /** It belongs to an amount: it has a digit, or is the name of a number or of a scale. */
  isAmount: boolean;
  isNegation: boolean;
  /** It negates what it is to do: "fails to close". */
  isNegationBeforeTo: boolean;
  /** It negates its own stem: "unmarried". */
  isNegated: boolean;
  /** It has antonyms: `antonymsOf` its stem. */
  isDirection: boolean;
  role: Role | null;
}

/**
 * What a word does to the statement around it: `filler` changes nothing, `hedge` leaves open whether or for how many it holds, `condition`
 * limits when it holds, `former` says that it holds no longer, `attribution` says that somebody says so.
 */
export type Role = 'filler' | 'hedge' | 'condition' | 'former' | 'attribution';

export const SCALES: ReadonlyMap<string, number> = new Map(
  Object.entries({ thousand: 1e3, k: 1e3, million: 1e6, m: 1e6, billion: 1e9, bn: 1e9, trillion: 1e12 }),
);
export const NUMBERS: ReadonlyMap<string, number> = new Map(
  Object.entries({ two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10, eleven: 11, twelve: 12, thirteen: 13 })
    .concat(Object.entries({ fourteen: 14, fifteen: 15, sixteen: 16, seventeen: 17, eighteen: 18, nineteen: 19, twenty: 20, thirty: 30 }))
    .concat(Object.entries({ forty: 40, fifty: 50, sixty: 60, seventy: 70, eighty: 80, ninety: 90 })),
);

const NEGATIONS = new Set('not no never none nobody nothing nowhere neither nor without cannot lack lacks lacked lacking'.split(' '));
const NEGATIONS_BEFORE_TO = new Set('fail fails failed failing failure unable refuse refuses refused decline declines declined'.split(' '));

/** Negated words with what they negate. */
const NEGATED: ReadonlyMap<string, string> = new Map(
  `unmarried married;unfinished finished;incomplete complete;impossible possible;illegal legal;invalid valid;inactive active;unsafe safe;
insecure secure;unsupported supported;unpublished published;unsuccessful successful;ineffective effective;inaccurate accurate;untrue true;
incorrect correct;incompatible compatible;unavailable available;unstable stable;unreliable reliable;unable able;unknown known;unpaid paid;
uninjured injured;unarmed armed;uncommon common;unlimited limited;uninhabited inhabited;disagree agree;disagrees agrees;disagreed agreed;
disapprove approve;disapproved approved;disobeyed obeyed;disproved proved;nonexistent existent`
    .split(/[;\n]+/)
    .map((pair) => pair.split(' ') as [string, string]),
);

/** Irregular forms with their base form. */
const BASES: ReadonlyMap<string, string> = new Map(
  `wrote written write;won winning win;lost loss lose;made make;grew grown grow;rose risen rise;fell fallen fall;began begun begin;held hold;
led lead;built build;left leave;sold sell;bought buy;took taken take;gave given give;became become;shrank shrunk shrink;sang sung sing;
drew drawn draw;flew flown fly;forbade forbidden forbid;denied denies deny;died dies dying die;found find;beat beaten beat;wore worn wear;
chose chosen choose;knew known know;went gone go;came come;ran run;spoke spoken speak;thought think;taught teach;kept keep;met meet;upheld uphold;paid pay`
    .split(/[;\n]+/)
    .flatMap((forms) => {
      const all = forms.split(' ');
      return all.slice(0, -1).map((form): [string, string] => [form, all.at(-1) ?? form]);
    }),
);

/** Pairs of words whose exchange turns a statement around; all their forms count. */
const EXCLUSIVE =
  antonyms(`increase decrease;increase reduce;increase lower;raise reduce;raise lower;raise decrease;rise fall;rise decline;rise drop;grow shrink;
higher lower;highest lowest;above below;faster slower;larger smaller;larg small;bigger smaller;longer shorter;older younger;elder younger;
eldest youngest;oldest youngest;better worse;best worst;stronger weaker;hotter colder;warmer colder;warmer cooler;heavier lighter;
enable disable;allow forbid;allow block;permit forbid;permit prohibit;accept reject;approve reject;include exclude;
synchronous asynchronous;ascending descending;support oppose;true false;win lose;optional required;optional mandatory;
public private;success failure;succeed fail;positive negative;improve worsen;convict acquit;guilty innocent;admit deny;active extinct;
left right;north south;northern southern;east west;eastern western;maternal paternal;amateur professional;expand contract;strengthen weaken;accelerate slow;accelerate decelerate;
defeat lose;lengthen shorten;benefit harm;gain lose`);
/** Pairs that tell two statements apart, though both can hold: the first race and the last, the minimum and the maximum. */
const OPPOSED =
  antonyms(`more less;more fewer;most least;before after;first last;minimum maximum;open closed;present absent;gain loss;early late;earlier later;
start end;hot cold;join leave;buy sell;import export`);

const ROLES: ReadonlyMap<string, Role> = new Map(
  Object.entries({
    filler: `also currently now today presently actually famously well widely approximately about around nearly roughly total overall own subsequently
eventually still already away altogether manage managed manages able contain contains contained possess possesses feature features successfully
fully very really especially particularly always separate every fact indeed professionally sir dame dr worldwide`,
    hedge: `may might could possibly perhaps probably likely unlikely sometimes often usually some many several few certain most partly partially generally
typically mostly rarely seldom necessarily`,
    condition: `unless if when whenever except only until till before after because while whereas although though despite besides where once
under against alone during other others same another`,
    former: 'originally formerly previously initially used former',
    attribution: `claim claims claimed alleged allegedly reportedly according believe believes believed argue argues argued say says said suggest suggests
suggested accuse accused accuses supposedly deny denied denies admit admits admitted`,
  } satisfies Record<Role, string>).flatMap(([role, list]) => list.split(/\s+/).map((word): [string, Role] => [word, role as Role])),
);

/** What is known of a word of `words`. */
export const lookUp = remembering((text: string): Word => {
  const stem = stemOrStopWord(text);
  const hasDigit = /\d/.test(text);
  return {
    text,
    stem,
    isStopWord: isStopWord(text),
    hasDigit,
    isIdentifier: hasDigit && !/^\$?[\d,]+(?:\.\d+)?$/.test(text),
    isAmount: hasDigit || NUMBERS.has(text) || SCALES.has(text),
    isNegation: NEGATIONS.has(text) || text.endsWith("n't"),
    isNegationBeforeTo: NEGATIONS_BEFORE_TO.has(text),
    isNegated: NEGATED.has(text),
    isDirection: EXCLUSIVE.has(stem) || OPPOSED.has(stem),
    role: ROLES.get(NEGATED.get(text) ?? text) ?? null,
  };
});

/** The words that turn a statement around when they stand in the place of this one, given by its stem. */
export function antonymsOf(stem: string): readonly string[] {
  return [...exclusiveOf(stem), ...(OPPOSED.get(stem) ?? [])];
}

/** Those of `antonymsOf` that cannot hold together with the word. */
export function exclusiveOf(stem: string): readonly string[] {
  return EXCLUSIVE.get(stem) ?? [];
}

/** The stem of the word's base form: "won" is "win", "unmarried" is "married". */
function stemOrStopWord(text: string): string {
  return isStopWord(text) ? text : stemOf(NEGATED.get(text) ?? BASES.get(text) ?? text);
}

function antonyms(pairs: string): ReadonlyMap<string, readonly string[]> {
  const opposites = new Map<string, string[]>();
  for (const pair of pairs.split(/[;\n]+/)) {
    const [left = '', right = ''] = pair.split(' ').map(stemOrStopWord);
    opposites.set(left, [...(opposites.get(left) ?? []), right]);
    opposites.set(right, [...(opposites.get(right) ?? []), left]);
  }
  return opposites;
}
