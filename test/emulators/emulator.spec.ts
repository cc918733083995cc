import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Emulator, type EmulatorOptions } from '../../emulators/emulator';
import type { LedgerLine } from '../../emulators/ledger';
import type { Wire } from '../../emulators/wire';
import { atOnceWire, plainWire, streamedWire, type Described } from './plain-wire';

const opened: Emulator[] = [];
afterEach(() => Promise.all(opened.splice(0).map((emulator) => emulator.stop())));

async function start(wire: Wire = plainWire, options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = new Emulator('plain', wire, options);
  await emulator.listen();
  opened.push(emulator);
  return emulator;
}

const HEADERS = { authorization: 'Bearer secret', 'content-type': 'application/json' };
const ask = (emulator: Emulator, body: object = {}, signal?: AbortSignal): Promise<Response> =>
  fetch(`${emulator.url}/runs`, { method: 'POST', headers: HEADERS, body: JSON.stringify({ question: 'What?', ...body }), signal });
const look = (emulator: Emulator, id: string): Promise<Response> => fetch(`${emulator.url}/runs/${id}`, { headers: HEADERS });
const calls = (emulator: Emulator): LedgerLine['call'][] => emulator.ledger.read().map(({ call }) => call);
const written = (emulator: Emulator, call: LedgerLine['call']): Promise<void> =>
  emulator.ledger.until((lines) => lines.some((line) => line.call === call), AbortSignal.timeout(5000));

/** The answer to a run's first look after it has ended. */
async function ended(emulator: Emulator, body: object = {}): Promise<Described> {
  const { id } = (await (await ask(emulator, body)).json()) as { id: string };
  await written(emulator, 'charge');
  return (await (await look(emulator, id)).json()) as Described;
}

