import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordedClaim } from '@lib/domain/job/recorded-report';
import type { JobView } from '@lib/store/views/job.view';
import { openStore, type Store } from '@lib/store/store';
import { synthesize } from '@lib/synthesis/synthesize';
import type { Synthesis, SynthesisInput } from '@lib/synthesis/synthesis';
import { expectVerbatim, marksOf } from '../synthesis/steps';
import { FAILING } from './support/providers-file';
import { startSystem, type System } from './support/system';

let system: System;
let store: Store;

async function start(options: Parameters<typeof startSystem>[0]): Promise<void> {
  system = await startSystem(options);
  const { DATABASE_URL: databaseUrl = '', MASTER_KEY: masterKey = Buffer.of(), LEASE_MS: leaseMs } = system.env;
  store = openStore({ databaseUrl, connections: 1, masterKeys: [masterKey], leaseMs, redispatchFirstMs: 1 });
}
async function stop(): Promise<void> {
  await store.close();
  await system.stop();
}

/** `type provider` of every event that tells of a step. */
async function stepEvents(job: JobView): Promise<string[]> {
  const events = await system.client.events(job.threadId, job.id);
  const providers = new Map(job.steps.map(({ id, provider }) => [id, provider]));
  return events.flatMap(({ type, facts }) => (typeof facts.stepId === 'string' ? [`${type} ${providers.get(facts.stepId)}`] : []));
}

/** What the job recorded of its synthesis: the claims with the evidence that the contract does not show. */
async function recordedSynthesis(job: JobView): Promise<Synthesis> {
  const events = await system.client.events(job.threadId, job.id);
  const last = events.find(({ type }) => type === 'JobCompleted');
  const content = await store.contents.ofJob(job.id, job.threadId).synthesis({ synthesisVersion: last?.version ?? 0 });
  if (!content) throw new Error(`${job.id} has recorded no synthesis`);
  return { ...content, synthesizer: String(last?.facts.synthesizer) };
}

const inputOf = (job: JobView): SynthesisInput => ({
  query: job.query,
  mode: 'fast',
  tier: job.budgetTier,
  steps: job.steps.map((step) => {
    const status = step.status as 'completed' | 'failed' | 'skipped';
    return { ...step, stepId: step.id, status, failure: null, truncated: false };
  }),
});

