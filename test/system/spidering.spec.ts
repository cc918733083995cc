import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventView } from '@lib/store/views/event.view';
import type { JobTopicsView } from '@lib/store/views/topic.view';
import { startSystem, type System } from './support/system';

const DOCUMENTS = {
  'harbour-lamps.md': `# Harbour lamps

Harbour lamps are trimmed every evening by the keeper of the pier. Before the harbour lamps are trimmed, the keeper reads the mercury gauge.

A harbour lamp that smokes is trimmed again.`,
  'mercury-gauge.md': `# Mercury gauge

The mercury gauge was made by Ida Holm in 1871. The glass tube of the mercury gauge holds two litres of mercury.

The mercury gauge stands in the north tower, and the watch repairs the mercury gauge every spring.`,
  'pier.md': '# Pier\n\nThe pier has four harbour lamps. Ships greet the harbour lamps with a bell.',
  'stores.md': '# Stores\n\nOil for the harbour lamps lies in the cellar. Wicks of harbour lamps are kept dry.',
};
const QUESTION = 'When are harbour lamps trimmed?';

describe.each([
  ['in one process', () => ({ providers: null })],
  [
    'over NATS',
    () => ({
      providers: null,
      environment: { NATS_URL: process.env.TEST_NATS_URL ?? '', NATS_PREFIX: `spidering-${randomBytes(6).toString('hex')}` },
    }),
  ],
])('spidering %s', (_, options) => {
  let system: System;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'spidering-'));
    const documents = join(folder, 'documents');
    mkdirSync(documents);
    for (const [name, text] of Object.entries(DOCUMENTS)) writeFileSync(join(documents, name), text);
    const { environment = {}, ...rest } = options() as { environment?: Record<string, string> };
    system = await startSystem({ ...rest, environment: { ...environment, CORPUS_DIR: documents } });
  });
  afterAll(async () => {
    await system.stop();
    rmSync(folder, { recursive: true });
  });

  const research = (spidering: boolean) =>
    system.client.research({ message: QUESTION, providers: ['provider-a', 'provider-b'], spidering, budget: 'L' });
  const planned = (events: readonly EventView[]) => events.filter(({ type }) => type === 'TopicsPlanned').map(({ facts }) => facts);

  it('follows what several reports mention with steps of its own, and finds what the question alone did not', async () => {
    const plain = await research(false);
    expect(plain.steps).toHaveLength(2);
    expect(JSON.stringify(plain)).not.toContain('Ida Holm');

    const job = await research(true);
    expect(job).toMatchObject({ status: 'completed', totalCustomerCostCents: 0 });
    expect(job.steps.length).toBeGreaterThan(2);
    expect(job.steps.slice(2).some(({ reportMarkdown }) => reportMarkdown.includes('Ida Holm'))).toBe(true);
    expect(job.synthesisMarkdown).toContain('Ida Holm');
  });

  it('records its tree and why it stopped, without content', async () => {
    const job = await research(true);
    const events = await system.client.events(job.threadId, job.id);
    const rounds = planned(events) as { round: number; topics: { topic: number; steps: { stepId: string }[] }[]; stopReason: string }[];
    const topicSteps = rounds.flatMap(({ topics }) => topics.flatMap(({ steps }) => steps.map(({ stepId }) => stepId)));
    expect(topicSteps).toEqual(job.steps.slice(2).map(({ id }) => id));
    expect(rounds.map(({ round }) => round)).toEqual(rounds.map((__, place) => place + 1));
    const times = events.filter(({ type }) => type === 'TopicsPlanned').map(({ occurredAt }) => occurredAt);
    expect(job.steps.map(({ createdAt }) => createdAt)).toEqual([
      ...[job.createdAt, job.createdAt],
      ...rounds.flatMap(({ topics }, round) => topics.flatMap(({ steps }) => steps.map(() => times[round]))),
    ]);
    expect(['no_topics', 'rounds']).toContain(rounds.at(-1)?.stopReason);
    expect(JSON.stringify(events)).not.toContain('mercury');
  });

  it('shows the tree to whoever may see the job, and to nobody else', async () => {
    const job = await research(true);
    const path = `/v1/threads/${job.threadId}/jobs/${job.id}/topics`;
    const { explored, stopReason } = await system.client.expect<JobTopicsView>(200, 'GET', path);
    expect(explored[0]).toEqual({
      topic: 1,
      parent: null,
      round: 1,
      text: 'mercury gauge',
      rationale: '“mercury gauge” is mentioned by provider-a, provider-b in 2 sentences, and no report goes into it.',
      stepIds: [job.steps[2]?.id, job.steps[3]?.id],
    });
    expect(stopReason).not.toBeNull();
    const stranger = system.client.withKey(await system.keyOf('stranger'));
    expect((await stranger.send('GET', path)).status).toBe(404);
  });

  it('is recorded and echoed, and does nothing where it was not asked for', async () => {
    const thread = await system.client.createThread({ message: QUESTION, spidering: true });
    expect(thread.job.spideringEnabled).toBe(true);
    const job = await research(false);
    const types = (await system.client.events(job.threadId, job.id)).map(({ type }) => type);
    expect(types).not.toContain('ExploreStarted');
  });
});
