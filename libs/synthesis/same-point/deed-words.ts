import { stemOrStopWord } from '@lib/language/reading/lexicon';

/** Verbs of what one does, or few together, by their stems; what means the same has one name. */
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
/** Also a form of "find". */
export const UNSURE = 'found';
/** Nouns of a deed, before "of". */
export const DEED_NOUNS: ReadonlyMap<string, string> = new Map([
  ['purchase', 'purchase'],
  ['acquisition', 'purchase'],
  ['takeover', 'purchase'],
  ['buyout', 'purchase'],
]);
