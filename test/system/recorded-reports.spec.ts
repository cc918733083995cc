import { recordedName } from '@lib/providers/simulated/recorded-reports';

import { folderOf } from '../providers/corpus-folder';
import { startSystem, type System } from './support/system';

const QUESTION = 'When was the lighthouse of Kelm built, and by whom?';
const reports = folderOf({
  [recordedName('provider-a', QUESTION)]:
    'The lighthouse of Kelm was built in 1874 by Ada Brandt [1].\n\n## References\n\n1. [Kelm](https://kelm.example/history)\n',
  [recordedName('provider-c', QUESTION)]:
    'The lighthouse of Kelm was built in 1874 by Ada Brandt [^1].\n\n[^1]: https://harbours.example/kelm\n',
});

describe('recorded reports, sent through the service', () => {
  let system: System;
  beforeAll(async () => {
    system = await startSystem({ providers: { 'provider-a': { reports }, 'provider-c': { reports }, 'provider-e': { reports } } });
  });
  afterAll(() => system.stop());

  it('become steps with their sources and claims of the providers, past one that has no report', async () => {
    const job = await system.client.research({ message: QUESTION, providers: ['provider-a', 'provider-c', 'provider-e'] });
    expect(job.status).toBe('completed');
    const steps = new Map(job.steps.map((step) => [step.provider, step]));
    expect(steps.get('provider-a')).toMatchObject({
      status: 'completed',
      reportMarkdown: 'The lighthouse of Kelm was built in 1874 by Ada Brandt [1].',
      citations: [{ index: 1, url: 'https://kelm.example/history', title: 'Kelm', domain: 'kelm.example' }],
    });
    expect(steps.get('provider-c')).toMatchObject({ status: 'completed', citations: [{ url: 'https://harbours.example/kelm' }] });
    expect(steps.get('provider-e')).toMatchObject({
      status: 'failed',
      errorMessage: expect.stringContaining(
        `${recordedName('provider-e', QUESTION)} in the folder of the option "reports" is missing`,
      ) as string,
    });
    expect(job.synthesisClaimsJson).toContainEqual(
      expect.objectContaining({ supportingProviders: ['provider-a', 'provider-c'], contradictingProviders: [] }),
    );
    expect(JSON.stringify(job)).not.toContain(reports);
  });
});