/** Every claim rests on sentences that stand in the reports, every mark names a source that a provider returned. */
async function expectTraceable(job: JobView): Promise<void> {
  const recorded = await recordedSynthesis(job);
  const { steps } = inputOf(job);
  expectVerbatim({ ...recorded, claims: recorded.claims }, steps);
  const providersOf = (evidence: RecordedClaim['supporting']) => [...new Set(evidence.map(({ provider }) => provider))].sort();
  expect(job.synthesisClaimsJson).toEqual(
    recorded.claims.map(({ claim, confidence, supporting, contradicting }) => ({
      claim,
      confidence,
      supportingProviders: providersOf(supporting),
      contradictingProviders: providersOf(contradicting),
    })),
  );
  const markdown = job.synthesisMarkdown ?? '';
  const { used, listed } = marksOf(markdown);
  expect([...new Set(used)].sort((a, b) => a - b)).toEqual(listed);
  const returned = steps.flatMap(({ citations }) => citations.map(({ url }) => url));
  const [, sources = ''] = markdown.split('\n## Sources\n');
  const urls = [...sources.matchAll(/^- \[\d+\] .*\(<(.*?)>\) \(/gm)].map(([, url]) => url);
  expect(urls).toHaveLength(listed.length);
  for (const url of urls) expect(returned).toContain(url);
}

describe('with simulated providers', () => {
  const slow = { latencyMs: 300 };
  beforeAll(() => start({ providers: { 'provider-a': slow, 'provider-c': slow, 'provider-e': slow, 'provider-b': FAILING } }));
  afterAll(stop);

  it('runs one wave strictly after the other in methodical mode, past one that failed', async () => {
    const providers = ['provider-c', 'provider-b', 'provider-e', 'provider-a'];
    const job = await system.client.research({ message: 'q', mode: 'methodical', budget: 'L', providers });
    expect(job.status).toBe('completed');
    expect(await stepEvents(job)).toEqual([
      'StepStarted provider-c',
      'StepCompleted provider-c',
      'StepStarted provider-b',
      'StepFailed provider-b',
      'StepStarted provider-e',
      'StepCompleted provider-e',
      'StepStarted provider-a',
      'StepCompleted provider-a',
    ]);
  });

  it('runs all providers at once in fast mode, and traces every claim', async () => {
    const job = await system.client.research({
      message: 'What did the reactor supply?',
      providers: ['provider-a', 'provider-c', 'provider-e', 'provider-b'],
    });
    const types = (await stepEvents(job)).map((event) => event.split(' ')[0]);
    expect(types.lastIndexOf('StepStarted')).toBeLessThan(types.indexOf('StepCompleted'));
    expect(job.synthesisClaimsJson?.length).toBeGreaterThan(0);
    await expectTraceable(job);
    expect(job.synthesisMarkdown).toContain('provider-b failed');
  });
});

describe('with documents', () => {
  let documents: string;

  beforeAll(async () => {
    documents = mkdtempSync(join(tmpdir(), 'research-documents-'));
    mkdirSync(join(documents, 'guide'));
    writeFileSync(
      join(documents, 'guide/lighthouse.md'),
      '# The lighthouse\n\nThe lighthouse of Kelm was built in 1874 by the harbour board. Its lamp burns whale oil until 1901.\n\n' +
        '## Keepers\n\nThe lighthouse of Kelm had three keepers who lived in the tower.\n',
    );
    writeFileSync(
      join(documents, 'history.txt'),
      'The harbour board of Kelm built the lighthouse in 1874.\n\nThe lighthouse of Kelm was automated in 1988.\n',
    );
    await start({ providers: null, environment: { CORPUS_DIR: documents } });
  });
  afterAll(async () => {
    await stop();
    rmSync(documents, { recursive: true, force: true });
  });

  it('answers from them, with every claim and every mark traceable to a document', async () => {
    const job = await system.client.research({ message: 'When was the lighthouse of Kelm built, and by whom?', budget: 'XL' });
    expect(job).toMatchObject({ status: 'completed', totalCustomerCostCents: 0 });
    expect(job.steps).toHaveLength(8);
    expect(job.synthesisMarkdown).toContain('1874');
    expect(job.synthesisClaimsJson?.some(({ supportingProviders }) => supportingProviders.length > 1)).toBe(true);
    await expectTraceable(job);
    for (const { url } of job.steps.flatMap(({ citations }) => citations)) {
      expect(url).toMatch(/^corpus:\/(guide\/lighthouse\.md|history\.txt)#L\d+-L\d+$/);
    }
    expect(JSON.stringify(job)).not.toContain(documents);
  });

  it('completes honestly without a claim where they do not answer', async () => {
    const job = await system.client.research({ message: 'How does quantum chromodynamics explain asymptotic freedom?', budget: 'L' });
    expect(job).toMatchObject({ status: 'completed', synthesisClaimsJson: [] });
    expect(job.synthesisMarkdown).toMatch(/No answer/);
    for (const { status, reportMarkdown, citations } of job.steps) {
      expect({ status, citations }).toEqual({ status: 'completed', citations: [] });
      expect(reportMarkdown).toContain('do not answer the question');
    }
  });

  it('synthesizes the same recorded steps into the same bytes', async () => {
    const job = await system.client.research({ message: 'Who kept the lighthouse of Kelm?', budget: 'L' });
    const again = synthesize(inputOf(job));
    expect(Buffer.from(again.markdown).equals(Buffer.from(job.synthesisMarkdown ?? ''))).toBe(true);
    expect(again).toEqual(await recordedSynthesis(job));
  });
});

describe('with documents of which none can be read', () => {
  let documents: string;

  beforeAll(async () => {
    documents = mkdtempSync(join(tmpdir(), 'research-unreadable-'));
    writeFileSync(join(documents, 'scan.txt'), '\0\0');
    await start({ providers: null, environment: { CORPUS_DIR: documents } });
  });
  afterAll(async () => {
    await stop();
    rmSync(documents, { recursive: true, force: true });
  });

  it('fails long before its deadline, and says why', async () => {
    const { status, steps } = await system.client.research({ message: 'When was the lighthouse built?', providers: ['provider-a'] });
    const why = 'The folder of documents (CORPUS_DIR) has no document that can be read: it is binary (1 file)';
    expect([status, steps.map(({ errorMessage }) => errorMessage)]).toEqual(['failed', [why]]);
  });
});
