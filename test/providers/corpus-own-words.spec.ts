import { ask } from './ask-corpus';
import { folderOf } from './corpus-folder';

const folder = folderOf({
  'travel.md':
    '# Travel\n\n## Flights\n\nBusiness class needs the written approval of the Chief Financial Officer, in every case.\n\n## Trains\n\nTrain tickets are second class.\n',
  'files.md':
    '# Files\n\n## Sending\n\nE-mail is allowed for confidential files only if they are encrypted.\n\n## Backups\n\nA folder is put back as it was on any day with the command restore and the day.\n',
  'tyres.md': '# Tyres\n\n## Pressure\n\nTyres are pumped up to 4 bar for a rider of over 85 kg, and to 3 bar for all others.\n',
});
const answered = async (query: string) => (await ask(folder, { query })).markdown;

it.each([
  ['a day', 'How do I put a folder back as it was on 1 February?', 'command restore'],
  ['a day in another order', 'How do I put a folder back as it was on February 1st, 2024?', 'command restore'],
  ['a quantity', 'How hard are the tyres pumped up for a rider of 90 kilos?', '4 bar'],
])('%s of the asker need not be in the documents', async (_, query, expected) => {
  const markdown = await answered(query);
  expect(markdown).toContain(expected);
  expect(markdown).not.toMatch(/do not (?:answer|mention)|not cover/);
});

it('a word is found however its parts are joined', async () => {
  for (const query of ['Is email allowed?', 'Is e-mail allowed?']) {
    const markdown = await answered(query);
    expect(markdown).toMatch(/^- .*encrypted/m);
    expect(markdown).not.toMatch(/do not (?:mention|cover)/);
  }
});
