import { readFile } from 'node:fs/promises';
import { KNOWN_WORDS_FILE, genderOfGivenName, readShippedWords, verbCertainty } from '@lib/language/known-words';

it('a build knows the words that the package ships: given names, of either gender alike, and base forms of verbs', async () => {
  const built = JSON.parse(await readFile(`dist/libs/language/${KNOWN_WORDS_FILE}`, 'utf8')) as unknown;
  expect(built).toEqual(readShippedWords());
  expect(['ada', 'marie', 'alan', 'josé', 'robin', 'constructor', 'harbour'].map(genderOfGivenName)).toEqual([
    'she',
    'she',
    'he',
    'he',
    undefined,
    undefined,
    undefined,
  ]);
  expect(['reheat', 'help', 'rice'].map(verbCertainty)).toEqual(['verb', 'verb or noun', undefined]);
});
