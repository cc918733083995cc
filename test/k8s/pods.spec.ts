import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { MINUTE_MS } from '@lib/domain/durations';

import { Broker } from '../support/broker';
import { DatabaseServer } from '../support/database-server';
import { stablePort } from '../support/stable-port';
import { buildImage } from '../image/unpacked-image';
import { render, type KubernetesObject } from './kubectl';
import { makeDevSecrets } from './overlays';
import { fetchPodman, Podman, whatIsMissing } from './podman';
import { isOurs, podOf, type Pod } from './pods-of-dev';

/** Set by `make k8s-pods`. */
const mayFetch = process.env.RUN_PODS === '1';
const missing = mayFetch ? null : 'make k8s-pods does it';
if (missing) process.stderr.write(`No pod of the dev overlay is run: ${missing}.\n`);
const test = missing ? it.skip : it;

interface JobSpec {
  spec: { template: { spec: { containers: [{ args: string[] }] } } };
}
interface JobAnswer {
  status: string;
  steps: { status: string }[];
}
interface Inspected {
  HostConfig: { ReadonlyRootfs: boolean };
  Config: { User: string };
  EffectiveCaps: string[] | null;
}

/** The pods of the dev overlay, run by podman from the built image; PostgreSQL and NATS are this machine's, since no registry has their images here. */
describe(missing ? `is not tried: ${missing}` : 'the pods of the dev overlay', () => {
  let podman: Podman;
  let folder: string;
  let database: DatabaseServer;
  let broker: Broker;
  let objects: KubernetesObject[];
  let pods: Pod[];

  beforeAll(async () => {
    if (missing) return;
    await fetchPodman();
    if (process.env.KEEP_IMAGE !== '1') await buildImage();
    const lacking = whatIsMissing();
    if (lacking) throw new Error(lacking);
    await makeDevSecrets();
    objects = await render('k8s/overlays/dev');
    podman = await Podman.open();
    folder = await mkdtemp(join(tmpdir(), 'research-servers-'));
    // The doctor lets no role start on a database that may forget.
    database = await DatabaseServer.start(folder, { settings: { fsync: 'on', full_page_writes: 'on' } });
    broker = await Broker.start(join(folder, 'jetstream'));
    pods = await Promise.all(objects.filter(isOurs).map((workload) => podOf(workload, objects, machine())));
  }, 20 * MINUTE_MS);

  afterAll(async () => {
    if (missing) return;
    await podman?.close();
    await broker?.kill();
    await database?.stop();
    if (folder) await rm(folder, { recursive: true });
  }, 5 * MINUTE_MS);

  const machine = () => ({
    urls: { database: database.url, nats: broker.url },
    freePort: stablePort,
    place: (name: string) => podman.place(name),
  });
  const said = (pod: string, container: string) => podman.run('logs', `${pod}-${container}`);

  async function until<Result>(what: string, look: () => Promise<Result | null>): Promise<Result> {
    for (const began = performance.now(); performance.now() - began < 3 * MINUTE_MS; await delay(500)) {
      const found = await look().catch(() => null);
      if (found !== null) return found;
    }
    throw new Error(`${what}: not within three minutes. ${await podman.run('ps', '--all')}`);
  }

  /** As k8s/jobs/create-key.yaml: the migration's pod with other arguments. */
  async function createKey(): Promise<string> {
    const job = structuredClone(objects.find(({ kind }) => kind === 'Job')) as KubernetesObject & JobSpec;
    job.metadata.name = 'key';
    job.spec.template.spec.containers[0].args = ['keys', 'create', '--tenant', 'acme'];
    await podman.play(await podOf(job, objects, machine()));
    return until('a key is made', async () => /rt_live_\S+/.exec(await said('key', 'research'))?.[0] ?? null);
  }

  test(
    'migrate, start, and finish a job',
    async () => {
      const [migration, ...others] = pods.toSorted((one, other) => Number(other.role === 'migration') - Number(one.role === 'migration'));
      await podman.play(migration as Pod);
      await until('the migration ends', async () => ((await said('migration', 'research')).includes('Applied') ? true : null));
      await Promise.all(
        others.map((pod) =>
          podman.play(pod).catch(async () => {
            throw new Error(`${pod.role} does not start: ${await said(pod.role, 'doctor')}`);
          }),
        ),
      );
      for (const { role, port } of others)
        await until(`${role} is ready`, async () => ((await fetch(`http://127.0.0.1:${port}/health/ready`)).status === 200 ? true : null));

      const headers = { authorization: `Bearer ${await createKey()}`, 'content-type': 'application/json' };
      const api = `http://127.0.0.1:${pods.find(({ role }) => role === 'api')?.port}`;
      const body = JSON.stringify({ message: 'How does Fastify handle an error thrown in a hook?', budget: 'M' });
      const created = await fetch(`${api}/v1/threads`, { method: 'POST', headers, body });
      expect(created.status).toBe(201);
      const { id: threadId, job } = (await created.json()) as { id: string; job: { id: string } };
      const final = await until('the job ends', async () => {
        const found = (await (await fetch(`${api}/v1/threads/${threadId}/jobs/${job.id}`, { headers })).json()) as JobAnswer;
        return ['completed', 'failed'].includes(found.status) ? found : null;
      });
      expect(final).toMatchObject({ status: 'completed' });
      expect(final.steps.map(({ status }) => status)).toEqual(final.steps.map(() => 'completed'));
      // What the manifests demand, as the runtime keeps it.
      const inspected = JSON.parse(await podman.run('inspect', ...others.map(({ role }) => `${role}-research`))) as Inspected[];
      expect(
        inspected.map(({ HostConfig, Config, EffectiveCaps }) => [HostConfig.ReadonlyRootfs, Config.User, EffectiveCaps ?? []]),
      ).toEqual(others.map(() => [true, '65532:65532', []]));
    },
    10 * MINUTE_MS,
  );
});
