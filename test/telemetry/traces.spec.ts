import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { eventually } from '../messaging/eventually';
import { isEvent } from '../support/logs';
import { QUICK, SLOW } from '../support/simulated-providers';
import { Supervisor } from '../support/supervisor';
import { Collector, type ExportedSpan } from './collector';
import { sampleOf, scrape } from './scrape';

jest.setTimeout(180_000);

const SECRET_HEADER = `Bearer ${randomBytes(12).toString('hex')}`;
const word = (): string => `canary${randomBytes(8).toString('hex')}`;

/** Real processes of each role, a broker, a database, and whoever takes their spans. */
let supervisor: Supervisor;
let collector: Collector;
let environment: Record<string, string>;
/** What people wrote and providers answered. */
const written: string[] = [];

beforeAll(async () => {
  [supervisor, collector] = await Promise.all([Supervisor.start(), Collector.start()]);
  environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${encodeURIComponent(SECRET_HEADER)}`,
    WORKER_SLOTS: '1',
  };
});
afterAll(async () => {
  await supervisor?.close();
  await collector?.close();
});

async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const type = body ? { 'content-type': 'application/json' } : {};
  const response = await fetch(`${supervisor.apiAddresses()[0]}${path}`, {
    method,
    headers: { authorization: `Bearer ${supervisor.apiKey}`, ...type, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Record<string, unknown>;
}

async function create(provider: string, headers: Record<string, string> = {}): Promise<{ threadId: string; jobId: string }> {
  const message = `What of ${word()}?`;
  written.push(message);
  const { id, job } = await call('POST', '/v1/threads', { message, providers: [provider] }, headers);
  return { threadId: String(id), jobId: String((job as { id: string }).id) };
}

async function finish({ threadId, jobId }: { threadId: string; jobId: string }): Promise<void> {
  await eventually('completed', async () => String((await call('GET', `/v1/threads/${threadId}/jobs/${jobId}`)).status), 90_000);
  const { steps } = (await call('GET', `/v1/threads/${threadId}/jobs/${jobId}`)) as unknown as {
    steps: { reportMarkdown: string; citations: { url: string }[] }[];
  };
  for (const { reportMarkdown, citations } of steps)
    written.push(...reportMarkdown.split('\n').filter((line) => line.length > 30), ...citations.map(({ url }) => url));
}

/** The spans of the trace that the job's history names. */
async function traceOf(jobId: string, isWhole: (spans: ExportedSpan[]) => boolean): Promise<ExportedSpan[]> {
  const { rows } = await supervisor.pool.query<{ traceId: string }>(
    `select distinct facts ->> 'traceId' as "traceId" from event where stream_id = $1`,
    [jobId],
  );
  expect(rows).toHaveLength(1);
  const spans = (): ExportedSpan[] => collector.spans.filter(({ traceId }) => traceId === rows[0]?.traceId);
  await eventually(true, async () => isWhole(spans()), 20_000).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${shape(spans()).join('\n')}`);
  });
  return spans();
}

/** Each span as its way from the request down: `POST /v1/threads > commit > send work.step`. */
const shape = (spans: readonly ExportedSpan[]): string[] => spans.map((span) => wayTo(span, spans)).sort();

function wayTo(span: ExportedSpan, spans: readonly ExportedSpan[]): string {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  if (span.parentSpanId !== '' && !parent) return `? > ${span.name}`;
  return parent ? `${wayTo(parent, spans)} > ${span.name}` : span.name;
}

/** The wake-up that led to what was done. */
const wakeUpOf = (handling: ExportedSpan | undefined, spans: readonly ExportedSpan[]): ExportedSpan | undefined =>
  spans.find(({ spanId }) => spanId === handling?.links[0]?.spanId);

const the = (spans: readonly ExportedSpan[], name: string, attributes: Record<string, unknown> = {}): ExportedSpan => {
  const found = spans.filter(
    (span) => span.name === name && Object.entries(attributes).every(([key, value]) => span.attributes[key] === value),
  );
  expect(found).toHaveLength(1);
  return found[0] as ExportedSpan;
};

