import { stemsOf } from '@lib/language/reading/lexicon';
import { MODERN_YEAR } from '@lib/language/reading/numeral';
import type { Reading } from '@lib/language/reading/reading';
import { isNameWord, type Token } from '@lib/language/reading/token';

interface Kind {
  /** Matches in a question that asks for this kind. */
  asked: RegExp;
  /** Words that mark an answer, in a sentence or in its heading. */
  words: string;
  /** Another test for an answer in a sentence. */
  isAnsweredBy?: (reading: Reading) => boolean;
  /** A sentence without a figure does not answer: "The cost is well known". */
  wantsFigure?: true;
}

/** Kinds of answers that parts of a question ask for, as far as words show it; after the question types of Li and Roth (COLING 2002). */
const KINDS = {
  definition: {
    asked: /^\W*(?:what|who) (?:is|was|are|were) (?:the )?\p{Lu}/u,
    words: 'definition define overview',
    isAnsweredBy: ({ text }) => DEFINING.test(text),
  },
  who: {
    asked:
      /\bwho (?:is|are|was|were|made|built|won|wrote|invented|founded|enforces?|stood|opposed|received|got|did)\b(?! (?:the )?\p{Lu})/u,
    words: '',
    isAnsweredBy: ({ tokens }) => tokens.some((token, at) => at > 0 && isNameWord(token)),
  },
  toll: {
    asked: /\bhow many\b.*\b(?:die[ds]?|kill(?:ed)?|dead|deaths?|victims|injured|casualties|lost)\b|\b(?:death toll|casualties)\b/iu,
    wantsFigure: true,
    words: 'die death dead kill victim toll casualty fatality life lives injured survivor',
  },
  blame: {
    asked: /\b(?:responsible|accountable|(?:to|is|was) blamed?|at fault|liable)\b/iu,
    words:
      'responsible responsibility blame accountable accountability liable liability negligent negligence convict conviction charge indict indictment guilty prosecute prosecution trial sentence arrest acquit fault',
  },
  cause: {
    asked:
      /\bwhy\b|\bcaus(?:e|es|ed)\b|\bled to\b|\breasons? (?:for|why|behind)\b|\bhow (?:did|come|has)\b.*\b(?:collaps\w+|fail\w*|lose|lost|fall|rise|rose|come about|happen\w*|become|decline\w*|begin|start)\b|\bdro?ve\b|\bdrives\b/iu,
    words:
      'cause because due led lead result trigger blame fault flaw fail failure reason driven driver drive drove why owing attribute root stem thanks contribute factor',
  },
  later: {
    asked:
      /\bsince\b|\b(?:became|become|come|came) of\b|\baftermath\b|\bconsequences?\b|\b(?:has|have) (?:changed|happened|been)\b|\bhappen(?:s|ed)? (?:after|next)\b|\blegacy\b|\bfared?\b|\bgoing\b|\bfixed\b|\brepealed\b|\brestored\b|\boutlook\b/iu,
    words:
      'since after afterwards aftermath later now today reform introduce convict sentence settle settlement successor ban still change consequence legacy remain current currently recent recently status outlook repeal restore survive become became sold sell acquire buy bought succeed close',
  },
  forWhom: {
    asked:
      /\b(?:who|whom) (?:should|can|may|needs?|qualif\w+|is it|does it|it)\b|\bfor whom\b|\bshould (?:one|i|we|you|a|an)\b|\bhow much should\b/iu,
    words:
      'recommend recommendation should age aged adult eligible eligibility indicated advise suit avoid candidate pregnant older child children choose pick patient dose',
  },
  harm: {
    asked: /\bside.effects?\b|\brisks?\b|\bsafe(?:ty|ly)?\b|\bdanger\w*|\bharm\w*|\badverse\b|\bwithdrawal\b|\btrade-?offs\b/iu,
    words:
      'side risk safe safety safely danger dangerous harm harmful adverse serious complication reaction toxic toxicity warning withdrawal nausea rare drawback',
  },
  effect: {
    asked:
      /\bhow (?:well|effective|good|useful)\b|\beffectiv\w+|\befficacy\b|\bachiev\w+|\bbenefits?\b|\bhelp(?:s|ed)?\b|\byield\b|\bdoes .{1,60}\b(?:help|work|improve|reduce|prevent)\b/iu,
    words:
      'reduce reduction lower cut efficacy effective effectiveness improve improvement increase percent benefit effect difference fall fell rise rose prevent prevention protect achieve yield result work',
    isAnsweredBy: ({ text }) => text.includes('%'),
  },
  cost: {
    asked:
      /\bcosts?\b|\bprices?\b|\bpay(?:s|ing)?\b|\bpaid\b|\bexpensive\b|\bworth (?:it|buying|the)\b|\bafford\w*|\breceived money\b|\bpay off\b/iu,
    wantsFigure: true,
    words:
      'euro dollar pound billion million cost price pay paid payment cheap expensive subsidy subsidise fee charge grant fine tax saving',
    isAnsweredBy: ({ text }) => CURRENCY.test(text),
  },
  rules: {
    asked:
      /\brules?\b|\brequir(?:e|es|ed|ement|ements)\b|\boblig\w+|\ballowed\b|\blimits?\b|\bregulat\w+|\bwhat does .{1,80}\b(?:act|law|directive|regulation|mechanism)\b.{0,40}\bdo\b/iu,
    words: 'must require requirement oblige obligation obligatory mandate mandatory prohibit ban limit allow rule regulate regulation duty',
  },
  made: {
    asked:
      /\bcontribut\w+|\bknown for\b|\bdiscover\w*|\binvent\w*|\bwhat did (?:he|she|they)\b.*\bfind\b|\bhis part\b|\bher part\b|\brole\b|\bfind\b/iu,
    words:
      'discover discovery contribute contribution prove show first publish publication invent invention develop found devise build wrote write design conclude conclusion report finding',
  },
  dispute: {
    asked: /\bdisput\w+|\bcontrovers\w+|\bcritici\w+|\brobbed\b|\bunfair\w*|\boppos\w+|\breject\w*|\bdebat\w+|\btreated\b/iu,
    words:
      'dispute controversy controversial critic criticism criticise historian argue argument credit myth contest object objection oppose opposition reject rejection debate unfair unfairly resist resistance dismiss deny refuse scholar',
  },
  time: {
    asked: /\bwhen\b|\b(?:what|which) (?:year|date|day)\b/iu,
    wantsFigure: true,
    words: 'date timeline deadline timetable',
    isAnsweredBy: ({ tokens }) => tokens.some(({ word }) => word.hasDigit && MODERN_YEAR.test(word.text)),
  },
} as const satisfies Record<string, Kind>;

