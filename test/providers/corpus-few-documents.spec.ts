import { ask } from './ask-corpus';
import { folderOf, MANY_DOCUMENTS } from './corpus-folder';

const FEW = {
  'brokers.md': '# Brokers\n\n## Load test\n\nMedian latency: Heron 3 ms, Egret 9 ms.\n\n## Prices\n\nBoth are free.\n',
  'lawns.md': '# Lawns\n\nMowers are allowed until 20:00 on working days.\n',
  'towing.md': '# Towing\n\nIf the driver comes back before the car is loaded, half of the charge is due.\n',
};

describe('a question in other words than those of the documents', () => {
  const [few, many] = [folderOf(FEW), folderOf({ ...FEW, ...MANY_DOCUMENTS })];

  it.each([
    ['Which of the broker candidates had the lowest delay in the load test?', 'Median latency: Heron 3 ms'],
    ['Until what time may I cut the lawn on weekdays?', 'Mowers are allowed until 20:00'],
    ['What is the fee if the owner returns before the vehicle was loaded?', 'half of the charge is due'],
  ])('is shown what comes closest among few documents: %s', async (query, closest) => {
    const { markdown } = await ask(few, { query }, { strategy: 'fused' });
    expect(markdown.split('## Further passages')[1]).toContain(closest);
  });

  it.each([
    ['Until what time may I cut the lawn on weekdays?', 'Mowers are allowed until 20:00'],
    ['What is the fee if the owner returns before the vehicle was loaded?', 'half of the charge is due'],
  ])('is shown what means the same also among many, and nothing else: %s', async (query, closest) => {
    const { citations } = await ask(many, { query }, { strategy: 'fused' });
    expect(citations.map(({ snippet }) => snippet)).toEqual([expect.stringContaining(closest)]);
  });

  const DISTRACTING = {
    'box.md': '# Box\n\nThe money box stands at the back of the hall.\n',
    'returns.md': '# Returns\n\nRefunds are paid within 14 days after goods were sent in.\n',
    'hall.md': '# Hall\n\nGuests get to the hall by the back door.\n',
  };

  it('has what means the same before what has the same words', async () => {
    const folder = folderOf({
      'box.md': '# The money box\n\nThe money box stands at the back of the hall.\n',
      'returns.md': '# Returns\n\nThe shop pays the money back within 14 days after goods were sent in.\n',
    });
    const { markdown } = await ask(folder, { query: 'How do I get my money back?' }, { strategy: 'fused' });
    const [paid, box] = ['The shop pays', 'The money box stands'].map((text) => markdown.indexOf(text)) as [number, number];
    expect(paid).toBeGreaterThan(0);
    expect(box).toBeGreaterThan(paid);
  });

  it.each([
    ['', 'What does it cost to replace a lost key?'],
    [
      ' behind a long story',
      `${'We moved here in spring with two children, a dog and more boxes than there is place for. '.repeat(8)}What does it cost to replace a lost key?`,
    ],
  ])('has what answers before what only has the words of the question%s', async (_, query) => {
    const files = {
      'a.md': '# Keys\n\nWhat a key costs is what the locksmith asks. A lost key is to be reported.\n',
      'b.md': '# Charges\n\nReplacement of keys: 40 euros each.\n',
    };
    const { citations } = await ask(folderOf(files), { query }, { strategy: 'fused' });
    expect(citations.map(({ url }) => url.slice(0, 13))).toEqual(['corpus:/b.md#', 'corpus:/a.md#']);
  });

  it('is found by its meaning alone, by the strategies that look for meanings', async () => {
    const folder = folderOf(DISTRACTING);
    const found = async (strategy: 'dense' | 'fused' | 'lexical'): Promise<string> =>
      (await ask(folder, { query: 'How do I get my money back?' }, { strategy, breadth: 1 })).markdown;
    expect(await found('dense')).toContain('Refunds are paid');
    expect(await found('fused')).toContain('Refunds are paid');
    expect(await found('lexical')).not.toContain('Refunds are paid');
  });
});

describe('a question for what nothing of the kind is said of', () => {
  const folder = folderOf({
    'contacts.md': '# Nurse\n\nThe nurse of the school is Ms Venn.\n\n# Office\n\nThe school office answers the phone on 01632 960 415.\n',
    'library.md': '# Library\n\nBooks of the library are lent for three weeks.\n\nA lost book of the library costs 12 euros.\n',
    'hall.md': '# Hall\n\nThe hall is hired by clubs on Friday evenings.\n',
    'years.md': '# Reports\n\n## 2023\n\nIn 2023 the library lent 4,100 books.\n\n## Staff\n\nMr Orr came in May 2024.\n',
  });
  const isDeclined = async (query: string): Promise<boolean> =>
    (await ask(folder, { query }, { strategy: 'fused' })).markdown.includes('do not answer the question');

  it.each([
    ['What is the phone number of the school office?', false],
    ['What is the phone number of Ms Venn, the nurse?', true],
    ['How much does a lost book of the library cost?', false],
    ['How much is the fee for clubs that hire the hall on Friday evenings?', true],
    ['How many books did the library lend in 2023?', false],
    ['How many books did the library lend in 2024?', true],
  ])('is declined: %s %s', async (query, declined) => {
    expect(await isDeclined(query)).toBe(declined);
  });
});
