import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AdmissionTable } from '@lib/store/agenda/admission-table';
import { eventually } from '../messaging/eventually';
import { Client } from '../support/client';
import type { AcceptedJob } from '../support/load';
import { QUICK, readLedgers, simulatedProviders, SLOW } from '../support/simulated-providers';
import { stablePort } from '../support/stable-port';
import { Supervisor } from '../support/supervisor';
import { research, start } from '../system/support/command';

jest.setTimeout(400_000);

const PATIENCE_MS = 120_000;
const ENDLESS = 'provider-d-premium';

describe('research drain', () => {
  let supervisor: Supervisor;
  let client: Client;
  let admin: string;
  let folder: string;

  beforeAll(async () => {
    supervisor = await Supervisor.start();
    client = new Client(supervisor);
    folder = mkdtempSync(join(tmpdir(), 'research-drain-'));
    const port = String(await stablePort());
    admin = `http://127.0.0.1:${port}`;
    await supervisor.start('worker', { ADMIN_PORT: port, PROVIDERS_FILE: providersFile() });
    await supervisor.startMissing();
  });
  afterEach(() => new AdmissionTable(supervisor.pool).release(SLOW));
  afterAll(async () => {
    await supervisor?.close();
    rmSync(folder, { recursive: true });
  });

  /** As all have it, but for one provider whose runs do not end. */
  function providersFile(): string {
    const file = JSON.parse(simulatedProviders(folder, 'worker')) as { providers: Record<string, { options: { latencyMs: number } }> };
    (file.providers[ENDLESS] as { options: object }).options = { latencyMs: 3_600_000 };
    writeFileSync(join(folder, 'providers.yaml'), JSON.stringify(file));
    return join(folder, 'providers.yaml');
  }
  const callsOfSlow = () => [...readLedgers(folder).values()].flat().filter(({ provider }) => provider === SLOW).length;

  const create = async (provider: string): Promise<AcceptedJob> => {
    const { body } = await client.call('POST', '/v1/threads', { message: 'How?', budget: 'S', providers: [provider] });
    return { threadId: String(body.id), jobId: (body.job as { id: string }).id };
  };
  const completed = ({ threadId, jobId }: AcceptedJob) =>
    eventually<unknown>(
      'completed',
      async () => (await client.call('GET', `/v1/threads/${threadId}/jobs/${jobId}`)).body.status,
      PATIENCE_MS,
    );
  const drain = (...parameters: string[]) => research(['drain', ...parameters], supervisor.operator);
  const waiting = async ({ jobId }: AcceptedJob): Promise<number> => {
    const { rows } = await supervisor.pool.query<{ count: number }>(
      `select count(*)::int as count from agenda where job_id = $1 and kind = 'dispatch step'`,
      [jobId],
    );
    return rows[0]?.count ?? 0;
  };

  it('lets a provider start nothing, waits for what runs there, and is undone', async () => {
    const calls = callsOfSlow();
    const running = await create(SLOW);
    await eventually(calls + 1, async () => callsOfSlow(), PATIENCE_MS);
    await drain('provider', SLOW, '--wait', '0s');
    const later = await create(SLOW);
    const unaffected = await create(QUICK);
    expect(await drain('provider', SLOW, '--wait', '3m')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Nothing runs there.') as string,
    });
    await Promise.all([completed(running), completed(unaffected)]);
    expect({ calls: callsOfSlow(), waiting: await waiting(later) }).toEqual({ calls: calls + 1, waiting: 1 });

    expect(await drain('provider', SLOW, '--undo')).toMatchObject({ code: 0 });
    await completed(later);
  });

  it('ends by itself after its time, which it tells by the database’s clock', async () => {
    // An hour ahead, as this machine's clock may be.
    const wrongClock = { NODE_OPTIONS: `--require ${join(__dirname, '../chaos/preload.cjs')}`, CLOCK_AHEAD_MS: '3600000' };
    const drained = await research(['drain', 'provider', SLOW, '--for', '3s', '--wait', '0s'], { ...supervisor.operator, ...wrongClock });
    expect(drained).toMatchObject({ code: 0 });
    expect(Date.parse(/until (\S+Z)/.exec(drained.stdout)?.[1] ?? '') - Date.now()).toBeLessThan(60_000);
    await completed(await create(SLOW));
  });

  it('is not cut short by failures of what still ran', async () => {
    const admission = new AdmissionTable(supervisor.pool);
    await drain('provider', 'provider-e', '--for', '1h', '--wait', '0s');
    for (let failure = 0; failure < 6; failure += 1) await admission.recordFailure('provider-e', 5, 30_000);
    expect((await admission.gates()).get('provider-e')).toMatchObject({ down: true });
    expect((await admission.gates()).get('provider-e')?.heldMs).toBeGreaterThan(3_000_000);
  });

  it('lets one worker take nothing while it goes on with what it holds, and is undone', async () => {
    const calls = callsOfSlow();
    const running = await create(SLOW);
    await eventually(calls + 1, async () => callsOfSlow(), PATIENCE_MS);
    const draining = start('cli/main.js', ['drain', 'worker', '--admin', admin, '--wait', '3m'], supervisor.operator);
    await draining.until('takes nothing new');
    const later = await create(QUICK);
    expect(await draining.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('It holds nothing') as string });
    await completed(running);
    expect(await waiting(later)).toBe(1);
    expect(supervisor.running('worker')).toHaveLength(1);

    expect(await drain('worker', '--admin', admin, '--undo')).toMatchObject({ code: 0 });
    await completed(later);
  });

  it('names what still runs after its time, and ends with 1', async () => {
    const { jobId } = await create(ENDLESS);
    await eventually(1, () => supervisor.heldLeases(), PATIENCE_MS);
    const { code, stdout } = await drain('provider', ENDLESS, '--wait', '0s');
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringMatching(new RegExp(`Still running: 1\\.[^]*${ENDLESS} ${jobId} stp_`)) as string,
    });
    expect(await drain('worker', '--admin', admin, '--wait', '1s')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('It still holds 1;') as string,
    });
    const { stdout: screen } = await research(['status'], { ...supervisor.operator, CHECKPOINT_MS: '0' });
    expect(screen).toMatch(/[0-9a-f]{8} +worker .* draining: takes nothing, holds 1$/m);
    expect(screen).toContain('every worker is drained: no step is taken (docs/runbooks/WorkNotTaken.md)');
  });

  it('says what is wrong with what it was told', async () => {
    const refused = async (parameters: string[], code: number, why: RegExp) =>
      expect(await drain(...parameters)).toMatchObject({ code, stderr: expect.stringMatching(why) as string });
    await refused(['provider', 'provider-x'], 3, /must be a comma list/);
    await refused(['provider', 'all', '--for', '25d'], 3, /must be from 1s to 24d/);
    await refused(['provider', 'all', '--for', '0s'], 3, /must be from 1s/);
    await refused(['provider', 'all', '--wait', 'long'], 3, /must be a number and s, m, h or d/);
    await refused(['worker'], 2, /ADMIN_PORT is not set: run this where the worker runs/);
    await refused(['worker', '--admin', 'http://127.0.0.1:1'], 2, /nobody answers at/);
    const api = supervisor.apiAddresses()[0] ?? '';
    await refused(['worker', '--admin', api], 2, /answered 404/);
  });
});
