import { startSystem, type System } from '../system/support/system';
import { FAILING } from '../system/support/providers-file';
import { eventually } from '../messaging/eventually';
import { sampleOf, scrape } from './scrape';

describe('the admin port', () => {
  let system: System;

  beforeAll(async () => {
    system = await startSystem({ providers: { 'provider-b': FAILING }, environment: { ADMIN_PORT: '0' } });
  });
  afterAll(() => system.stop());

  const admin = () => {
    const lines = system.logged.map((line) => JSON.parse(line) as { reason?: string; address?: string });
    return String(lines.find(({ reason }) => reason === 'admin')?.address);
  };

  it('tells what jobs, attempts and requests did, and never of whom', async () => {
    const { client } = system;
    const before = await scrape(admin());
    expect(sampleOf(before, 'research_jobs_created_total', { tier: 'M', mode: 'fast' })).toBe(0);
    // An increase from nothing is none: the first of each would wake nobody.
    for (const [name, labels] of [
      ['research_alerts_total', { reason: 'corrupt_history' }],
      ['research_attempts_total', { provider: 'provider-c', outcome: 'lost' }],
      ['research_overrun_dollars_total', { provider: 'provider-c' }],
    ] as const)
      expect(
        before.filter((sample) => sample.name === name && Object.entries(labels).every(([label, text]) => sample.labels[label] === text)),
      ).toMatchObject([{ value: 0 }]);
    const thread = await client.createThread({ message: 'CANARY-QUESTION', providers: ['provider-a', 'provider-b'] });
    await client.finalJob(thread.id, thread.job.id);
    const finished = { tier: 'M', mode: 'fast', status: 'completed', reason: '' };
    await eventually(1, async () => sampleOf(await scrape(admin()), 'research_jobs_finished_total', finished));
    const after = await scrape(admin());
    expect(sampleOf(after, 'research_jobs_created_total', { tier: 'M', mode: 'fast' })).toBe(1);
    expect(sampleOf(after, 'research_attempts_total', { provider: 'provider-a', outcome: 'completed', failure: '' })).toBe(1);
    expect(sampleOf(after, 'research_job_duration_seconds_count', { mode: 'fast', status: 'completed' })).toBe(1);
    expect(sampleOf(after, 'research_step_duration_seconds_count', { provider: 'provider-b', status: 'failed' })).toBe(1);
    expect(sampleOf(after, 'research_http_request_duration_seconds_count', { method: 'POST', route: '/v1/threads', status: '201' })).toBe(
      1,
    );
    expect(sampleOf(after, 'research_steps_waiting', { provider: 'provider-a' })).toBe(0);
    expect(sampleOf(after, 'research_database_connections', { state: 'awaited' })).toBe(0);
    const text = JSON.stringify(after);
    for (const secret of ['CANARY', thread.id, thread.job.id, 'default']) expect(text).not.toContain(secret);
  });

  it('counts what only a person can mend where a request meets it', async () => {
    const { client } = system;
    const corrupt = async () => sampleOf(await scrape(admin()), 'research_alerts_total', { reason: 'corrupt_content' });
    expect(await corrupt()).toBe(0);
    const { id, job } = await client.createThread({ message: 'q', providers: ['provider-a'] });
    const damaged = `update job set document = 'short' where id = $1 and document is not null returning id`;
    await eventually(1, async () => (await system.query(damaged, [job.id])).length, 30_000);
    await client.expect(500, 'GET', `/v1/threads/${id}/jobs/${job.id}`);
    expect(await corrupt()).toBe(1);
    const failures = async () => sampleOf(await scrape(admin()), 'research_http_request_duration_seconds_count', { status: '500' });
    expect(await failures()).toBe(1);
    const path = `${client.address}/v1/threads/${id}/jobs/${job.id}`;
    expect((await fetch(path, { headers: { ...client.headers(), prefer: 'wait=5' } })).status).toBe(500);
    expect(await failures()).toBe(2);
  });

  it('counts it also where the beginning of a long answer was sent before', async () => {
    const { client } = system;
    const corrupt = async () => sampleOf(await scrape(admin()), 'research_alerts_total', { reason: 'corrupt_content' });
    const before = await corrupt();
    const { id } = await client.createThread({ message: 'q', providers: ['provider-a'] });
    for (let added = 0; added < 12; added += 1)
      await client.expect(201, 'POST', `/v1/threads/${id}/messages`, { message: 'long '.repeat(6_000) });
    const last = `select max(version) from event where stream_id = $1 and type = 'MessageAdded'`;
    await system.query('alter table event disable trigger user');
    await system.query(`update event set sealed = 'short' where stream_id = $1 and version = (${last})`, [id]);
    const answer = await fetch(`${client.address}/v1/threads/${id}/messages`, { headers: client.headers() });
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
    expect(await corrupt()).toBe(before + 1);
  });

  it('says whether the process is ready, and changes the level of its log', async () => {
    expect((await fetch(`${admin()}/health/live`)).status).toBe(200);
    expect((await fetch(`${admin()}/health/ready`)).status).toBe(200);
    const refused = await fetch(`${admin()}/log-level/loud`, { method: 'PUT' });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('"loud" is no level: use one of trace, debug');
    expect(await (await fetch(`${admin()}/log-level/debug`, { method: 'PUT' })).text()).toBe('debug\n');
    expect((await fetch(`${admin()}/metrics`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${admin()}/anything?else=1`)).status).toBe(404);
  });
});
