import { FINITE_FORMS_OF_BE } from './forms-of-be';
import { ARTICLES_AND_POSSESSIVES, COMMON_PREPOSITIONS, FORMS_OF_HAVE, MODALS_AND_DO } from './function-words';

/** Irregular verbs: base form, past tense and participle. */
const IRREGULAR =
  `write wrote written;win won won;lose lost lost;make made made;grow grew grown;rise rose risen;fall fell fallen;begin began begun;
hold held held;lead led led;build built built;leave left left;sell sold sold;buy bought bought;take took taken;give gave given;become became become;
shrink shrank shrunk;sing sang sung;draw drew drawn;fly flew flown;forbid forbade forbidden;find found found;beat beat beaten;wear wore worn;
choose chose chosen;know knew known;go went gone;come came come;run ran run;speak spoke spoken;think thought thought;teach taught taught;keep kept kept;
meet met met;uphold upheld upheld;pay paid paid;get got got;see saw seen;say said said;tell told told;bring brought brought;fight fought fought;
send sent sent;stand stood stood;drive drove driven;break broke broken;feel felt felt;spend spent spent;eat ate eaten;set set set;put put put;
hit hit hit;hurt hurt hurt;quit quit quit;burst burst burst;cut cut cut;read read read;shut shut shut;cost cost cost;strike struck stricken;seek sought sought;catch caught caught;
withdraw withdrew withdrawn;undergo underwent undergone;overcome overcame overcome;shoot shot shot;overthrow overthrew overthrown;overtake overtook overtaken;
forgive forgave forgiven;sink sank sunk;steal stole stolen;lend lent lent;bind bound bound;swing swung swung;slide slid slid;shake shook shaken;
throw threw thrown;deal dealt dealt;sleep slept slept;sweep swept swept;feed fed fed;flee fled fled;hide hid hidden;hear heard heard;hang hung hung;
swim swam swum;spring sprang sprung;freeze froze frozen;swear swore sworn;swell swelled swollen;repay repaid repaid;rebuild rebuilt rebuilt;
rewrite rewrote rewritten;undertake undertook undertaken;understand understood understood;oversee oversaw overseen;outsell outsold outsold;
outgrow outgrew outgrown;withstand withstood withstood;foresee foresaw foreseen;mislead misled misled;arise arose arisen;mistake mistook mistaken;
sit sat sat;bleed bled bled;breed bred bred;cling clung clung;creep crept crept;dig dug dug;forget forgot forgotten;lay laid laid;
ride rode ridden;ring rang rung;shine shone shone;spin spun spun;sting stung stung;tear tore torn;weave wove woven;
weep wept wept;blow blew blown;strive strove striven;leap leapt leapt;undo undid undone;outdo outdid outdone;
fling flung flung;tread trod trodden;foretell foretold foretold;befall befell befallen;behold beheld beheld;bear bore borne;bend bent bent;stick stuck stuck;wake woke woken;light lit lit`
    .split(/[;\n]+/)
    .map((forms) => forms.split(' ') as [string, string, string]);

/** Other forms that the stemmer does not reduce to their base form. */
const OTHER_FORMS = 'winning win;loss lose;denied deny;denies deny;died die;dies die;dying die'
  .split(';')
  .map((pair) => pair.split(' ') as [string, string]);

/** The base form of an irregular form. */
export const BASES: ReadonlyMap<string, string> = new Map([
  ...IRREGULAR.flatMap(([base, past, participle]): [string, string][] => [
    [past, base],
    [participle, base],
  ]),
  ...OTHER_FORMS,
]);

/** Whether a form may be a participle: "made" and "built", but not "took" and "went". */
export const isParticipleForm = (word: string): boolean => PARTICIPLES.has(word) || (word.endsWith('ed') && !PASTS.has(word));

/** Verbs that tell of an action although they may have no object: "was born in Rome and moved to Paris". */
export const INTRANSITIVE = new Set(
  `moved lived worked died served appeared competed performed studied graduated retired returned debuted played acted married starred participated
resigned arrived traveled travelled continued emerged attended joined remained stayed earned received established founded co-founded trained toured
campaigned argued voted lasted opened closed ended started existed belonged collaborated contributed focused specialised specialized collapsed exploded vanished`.split(
    /\s+/,
  ),
);

