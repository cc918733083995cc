import { SPACE } from './characters';
import { stemOrStopWord } from './lexicon';
import { textAt, type Token } from './token';
import { lookUp, type Word } from './word';
import { ARTICLES_AND_POSSESSIVES } from './function-words';

/** Phrases, each with a single word of the same meaning; all forms of their words count. */
const PHRASES = `
take part:participate;take effect:effective;come into force:effective;enter into force:effective;come into effect:effective;
go into effect:effective;go into force:effective;lose life:die;lose lives:die;pass away:die;shut down:close;close down:close;strike down:overturn;
come out:release;set up:establish;carry out:conduct;turn down:reject;call off:cancel;lay off:dismiss;take over:acquire;take place:happen;
step down:resign;wipe out:destroy;give up:abandon;rule out:exclude;go up:increase;go down:decrease;cut back:decrease;chief executive officer:ceo;
chief executive:ceo;get rid:eliminate;make public:publish;bring about:cause;find guilty:convict;plead guilty:confess;put an end:end;
draw up:draft;make use:use;per cent:percent;blow up:explode;break out:begin;speed up:accelerate;slow down:decelerate;phase out:abolish
`;

interface Phrase {
  rest: readonly string[];
  word: Word;
}

/** By the stem of their first word, the longest first. */
const BY_FIRST = phrasesOf(PHRASES);

/** Gives the first word of each phrase the meaning of the whole; its other words stay without meaning. */
export function withPhrases(tokens: Token[]): Token[] {
  for (let at = 0; at < tokens.length - 1; at += 1) {
    const token = tokens[at];
    if (!token || token.isCapitalised || token.after !== SPACE) continue;
    for (const { rest, word } of BY_FIRST.get(token.word.stem) ?? []) {
      const end = endOf(tokens, at + 1, rest);
      if (end < 0) continue;
      token.word = spokenAs(token.word, word);
      for (let place = at + 1; place < end; place += 1) silence(tokens[place]);
      break;
    }
  }
  return tokens;
}

/** The index after the rest of a phrase; -1 if it does not follow. */
function endOf(tokens: readonly Token[], from: number, rest: readonly string[]): number {
  let at = from;
  for (const stem of rest) {
    if (ARTICLES_AND_POSSESSIVES.has(textAt(tokens, at)) && stem !== tokens[at]?.word.text) at += 1;
    if (tokens[at]?.word.stem !== stem) return -1;
    at += 1;
  }
  return at;
}

/** Weak maps, so that they keep no word that `lookUp` has forgotten. */
const spoken = new WeakMap<Word, WeakMap<Word, Word>>();
const silenced = new WeakMap<Word, Word>();

/** A word as written, with the meaning of another. Returns the same object each time, like `lookUp`. */
function spokenAs(written: Word, meant: Word): Word {
  const known = spoken.get(written) ?? new WeakMap<Word, Word>();
  let word = known.get(meant);
  if (!word) {
    const { stem, stemHash, isDenying, isDirection, synonyms } = meant;
    word = { ...written, stem, stemHash, isStopWord: false, isDenying, isDirection, synonyms, isLight: false };
    known.set(meant, word);
    spoken.set(written, known);
  }
  return word;
}

function silence(token: Token | undefined): void {
  if (!token) return;
  let word = silenced.get(token.word);
  if (!word) silenced.set(token.word, (word = { ...token.word, isStopWord: true, isDirection: false, effect: 'filler' }));
  token.word = word;
}

function phrasesOf(list: string): ReadonlyMap<string, readonly Phrase[]> {
  const found = new Map<string, Phrase[]>();
  for (const entry of list.trim().split(/;\s*/)) {
    const [phrase = '', meaning = ''] = entry.split(':');
    const [first = '', ...rest] = phrase.split(' ').map(stemOrStopWord);
    found.set(first, [...(found.get(first) ?? []), { rest, word: lookUp(meaning) }]);
  }
  for (const phrases of found.values()) phrases.sort((a, b) => b.rest.length - a.rest.length);
  return found;
}
