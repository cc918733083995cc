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

  it.each(['Until what time may I cut the lawn on weekdays?', 'What is the fee if the owner returns before the vehicle was loaded?'])(
    'is shown nothing among many, where something is near to anything: %s',
    async (query) => {
      expect((await ask(many, { query }, { strategy: 'fused' })).citations).toEqual([]);
    },
  );
});
