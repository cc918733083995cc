import { FINITE_FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import { COMMA, DASH, OTHER, SEMICOLON, SPACE } from '@lib/language/reading/characters';
import { stemsOf } from '@lib/language/reading/lexicon';
import type { NameRun } from '@lib/language/reading/names';
import type { Reading } from '@lib/language/reading/reading';
import { textAt, textOfWords, type Token } from '@lib/language/reading/token';

/** What a statement says about something that has only one value. */
export interface Filler {
  /** `maker`: the author or founder; `place`: where it was founded or made; `attribute`: its capital, its default. */
  kind: 'maker' | 'place' | 'attribute';
  /** The parts of each name, or the stem of a word that is not a name. */
  values: readonly ReadonlySet<string>[];
  /** As worded in the statement. */
  text: string;
  /** Stems of its words. */
  stems: ReadonlySet<string>;
}

/**
 * Verbs with a single agent or list of agents: "written by", or the same in the active. "Co-founded" is left out, since its agent is one of several.
 */
const MADE = new Set(
  'founded established discovered invented written wrote directed designed composed painted created drew drawn sculpted coined'.split(' '),
);
const BEFORE_VERB = new Set(['first', 'also', 'later', 'originally']);
const PLACED = new Set('founded established formed built signed opened created'.split(' '));
/** Attributes with one value: a name, or any single word. */
const NAMED = `capital;headquarters;birthplace;author;composer;inventor;discoverer;founder;patron saint;national anthem;largest city;highest mountain;longest river`;
const WORDED = 'default;official language;currency;symbol';
const ATTRIBUTES = [...NAMED.split(';'), ...WORDED.split(';')].map((attribute) => attribute.split(' '));
const IS_WORDED = new Set(WORDED.split(';').map((attribute) => attribute.split(' ').at(-1)));
const BEFORE_ATTRIBUTE = 4;
const MAX_VALUE_WORDS = 4;
const MAX_CIRCUMSTANCE_WORDS = 8;

/** Events that happen to a thing only once. */
const ONCE = new Set(
  `founded established formed created invented discovered completed opened published released premiered launched incorporated signed abolished debut debuted
inaugurated patented introduced constructed built chartered inducted knighted ordained canonised canonized crowned joined retired acquired bought married
resigned approved banned adopted ratified enacted passed repealed closed demolished destroyed sank crashed collapsed assassinated executed abandoned`.split(
    /\s+/,
  ),
);
/** Stems of such events, each covering several words of that meaning. */
const ONCE_TOGETHER = stemsOf('effective establish overturn release close acquire resign reject abolish');
/** After such a verb these show that it happened several times. */
const ONE_OF_SEVERAL = new Set('a an another several some many more new his her their its two three four five'.split(' '));
const AGAIN = new Set('again another reopened rebuilt reestablished refounded relaunched rereleased republished'.split(' '));

export function fillersOf(reading: Reading): Filler[] {
  return [makersOf(reading), placeOf(reading), attributeOf(reading)].filter((filler) => filler !== null);
}

/** Whether the statement is about something that happens only once. */
export function happensOnce(reading: Reading): boolean {
  return (reading.happensOnce ??= tellsOfSomethingOnce(reading));
}

function tellsOfSomethingOnce({ tokens }: Reading): boolean {
  const isOnce = tokens.some(({ word }, at) => {
    const next = tokens[at + 1]?.word;
    return (ONCE.has(word.text) || ONCE_TOGETHER.has(word.stem)) && !(next && (next.hasDigit || ONE_OF_SEVERAL.has(next.text)));
  });
  return isOnce && !tokens.some(({ word, before }) => AGAIN.has(word.text) || (before === DASH && AGAIN.has(`re${word.text}`)));
}

/** The agents: the names after "by", or before the verb. */
function makersOf({ text, tokens, names }: Reading): Filler | null {
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token || !MADE.has(token.word.text) || (token.before & DASH && !(token.before & SPACE))) continue;
    const first = nameOfDoer(tokens, names, at);
    if (first >= 0) return fillerOf('maker', text, listed(tokens, names, first));
  }
  return null;
}

/** Index of the verb's agent among the names, the first one of several; -1 if there is none. */
function nameOfDoer(tokens: readonly Token[], names: readonly NameRun[], verb: number): number {
  const by = byAfter(tokens, verb);
  const isPassive = by > 0;
  const last = BEFORE_VERB.has(textAt(tokens, verb - 1)) ? verb - 2 : verb - 1;
  const doer = tokens[isPassive ? by + 1 : last];
  return names.findIndex((name) => (isPassive ? name.tokens[0] : name.tokens.at(-1)) === doer);
}