const isOver = (spans: readonly ExportedSpan[]) =>
  spans.some(({ attributes }) => String(attributes['research.events']).includes('JobCompleted'));
const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

it('lead from the request over the commit, each wake-up, the claim, the provider and the report to the summary, also when a wake-up comes twice', async () => {
  await Promise.all((['api', 'worker', 'synthesizer'] as const).map((role) => supervisor.start(role, environment)));
  // Nobody answers its claim, which is asked for three times: the wake-up goes back, and comes again.
  const refused = supervisor.logs.next(({ reason, tries }) => reason === 'claim_unanswered' && tries === 3);
  const job = await create(QUICK, { traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01` });
  await refused;
  await supervisor.start('saga', environment);
  await finish(job);
  const attempt = 'POST /v1/threads > process work.step';
  const summaryWay = `${attempt} > report > commit > send work.synthesis`;
  const wanted = [
    'POST /v1/threads > commit > send work.step',
    `${attempt} > claim > commit`,
    `${attempt} > research`,
    summaryWay,
    'POST /v1/threads > process work.synthesis > commit',
  ];
  // Each process exports in its own time.
  const isWhole = (all: ExportedSpan[]): boolean => {
    const ways = shape(all);
    const isWoken = [1, 2].every((deliveries) => all.some(({ attributes }) => attributes['research.deliveries'] === deliveries));
    const handled = all.filter(({ name }) => name.startsWith('process '));
    return (
      isWoken &&
      handled.every((one) => wakeUpOf(one, all)) &&
      wanted.every((way) => ways.includes(way)) &&
      !ways.some((way) => way.startsWith('?'))
    );
  };
  const spans = await traceOf(job.jobId, isWhole);

  const request = the(spans, 'POST /v1/threads');
  expect(request).toMatchObject({ parentSpanId: '', roles: 'api', links: [CALLER], attributes: { 'http.response.status_code': 201 } });
  expect(request.traceId).not.toBe(CALLER.traceId);
  const ways = shape(spans);
  for (const way of wanted) expect(ways).toContain(way);
  expect(ways.filter((way) => way.startsWith('?'))).toEqual([]);

  const wakeUps = spans.filter(({ name }) => name === 'send work.step').map(({ traceId, spanId }) => ({ traceId, spanId }));
  const handled = spans.filter(({ name }) => name === 'process work.step');
  expect(handled.map(({ attributes }) => attributes['research.deliveries'])).toEqual(expect.arrayContaining([1, 2]));
  for (const { links, roles } of handled) {
    expect(roles).toBe('worker');
    expect(wakeUps).toContainEqual(links[0]);
  }
  // A sweeper may send another one where the summary takes long.
  const [summary, ...others] = spans.filter((span) => wayTo(span, spans) === summaryWay);
  expect(others).toEqual([]);
  expect(summary?.attributes).toMatchObject({ 'research.dispatched': 'queued' });
  expect(spans.filter(({ name }) => name === 'process work.synthesis')).toContainEqual(
    expect.objectContaining({ roles: 'synthesizer', links: [{ traceId: summary?.traceId, spanId: summary?.spanId }] }),
  );
  const research = the(spans, 'research');
  expect(research.attributes).toMatchObject({ 'research.provider': QUICK, 'research.attempt': 1, 'research.outcome': 'completed' });
  expect(research.took).toBeGreaterThanOrEqual(100);
  // What a provider is told leads to no event.
  expect(research.links).toHaveLength(1);
  expect(research.links[0]?.traceId).not.toBe(request.traceId);
  expect(new Set(collector.headers.map(({ authorization }) => authorization))).toEqual(new Set([SECRET_HEADER]));
});

it('go on in the same trace where a worker dies and another attempt follows', async () => {
  const started = supervisor.logs.next(isEvent('StepStarted'));
  const job = await create(SLOW);
  await started;
  await supervisor.the('worker').kill();
  await supervisor.start('worker', environment);
  await finish(job);
  const wanted = ['StepStarted', 'StepAttemptLost', 'StepCompleted,SynthesisStarted'];
  const commitsOf = (all: ExportedSpan[]) =>
    all.filter(({ name }) => name === 'commit').map(({ attributes }) => attributes['research.events']);
  const wakeUpOfSecond = (all: ExportedSpan[]) => {
    const second = all.find(({ name, attributes }) => name === 'research' && attributes['research.attempt'] === 2);
    return wakeUpOf(
      all.find(({ spanId }) => spanId === second?.parentSpanId),
      all,
    );
  };
  // Each process exports in its own time.
  const isWhole = (all: ExportedSpan[]) =>
    isOver(all) && wanted.every((events) => commitsOf(all).includes(events)) && wakeUpOfSecond(all) !== undefined;
  const spans = await traceOf(job.jobId, isWhole);
  expect(commitsOf(spans)).toEqual(expect.arrayContaining(wanted));
  the(spans, 'research', { 'research.attempt': 2 });
  const wakeUp = wakeUpOfSecond(spans);
  // The first wake-up again, which its dead worker never acknowledged, or that of the commit that lost the attempt, or a sweeper's.
  expect(shape(spans.filter((span) => span === wakeUp || span.name !== 'send work.step'))).toEqual(
    expect.arrayContaining([expect.stringMatching(/^POST \/v1\/threads > (commit > )?send work.step$/)]),
  );
  expect(['api', 'saga']).toContain(wakeUp?.roles);
  // Those of the dead worker died with it; whatever is there hangs together but for them.
  const orphans = shape(spans).filter((way) => way.startsWith('?'));
  expect(orphans.every((way) => /^\? > commit/.test(way))).toBe(true);
});

it('are named in the lines of the log', async () => {
  const traced = new Set(supervisor.logs.lines.map(({ text }) => (JSON.parse(text) as { traceId?: string }).traceId));
  for (const { traceId } of collector.spans.filter(({ name }) => name === 'POST /v1/threads')) expect(traced).toContain(traceId);
});

it('hold nothing that people wrote or providers answered, and no key', async () => {
  const exported = collector.bodies.join('\n');
  expect(written.length).toBeGreaterThan(5);
  expect(exported).toContain('POST /v1/threads');
  for (const text of [...written, ...supervisor.secretTexts, 'default']) expect(exported).not.toContain(text);
  // The caller's own ids stand in the link alone, and in no event.
  expect(collector.spans.filter(({ traceId }) => traceId === CALLER.traceId)).toEqual([]);
  const { rows } = await supervisor.pool.query(`select from event where event::text like '%' || $1 || '%'`, [CALLER.traceId]);
  expect(rows).toEqual([]);
});

it('cost nothing where they are off: nothing of OpenTelemetry is loaded', async () => {
  const NODE_OPTIONS = `--require ${join(__dirname, 'loaded-modules.cjs')}`;
  const off = await supervisor.start('webhooks', { NODE_OPTIONS });
  const on = await supervisor.start('webhooks', { NODE_OPTIONS, ...environment });
  expect(await off.ask({ loaded: '@opentelemetry/exporter' })).toEqual([]);
  expect(await on.ask({ loaded: '@opentelemetry/exporter' })).toEqual(
    expect.arrayContaining([expect.stringContaining('exporter-trace-otlp-http')]),
  );
});

it('never slow or fail a request where the collector is gone, and what was not exported is counted', async () => {
  const refusing = await Collector.start(400);
  const warned = supervisor.logs.next(({ reason }) => reason === 'spans_not_exported');
  for (const role of ['api', 'saga'] as const) await supervisor.the(role).kill();
  await supervisor.start('saga', { OTEL_EXPORTER_OTLP_ENDPOINT: refusing.url });
  const adminOf = supervisor.logs.next(({ reason }) => reason === 'admin');
  await supervisor.start('api', { OTEL_EXPORTER_OTLP_ENDPOINT: refusing.url, ADMIN_PORT: '0' });
  await finish(await create(QUICK));
  await warned;
  const address = String((await adminOf).address);
  await eventually(true, async () => sampleOf(await scrape(address), 'research_trace_spans_total', { outcome: 'failed' }) > 0, 20_000);
  expect(sampleOf(await scrape(address), 'research_trace_spans_total', { outcome: 'exported' })).toBe(0);
  await refusing.close();
});
