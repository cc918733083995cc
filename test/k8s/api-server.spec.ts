import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';

import { MINUTE_MS } from '@lib/domain/durations';

import { buildApiServer, defineResources, startApiServer, whatIsMissing, type ApiServer } from './api-server';
import { render, type KubernetesObject } from './kubectl';
import { makeDevSecrets, OVERLAYS } from './overlays';

/** Set by `make k8s-api`. */
const mayBuild = process.env.BUILD_API_SERVER === '1';
const missing = mayBuild ? null : whatIsMissing();
if (missing) process.stderr.write(`No overlay is applied to an API server: ${missing}.\n`);
const test = missing ? it.skip : it;

/** Of the store of backups nobody brings the definition. */
const isDefined = ({ apiVersion }: KubernetesObject) => !apiVersion.startsWith('barmancloud.cnpg.io/');

/** A real kube-apiserver with etcd, without nodes: what it refuses no cluster would take. */
describe(missing ? `is not tried: ${missing}` : 'a kube-apiserver', () => {
  let server: ApiServer;
  let folder: string;

  beforeAll(async () => {
    if (missing) return;
    if (mayBuild) await buildApiServer();
    await makeDevSecrets();
    folder = await mkdtemp(join(tmpdir(), 'research-overlays-'));
    server = await startApiServer();
    await defineResources(server);
  }, 60 * MINUTE_MS);

  afterAll(async () => {
    if (missing) return;
    await server.stop();
    await rm(folder, { recursive: true });
  });

  const apply = (file: string) =>
    server.kubectl('apply', '--server-side', '--validate=strict', '--field-manager=test', '--force-conflicts', '-f', file);

  test.each(OVERLAYS)(
    'takes %s twice, and the second time nothing differs',
    async (overlay) => {
      const file = join(folder, `${overlay.replaceAll('/', '-')}.yaml`);
      await writeFile(
        file,
        (await render(overlay))
          .filter(isDefined)
          .map((object) => stringify(object))
          .join('---\n'),
      );
      // Overlays share a namespace, and a Job cannot be changed.
      await server.kubectl('delete', 'jobs', '--all', '--all-namespaces', '--wait=false');
      await apply(file);
      await apply(file);
      // Ends with 1 if anything would change.
      expect(await server.kubectl('diff', '--server-side', '--field-manager=test', '--force-conflicts', '-f', file)).toBe('');
    },
    5 * MINUTE_MS,
  );

  test('refuses a field that it does not know, in its own objects and in those of others', async () => {
    const [saga] = (await render('k8s/overlays/ha')).filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'saga');
    const [cluster] = (await render('k8s/overlays/ha')).filter(({ kind }) => kind === 'Cluster');
    for (const object of [saga, cluster]) {
      const file = join(folder, 'spoilt.yaml');
      await writeFile(file, stringify({ ...object, spec: { ...(object?.spec as object), instancez: 2 } }));
      await expect(apply(file)).rejects.toThrow('instancez');
    }
  });
});
