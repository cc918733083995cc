import { PREPOSITIONS_OF_PLACE } from '@lib/language/reading/function-words';
import { partOf } from '@lib/language/reading/parts';
import { Reading } from '@lib/language/reading/reading';
import { textAt, type Token } from '@lib/language/reading/token';

/** Endings and words of roles that precede a person's name. */
const ROLE =
  /(?:er|or|ist|ian|ant|[a-z]man|woman|coach|guard|captain|judge|poet|actress|athlete|president|student|chief|guitarist|musician)$/;
export const isRole = (word: string): boolean => ROLE.test(word);

/** A name with such a word is hardly a person's. */
const THINGS = new Set(
  `inc corp corporation co company ltd llc plc gmbh group labs laboratories systems technologies foods energy airlines air pharma pharmaceuticals industries
holdings partners records studios pictures entertainment media news times journal magazine press books university college school institute academy league
cup championship championships olympics games marathon open party union association federation foundation organization organisation agency authority
commission committee council court parliament congress senate ministry department office bank museum library theatre theater hospital act treaty agreement
convention award awards prize festival show series film album band orchestra club team fc united city county state states river mount mountain islands sea
ocean glacier street road tower station airport stadium arena centre building war battle revolution movement project program programme society world
international national american european british indian data protocol algorithm version house farm farmhouse farmstead homeplace mill park store church chapel cathedral
cemetery hall cottage inn hotel barn courthouse residence mansion manor villa ranch plantation castle palace square garden gardens
capital ventures equity investments investors advisors trust fund funds insurance finance motors tools steel homes bay lake valley bridge dam tunnel canal`.split(
    /\s+/,
  ),
);
/** Whether a name with this word is hardly a person’s: “bank”, “road”. */
export const isThing = (word: string): boolean => THINGS.has(word);
/** A possessive within the name: "Carr's Synopsis" */
const HAS_OWNER = /['’]s?\s/;
const MAX_NAME_WORDS = 5;
/** Plural titles before several names: "Justices Pohl and Ingram". */
const SEVERAL = new Set(
  `justices judges professors senators doctors messrs presidents ministers brothers sisters women men people girls boys children students voters critics
residents historians researchers patients`.split(/\s+/),
);

/** The name of a person that the words are or end with; null if they are more likely something else. */
export function personIn(sentence: Reading, from: number, end: number, isName: boolean): Reading | null {
  const { tokens } = sentence;
  const of = tokens.findIndex(({ word }, at) => at > from + 1 && at < end && word.text === 'of');
  const to = of < 0 ? end : of;
  const begin = isName ? from : nameAtEnd(tokens, from, to);
  if (begin < 0 || to - begin > MAX_NAME_WORDS) return null;
  if (SEVERAL.has(textAt(tokens, begin))) return null;
  const words = tokens.slice(begin, to).map(({ word }) => word);
  if (words.some(({ text, hasDigit }) => hasDigit || text === 'of' || text === 'the' || THINGS.has(text))) return null;
  const { text, tokens: name } = partOf(sentence, begin, to);
  const named = text.slice(0, name.at(-1)?.end);
  return HAS_OWNER.test(named) ? null : new Reading(named, name);
}

/** Words before the name of a place or thing. */
const BEFORE_PLACE_OR_THING = PREPOSITIONS_OF_PLACE.union(new Set('the called named titled as via using'.split(' ')));

/** The names of two or more words in a sentence that may be persons. */
export function personsAmong(sentence: Reading): Reading[] {
  const { tokens } = sentence;
  return sentence.names.flatMap(({ tokens: name }) => {
    const [first, last] = [name[0], name.at(-1)];
    if (!first || !last || name.length < 2) return [];
    const from = tokens.indexOf(first);
    if (BEFORE_PLACE_OR_THING.has(textAt(tokens, from - 1))) return [];
    return personIn(sentence, from, tokens.indexOf(last) + 1, true) ?? [];
  });
}

/** Index of two or more capitalised words after a role; -1 if there are none. */
function nameAtEnd(tokens: readonly Token[], from: number, to: number): number {
  let begin = to;
  while (begin > from && tokens[begin - 1]?.isCapitalised) begin -= 1;
  const role = tokens[begin - 1];
  return role && begin > from && to - begin > 1 && ROLE.test(role.word.text) ? begin : -1;
}

/** The words that follow a capitalised word somewhere in a text, such as the last names of persons named in full. */
export function wordsAfterNames(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  let isAfterName = false;
  // Word by word, because a pattern for a name and the next word would scan a long run of letters again from each of them.
  for (const piece of text.split(/\s+/)) {
    const [word] = isAfterName ? (/^\p{L}+/u.exec(piece) ?? []) : [];
    if (word !== undefined) words.add(word);
    isAfterName = CAPITAL.test(piece) && CAPITAL.test(piece.split(OUTSIDE_NAME).at(-1) ?? '');
  }
  return words;
}
const CAPITAL = /\p{Lu}/u;
const OUTSIDE_NAME = /[^\p{L}.'’"”-]+/u;

/** The words that occur inside a sentence somewhere. */
export const wordsInside = (text: string): ReadonlySet<string> => new Set(text.match(/(?<=[\p{Ll},]\s)\p{L}+/gu));