export type AskedKind = keyof typeof KINDS;

const DEFINING = /^(?:\[[^\]]*\]\s*)?[^.;]{0,90}?\b(?:is|was|are|were) (?:an?|the|one of)\b/u;
const CURRENCY = /[$€£¥]/u;

const ALL = Object.keys(KINDS) as AskedKind[];
const BY_STEM: ReadonlyMap<string, readonly AskedKind[]> = kindsByStem();

function kindsByStem(): Map<string, AskedKind[]> {
  const kinds = new Map<string, AskedKind[]>();
  for (const kind of ALL) for (const stem of stemsOf(KINDS[kind].words)) kinds.set(stem, [...(kinds.get(stem) ?? []), kind]);
  return kinds;
}

/** The kinds that a question, or a part of one, asks for. */
export const kindsAskedIn = (question: string): AskedKind[] => ALL.filter((kind) => KINDS[kind].asked.test(question));

/** The question without the words that only ask for these kinds. */
export const withoutAsking = (question: string, kinds: readonly AskedKind[]): string =>
  kinds.reduce((text, kind) => text.replaceAll(new RegExp(KINDS[kind].asked, 'giu'), ' '), question);

/** Whether a sentence gives an answer of a kind, by its words or content. */
export function answersKind(kind: AskedKind, reading: Reading): boolean {
  const { isAnsweredBy, wantsFigure }: Kind = KINDS[kind];
  if (wantsFigure && !reading.tokens.some(({ word }) => word.isAmount)) return false;
  return isAnsweredBy?.(reading) === true || isNamedIn(kind, reading.tokens);
}

/** Whether a text, such as a heading, contains words of a kind. */
export const isNamedIn = (kind: AskedKind, tokens: readonly Token[]): boolean =>
  tokens.some(({ word }) => BY_STEM.get(word.stem)?.includes(kind) === true);
