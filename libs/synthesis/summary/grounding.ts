import { stems, words } from '@lib/language/tokens';
import { readingOf } from '@lib/language/reading/read-text';

/** The words and numbers of some texts, which sentences may use. */
export interface Ground {
  stems: ReadonlySet<string>;
  words: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
  /** Words with a capital that does not only begin a sentence. */
  properWords: ReadonlySet<string>;
  text: string;
}

/** Runs of digits in any script, with their separators. */
const DIGITS = /\p{N}+(?:[.,:/]\p{N}+)*/gu;
/** Number words that `Reading` does not recognise. */
const NUMBER_NAME =
  /^(?:(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\w+)?|(?:hundred|thousand|million|billion|trillion|dozen)s?|hal(?:f|ves)|quarters?|twice|thrice|(?:doubl|tripl|quadrupl)(?:e|es|ed|ing))$/;
/** Names with dots, such as `example.org` or `reply.send`, which a reader may take for an address. */
const DOTTED_NAME = /[\p{L}\p{N}][\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]{2,})+/gu;
/** The name after words that cite an authority. */
const AUTHORITY =
  /\b(?:[Aa]ccording to|[Rr]eported by|[Ss]tated by|[Cc]iting|[Ss]ource:)\s+(?:the\s+)?(\p{Lu}[\p{L}\p{N}&.'’-]*(?:\s+(?:(?:of|the|for)\s+)*\p{Lu}[\p{L}\p{N}&.'’-]*)*)/gu;

export function groundOf(text: string): Ground {
  const said = words(text);
  const { properWords } = readingOf(text);
  return { stems: new Set(stems(text)), words: new Set(said), numbers: numbersOf(text, said), properWords, text: text.toLowerCase() };
}

export function together(grounds: readonly Ground[]): Ground {
  return {
    stems: new Set(grounds.flatMap((ground) => [...ground.stems])),
    words: new Set(grounds.flatMap((ground) => [...ground.words])),
    numbers: new Set(grounds.flatMap((ground) => [...ground.numbers])),
    properWords: new Set(grounds.flatMap((ground) => [...ground.properWords])),
    text: grounds.map(({ text }) => text).join('\n'),
  };
}

/** The numbers of a text that the ground lacks, in digits or in words. */
export function foreignNumbers({ numbers }: Ground, ground: Ground): string[] {
  return [...numbers].filter((number) => !ground.numbers.has(number));
}

/** Website names and authorities that the ground lacks. */
export function foreignNames(text: string, ground: Ground): string[] {
  const dotted = [...text.matchAll(DOTTED_NAME)].map(([name]) => name).filter((name) => !ground.text.includes(name.toLowerCase()));
  const authorities = [...text.matchAll(AUTHORITY)]
    .map(([, name = '']) => name)
    .filter((name) => !stems(name).every((stem) => ground.stems.has(stem)));
  return [...dotted, ...authorities];
}

/** The share of the text's meaningful words that the ground has, from 0 to 1. */
export function coverage({ stems: said }: Ground, ground: Ground): number {
  return said.size === 0 ? 0 : said.intersection(ground.stems).size / said.size;
}

/** Equal numbers have the same form: `1,000` and `1000`, and `3 million` and `3,000,000` if both are read as amounts. */
function numbersOf(text: string, said: readonly string[]): ReadonlySet<string> {
  const digits = text.normalize('NFKC').match(DIGITS) ?? [];
  return new Set([
    ...digits.map((number) => number.replace(/,(?=\p{N}{3}(?!\p{N}))/gu, '')),
    ...readingOf(text).numbers,
    ...said.filter((word) => NUMBER_NAME.test(word)),
  ]);
}