/** Index of the "by" after a verb, directly or after time and place: "created in 2011 by"; 0 if there is none. */
function byAfter(tokens: readonly Token[], verb: number): number {
  if (tokens[verb + 1]?.word.text === 'by') return verb + 1;
  if (!/^(?:in|on|at)$/.test(textAt(tokens, verb + 1))) return 0;
  for (let at = verb + 2; at <= verb + MAX_CIRCUMSTANCE_WORDS; at += 1) {
    const token = tokens[at];
    if (token?.word.text === 'by') return at;
    if (!token || !(token.word.hasDigit || token.isCapitalised || /^(?:in|on|at|the)$/.test(token.word.text))) return 0;
  }
  return 0;
}

/** A name and the others in the same list. */
function listed(tokens: readonly Token[], names: readonly NameRun[], at: number): NameRun[] {
  let [from, to] = [at, at + 1];
  while (isListed(tokens, names[to - 1], names[to])) to += 1;
  while (isListed(tokens, names[from - 1], names[from])) from -= 1;
  return names.slice(from, to);
}

function isListed(tokens: readonly Token[], left: NameRun | undefined, right: NameRun | undefined): boolean {
  const [last, first] = [left?.tokens.at(-1), right?.tokens[0]];
  if (!last || !first) return false;
  const between = tokens.indexOf(first) - tokens.indexOf(last);
  if (between === 2) return tokens[tokens.indexOf(last) + 1]?.word.text === 'and';
  return between === 1 && (first.before === (COMMA | SPACE) || first.before === (OTHER | SPACE));
}

/** The place of an event that happens once: "formed in Amsterdam". */
function placeOf(reading: Reading): Filler | null {
  const { text, tokens, names } = reading;
  const at = tokens.findIndex(({ word }, place) => PLACED.has(word.text) && /^(?:in|at)$/.test(textAt(tokens, place + 1)));
  const name = at < 0 ? undefined : names.find((run) => run.tokens[0] === tokens[at + 2]);
  return name && happensOnce(reading) ? fillerOf('place', text, [name]) : null;
}

/** The attribute in sentences such as "The capital of Australia is Canberra" and "Canberra is the capital of Australia". */
function attributeOf(reading: Reading): Filler | null {
  if (!reading.tokens.some(({ word }) => FINITE_FORMS_OF_BE.has(word.text))) return null;
  const { text, words: tokens, names } = reading;
  const copula = tokens.findIndex(({ word }) => FINITE_FORMS_OF_BE.has(word.text));
  if (copula < 1 || tokens.some(({ before }) => before & (COMMA | SEMICOLON))) return null;
  const [left, right] = [tokens.slice(0, copula), tokens.slice(copula + 1)];
  const inLeft = attributeIn(left);
  const attribute = inLeft ?? (right[0]?.word.text === 'the' ? attributeIn(right) : null);
  if (attribute === null) return null;
  const filling = (inLeft === null ? left : right).filter(({ word }) => !word.isStopWord);
  if (filling.length === 0 || filling.length > MAX_VALUE_WORDS) return null;
  const stems = new Set(filling.map(({ word }) => word.stem));
  const value = { kind: 'attribute' as const, values: [stems], text: text.slice(filling[0]?.start, filling.at(-1)?.end), stems };
  if (IS_WORDED.has(attribute)) return filling.length === 1 ? value : null;
  const isNamed = filling.every((token) => names.some((name) => name.tokens.includes(token)));
  return isNamed ? value : null;
}

/** The attribute at the beginning of some words, given by its last word. */
function attributeIn(tokens: readonly Token[]): string | null {
  for (let at = 0; at < Math.min(tokens.length, BEFORE_ATTRIBUTE); at += 1)
    for (const words of ATTRIBUTES) if (standsAt(tokens, at, words)) return words.at(-1) ?? null;
  return null;
}

function standsAt(tokens: readonly Token[], at: number, words: readonly string[]): boolean {
  for (let place = 0; place < words.length; place += 1) if (tokens[at + place]?.word.text !== words[place]) return false;
  return true;
}

function fillerOf(kind: Filler['kind'], text: string, names: readonly NameRun[]): Filler {
  const tokens = names.flatMap((name) => name.tokens);
  return {
    kind,
    values: names.map(({ parts }) => parts),
    text: textOfWords(text, tokens),
    stems: new Set(tokens.map(({ word }) => word.stem)),
  };
}
