import { readFile } from 'node:fs/promises';
import { KNOWN_NAMES_FILE, genderOfGivenName, readShippedNames } from '@lib/language/known-names';

it('a build knows the given names that the package ships, of either gender alike', async () => {
  const built = JSON.parse(await readFile(`dist/libs/language/${KNOWN_NAMES_FILE}`, 'utf8')) as unknown;
  expect(built).toEqual(readShippedNames());
  expect(['ada', 'marie', 'alan', 'josé', 'robin', 'constructor', 'harbour'].map(genderOfGivenName)).toEqual([
    'she',
    'she',
    'he',
    'he',
    undefined,
    undefined,
    undefined,
  ]);
});