/** Words after a participle at the beginning of a sentence: "Elected to parliament in 2002, she served …". */
const AFTER_LEAD = COMMON_PREPOSITIONS.difference(new Set(['of'])).union(new Set(['into', 'under', 'near']));
const NO_LEADS = new Set('compared regarded related opposed according set'.split(' '));

/** Whether the first two words of a sentence are a participle about its subject. */
export const isParticipleLead = (first: string, second: string): boolean =>
  isParticipleForm(first) && AFTER_LEAD.has(second) && !INTRANSITIVE.has(first) && !NO_LEADS.has(first);

const PARTICIPLES = new Set(IRREGULAR.map(([, , participle]) => participle));
const PASTS = new Set(IRREGULAR.map(([, past]) => past));
/** Verb forms in "s" and "d" that are hardly ever a noun or an adjective. */
const PLAIN_FORMS =
  `become becomes begins makes wins writes leads grows gives takes goes comes gets holds runs says remains includes lives works plays serves
appears consists contains uses offers supports provides allows features belongs died dies lacks`.split(/\s+/);
const FINITE = new Set([...FINITE_FORMS_OF_BE, ...FORMS_OF_HAVE, ...MODALS_AND_DO, ...PASTS, ...PLAIN_FORMS]);
/** Words that end like adverbs but are none. */
const NO_ADVERBS = new Set(
  `family comply apply reapply misapply supply resupply reply imply rely multiply ally rally tally bully fly italy sicily assembly subassembly anomaly monopoly oligopoly
duopoly folly jelly belly lily butterfly dragonfly homily panoply poly`.split(/\s+/),
);
const ADVERBS = new Set(
  `also then later now still soon eventually never always often both once first not since ever again further thus even just currently`.split(
    ' ',
  ),
);
/** Words that follow a verb in "ed" but hardly ever an adjective in "ed". */
const COMPLEMENTS = new Set(
  `the a an his her its their in at to for as from with by on into of over under up out off about against between that it him them one several many more
until when after before through`.split(/\s+/),
);
/** Words that follow a verb in "s" but hardly ever a plural. */
const DETERMINERS = ARTICLES_AND_POSSESSIVES.union(new Set(['every', 'each', 'all', 'any']));

const PAST = new Set("was were did had used wasn't weren't didn't hadn't".split(' '));
const PRESENT = new Set("is are am has have does do can cannot isn't aren't hasn't haven't doesn't don't can't will".split(' '));

const DENIED_AUXILIARY = /^(?:cannot|[a-z]+n't)$/;

/** The possible roles of a word in a predicate. */
export interface VerbForm {
  /** Certainly a finite verb. */
  isFinite: boolean;
  /** Possibly a verb in the past tense; the next word distinguishes it from an adjective. */
  endsInEd: boolean;
  /** Possibly a verb; the next word distinguishes it from a plural. */
  endsInS: boolean;
  endsInIng: boolean;
  isAdverb: boolean;
  isComplement: boolean;
  isDeterminer: boolean;
  /** The tense that it shows by itself, regardless of other words. */
  auxiliaryTense: Tense | null;
  isPastForm: boolean;
  /** Whether a sentence with this word states something, as far as a single word can show. */
  makesSentence: boolean;
}

export type Tense = 'past' | 'present';

export function verbFormOf(text: string): VerbForm {
  const isPlain = /^[a-z]+$/.test(text);
  const endsInEd = isPlain && text.length > 3 && text.endsWith('ed');
  const endsInS = isPlain && text.length > 3 && text.endsWith('s');
  return {
    isFinite: FINITE.has(text) || DENIED_AUXILIARY.test(text),
    endsInEd,
    endsInS,
    endsInIng: isPlain && text.length > 4 && text.endsWith('ing'),
    isAdverb: ADVERBS.has(text) || (text.length > 3 && text.endsWith('ly') && !NO_ADVERBS.has(text)),
    isComplement: COMPLEMENTS.has(text),
    isDeterminer: DETERMINERS.has(text),
    auxiliaryTense: PAST.has(text) ? 'past' : PRESENT.has(text) ? 'present' : null,
    isPastForm: text.endsWith('ed') || PASTS.has(text),
    makesSentence:
      FINITE.has(text) ||
      DENIED_AUXILIARY.test(text) ||
      text === 'be' ||
      text === 'been' ||
      endsInEd ||
      (endsInS && /(?:es|[^s]s)$/.test(text)),
  };
}