describe('an emulated run', () => {
  it('is accepted, works, ends by itself and is billed once, also if nobody asks', async () => {
    const emulator = await start();
    const accepted = (await (await ask(emulator, { step: 'stp_1' })).json()) as { id: string; state: string };
    expect(accepted).toMatchObject({ id: expect.stringMatching(/^run_/), state: 'running' });
    await written(emulator, 'charge');
    expect(calls(emulator)).toEqual(['submit', 'charge']);
    const line = { api: 'plain', runId: accepted.id, stepId: 'stp_1', at: expect.any(String) as string };
    expect(emulator.ledger.read()).toEqual([
      { ...line, call: 'submit', question: 'What?', chargedMicros: 0 },
      { ...line, call: 'charge', question: null, chargedMicros: emulator.chargedMicros },
    ]);
    expect(emulator.chargedMicros).toBeGreaterThan(0);
  });

  it('tells its result with what it cost, and sources where the text has their marks', async () => {
    const emulator = await start();
    const { state, report, usage, micros } = await ended(emulator);
    expect(state).toBe('completed');
    expect(micros).toBe(emulator.chargedMicros);
    expect(usage && plainWire.price(usage, { question: '', model: null, stepId: null })).toBe(micros);
    for (const { number, mark, statement } of report.citations) {
      expect(report.text.slice(mark.start, mark.end)).toBe(` [${number}]`);
      expect(report.text.slice(statement.start, statement.end)).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('stays within the limits of its request', async () => {
    const { usage } = await ended(await start(), { limit: 90 });
    expect(usage?.outputTokens).toBe(90);
  });

  it('can be cancelled, and is billed for half', async () => {
    const emulator = await start(plainWire, { workMs: 60_000 });
    const { id } = (await (await ask(emulator)).json()) as { id: string };
    const cancelled = await fetch(`${emulator.url}/runs/${id}/cancel`, { method: 'POST', headers: HEADERS });
    expect(await cancelled.json()).toMatchObject({ state: 'cancelled' });
    expect(calls(emulator)).toEqual(['submit', 'cancel', 'charge']);
    expect(emulator.chargedMicros).toBeGreaterThan(0);
  });

  it('ends with the connection where the API has nothing else to stop it', async () => {
    for (const wire of [atOnceWire, streamedWire]) {
      const emulator = await start(wire, { workMs: 60_000 });
      const controller = new AbortController();
      const answer = ask(emulator, {}, controller.signal).then((response) => response.text());
      await written(emulator, 'submit');
      controller.abort();
      await expect(answer).rejects.toThrow();
      await written(emulator, 'charge');
      expect(calls(emulator)).toEqual(['submit', 'disconnect', 'charge']);
    }
  });

  it('answers at once or as a stream where the API does', async () => {
    expect(await (await ask(await start(atOnceWire))).json()).toMatchObject({ state: 'completed' });
    const text = await (await ask(await start(streamedWire))).text();
    expect(text).toMatch(/^event: created\ndata: \{"id":"run_\w+"\}\n\nevent: ended\ndata: \{.*"state":"completed".*\}\n\n$/s);
  });

  it('is written to the ledger file before it is answered', async () => {
    const ledgerFile = join(mkdtempSync(join(tmpdir(), 'emulator-')), 'ledger');
    const emulator = await start(plainWire, { ledgerFile, workMs: 60_000 });
    await ask(emulator);
    expect(JSON.parse(readFileSync(ledgerFile, 'utf8'))).toEqual(emulator.ledger.read()[0]);
  });
});

describe('a request', () => {
  it.each([
    ['without a key', '/runs', {}, 401],
    ['with a key in its address', '/runs?key=secret', HEADERS, 400],
    ['to nowhere', '/elsewhere', HEADERS, 404],
    ['that cannot be read', '/runs', HEADERS, 400],
  ])('%s is refused in the words of the API', async (_, path, headers, status) => {
    const emulator = await start();
    const response = await fetch(emulator.url + path, { method: 'POST', headers, body: '{}' });
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error: { status, message: expect.any(String), type: 'error' } });
    expect(emulator.chargedMicros).toBe(0);
  });

  it('needs the right key where one was set', async () => {
    expect((await ask(await start(plainWire, { key: 'another' }))).status).toBe(401);
    expect((await ask(await start(plainWire, { key: 'secret' }))).status).toBe(200);
  });
});

describe('a behaviour', () => {
  it('is an error status with the time to wait, and no run', async () => {
    const emulator = await start();
    emulator.behave('429 retry-after=2 type=insufficient_quota');
    const response = await ask(emulator);
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '2']);
    expect(await response.json()).toMatchObject({ error: { type: 'insufficient_quota' } });
    expect(emulator.ledger.read()).toMatchObject([{ call: 'submit', runId: null, chargedMicros: 0 }]);
  });

  it('may show for the first requests only', async () => {
    const emulator = await start();
    emulator.behave('500 times=2');
    const statuses = [await ask(emulator), await ask(emulator), await ask(emulator)].map(({ status }) => status);
    expect(statuses).toEqual([500, 500, 200]);
  });

  it('may show for the first polls of a run only', async () => {
    const emulator = await start();
    emulator.behave('503 on=poll times=2');
    const { id } = (await (await ask(emulator)).json()) as { id: string };
    const statuses = [await look(emulator, id), await look(emulator, id), await look(emulator, id)].map(({ status }) => status);
    expect(statuses).toEqual([503, 503, 200]);
  });

  it('can be asked for in the question, for one API of several, once for each step', async () => {
    const emulator = await start();
    const question = 'Why? [[emulate:503 api=plain times=1]] [[emulate:400 api=other]]';
    const statuses = [];
    for (const step of ['one', 'one', 'two']) statuses.push((await ask(emulator, { question, step })).status);
    expect(statuses).toEqual([503, 200, 503]);
  });

  it.each([
    ['refusal', { state: 'completed', refusal: expect.any(String) }],
    ['fails', { state: 'failed', failure: { code: 'server_error' } }],
    ['truncated', { state: 'incomplete' }],
    ['empty', { report: { text: '', citations: [] } }],
    ['no-citations', { report: { citations: [] } }],
    ['cost as=negative', { micros: expect.any(Number) }],
    ['cost as=nan', { micros: 'NaN' }],
    ['usage as=nan', { usage: { inputTokens: 'NaN' } }],
  ])('%s is told in the result', async (behaviour, expected) => {
    const emulator = await start();
    emulator.behave(behaviour);
    expect(await ended(emulator)).toMatchObject(expected);
  });

  it('leaves the cost out, or makes it huge', async () => {
    const emulator = await start();
    emulator.behave('cost as=missing, usage as=missing');
    expect(await ended(emulator)).not.toHaveProperty('micros');
    const other = await start();
    other.behave('overcharge usd=70');
    expect((await ended(other)).micros).toBeGreaterThanOrEqual(70_000_000);
  });

  it('gives ten thousand sources, or sources outside of the text', async () => {
    const emulator = await start();
    emulator.behave('citations');
    expect((await ended(emulator)).report.citations).toHaveLength(10_000);
    const other = await start();
    other.behave('citations-out-of-range');
    const { text, citations } = (await ended(other)).report;
    for (const { mark } of citations) expect(mark.start < 0 || mark.end > text.length || mark.end < mark.start).toBe(true);
  });

  it('loses the run', async () => {
    const emulator = await start();
    emulator.behave('forgotten');
    const { id } = (await (await ask(emulator)).json()) as { id: string };
    expect((await look(emulator, id)).status).toBe(404);
  });

  it.each(['hang', 'hang-body'])('%s never comes to an end', async (behaviour) => {
    const emulator = await start(atOnceWire);
    emulator.behave(behaviour);
    await expect(ask(emulator, {}, AbortSignal.timeout(150)).then((response) => response.text())).rejects.toThrow('timeout');
  });

  it.each([
    ['reset', atOnceWire, 'fetch failed'],
    ['reset-body', atOnceWire, 'terminated'],
    ['reset-body', streamedWire, 'terminated'],
  ])('%s breaks the connection', async (behaviour, wire, message) => {
    const emulator = await start(wire);
    emulator.behave(behaviour);
    await expect(ask(emulator).then((response) => response.text())).rejects.toThrow(message);
  });

  it.each([atOnceWire, streamedWire])('breaks the encoding or the JSON', async (wire) => {
    const emulator = await start(wire);
    emulator.behave('invalid-utf8');
    expect(await (await ask(emulator)).text()).toContain('\uFFFD');
    emulator.behave('invalid-json');
    const text = await (await ask(emulator)).text();
    expect(() => JSON.parse(text.replace(/^.*data: /s, '')) as unknown).toThrow(SyntaxError);
  });

  it.each([
    ['drip megabytes=3', atOnceWire],
    ['gzip-bomb megabytes=3', atOnceWire],
    ['drip megabytes=3', streamedWire],
    ['gzip-bomb megabytes=3', streamedWire],
  ])('%s sends what was asked for and so much more', async (behaviour, wire) => {
    const emulator = await start(wire);
    emulator.behave(behaviour);
    const response = await ask(emulator);
    expect(response.headers.get('content-encoding')).toBe(behaviour.startsWith('gzip') ? 'gzip' : null);
    const text = await response.text();
    expect(text.length).toBeGreaterThan(3 * 1024 * 1024);
    expect(text).toContain('"state":"completed"');
  });

  it.each(['sloww', 'slow ms=many', 'slow speed=3', 'hang on=sunday'])('cannot be %s', async (behaviour) => {
    const emulator = await start();
    expect(() => emulator.behave(behaviour)).toThrow(/is no (behaviour|setting)/);
  });
});

it('can be told and read by another process', async () => {
  const emulator = await start();
  await fetch(`${emulator.url}/emulator/behaviours`, { method: 'PUT', body: JSON.stringify('402') });
  expect((await ask(emulator)).status).toBe(402);
  expect(await (await fetch(`${emulator.url}/emulator/ledger`)).json()).toEqual(emulator.ledger.read());
});
