import { isBehindBe } from '@lib/language/reading/verbs';
import { stemOrStopWord, stemsOf } from '@lib/language/reading/lexicon';
import { DECIDING } from '@lib/language/reading/polarity';
import { textAt, type Token } from '@lib/language/reading/token';

/** The stem of a word's meaning in its context: "was beaten" means lost, "recommends against" means opposes, and "stepped down" means resigned. */
export function stemInContext({ word }: Token, at: number, tokens: readonly Token[]): string {
  if (!OF_ANOTHER_STEM.has(word.stem)) return word.stem;
  const phrase = PHRASES.get(word.stem);
  if (phrase && phrase.beside.includes(textAt(tokens, at + phrase.place))) return phrase.told;
  if (word.stem === VOTE && isAgainstOthers(tokens, at)) return DIVIDED;
  if (BEATING.has(word.stem) && isBehindBe(tokens, at)) return LOSE;
  return ADVISING.has(word.stem) && tokens.slice(at + 1, at + 1 + MAX_ADVISED).some((next) => next.word.text === 'against')
    ? OPPOSE
    : word.stem;
}

/** For each stem, its meaning if a certain word stands beside it. */
const PHRASES = new Map(
  [
    { word: 'step', beside: ['down'], place: 1, told: 'resign' },
    { word: 'turn', beside: ['down'], place: 1, told: 'reject' },
    { word: 'time', beside: ['on'], place: -1, told: 'punctual' },
    { word: 'schedule', beside: ['on'], place: -1, told: 'punctual' },
    { word: 'stay', beside: ['below', 'within'], place: 1, told: 'comply' },
    {
      word: 'dismiss',
      beside: ['action', 'appeal', 'challenge', 'claim', 'suit', 'lawsuit', 'complaint', 'petition'],
      place: 2,
      told: 'uphold',
    },
  ].map(({ word, told, ...rest }) => [stemOrStopWord(word), { ...rest, told: stemOrStopWord(told) }]),
);
const [LOSE, OPPOSE, VOTE, DIVIDED] = ['lose', 'oppose', 'vote', 'divided'].map(stemOrStopWord) as [string, string, string, string];
/** Whether a vote is divided: "by four votes to three". */
const isAgainstOthers = (tokens: readonly Token[], at: number): boolean =>
  tokens[at + 1]?.word.text === 'to' && (tokens[at + 2]?.word.numeral?.value ?? 0) > 0 && (tokens[at - 1]?.word.numeral ?? null) !== null;
const BEATING = stemsOf('beat defeat');
/** Most words between "advise" and "against": "advise older people living at home against it". */
const MAX_ADVISED = 8;
const ADVISING: ReadonlySet<string> = DECIDING.union(stemsOf('come'));
/** Stems that may have another meaning in context; all others mean what they say. */
const OF_ANOTHER_STEM = new Set([...PHRASES.keys(), ...BEATING, ...ADVISING]);
