import { stemOrStopWord } from '@lib/language/reading/lexicon';

/** Verbs for deeds with one doer, or a few together, by their stems; synonyms share a name. */
export const DEEDS: ReadonlyMap<string, string> = new Map(
  `creation: make build create invent develop construct; designing: design; discovery: discover; founding: found; writing: write author compose; showing: show;
chairing: chair; direction: direct; piloting: pilot; editing: edit; translation: translate;
purchase: acquire buy; killing: kill murder; replacing: replace succeed; coining: coin; painting: paint; beating: defeat beat`
    .split(/[;]\s*/)
    .flatMap((line) => {
      const [name = '', verbs = ''] = line.split(': ');
      return verbs.split(' ').map((verb): [string, string] => [stemOrStopWord(verb), name]);
    }),
);
/** "Found" is also a form of "find". */
export const UNSURE = 'found';
/** Nouns for deeds, used before "of". */
export const DEED_NOUNS: ReadonlyMap<string, string> = new Map([
  ['purchase', 'purchase'],
  ['acquisition', 'purchase'],
  ['takeover', 'purchase'],
  ['buyout', 'purchase'],
]);
