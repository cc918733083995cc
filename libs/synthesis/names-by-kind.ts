import { lookUp } from '@lib/language/reading/word';

const WORD = String.raw`\p{Lu}[\p{L}\p{N}’'-]*`;
/** Capitalised words in a row, after an article if there is one. */
const RUN = new RegExp(String.raw`(?<![\p{L}\p{N}’'-])(?:[Tt]he )?${WORD}(?: ${WORD})+(?![\p{L}\p{N}’'-])`, 'gu');
/** "University of Rome". */
const OF = new RegExp(String.raw`(?<![\p{L}\p{N}’'-])${WORD} of (?:the )?${WORD}(?: ${WORD})*(?![\p{L}\p{N}’'-])`, 'gu');
/** Words for a kind of thing that stand before its name in English: "Lake Bled", "Directive 2012/27/EU". */
const BEFORE_NAME = new RegExp(
  String.raw`(?<![\p{L}\p{N}’'-])(?:Lake|Loch|Fort|Camp|Cape|Castle|Hotel|Hurricane|Typhoon|Cyclone|Storm|Operation|Directive|Regulation|Resolution|Asteroid|Comet|Villa) (?:${WORD}|\d[\p{L}\p{N}/.-]*[\p{L}\p{N}])(?: ${WORD})*(?![\p{L}\p{N}’'-])`,
  'gu',
);

/** The longest name of each kind of thing, by the word for it, lower-cased; null where names of several things have it. */
export type NamesByKind = ReadonlyMap<string, string | null>;

export function allNamesIn(text: string): NamesByKind {
  const names = new Map<string, string | null>();
  const add = (kind: string, name: string): void => {
    const known = names.get(kind);
    if (known === undefined) names.set(kind, name);
    else if (known !== null) names.set(kind, longerOf(known, name));
  };
  for (const [run] of text.matchAll(RUN)) {
    const hasArticle = /^the /i.test(run);
    const said = (hasArticle ? run.slice('the '.length) : run).split(' ');
    const first = said.findIndex((word) => !lookUp(word.toLowerCase()).isStopWord);
    const words = first < 0 ? [] : said.slice(first);
    const last = words.at(-1)?.toLowerCase();
    if (last !== undefined && words.length > 1) add(last, `${hasArticle ? 'The ' : ''}${words.join(' ')}`);
  }
  for (const pattern of [OF, BEFORE_NAME])
    for (const [name] of text.matchAll(pattern)) add(name.slice(0, name.indexOf(' ')).toLowerCase(), name);
  return names;
}

export const withoutArticle = (name: string): string => name.replace(/^The /, '');

/** Of two names of one thing the longer; null where they name two. */
export function longerOf(one: string, other: string): string | null {
  const [longer, shorter] = one.length < other.length ? [other, one] : [one, other];
  return ` ${longer}`.endsWith(` ${withoutArticle(shorter)}`) ? longer : null;
}
