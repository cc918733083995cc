import { randomBytes } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { MINUTE_MS } from '@lib/domain/durations';

import { HttpClient } from '../system/support/http-client';
import { createDatabase, type TestDatabase } from '../servers/database';
import { buildImage, UnpackedImage, whatIsMissing } from './unpacked-image';

const MAX_BYTES = 150e6;
const missing = whatIsMissing();
if (missing) process.stderr.write(`The image is neither built nor run: ${missing}.\n`);
const test = missing ? it.skip : it;

describe(missing ? `is not tried: ${missing}` : 'the image', () => {
  let image: UnpackedImage;
  let database: TestDatabase;
  let environment: Record<string, string>;

  beforeAll(async () => {
    if (missing) return;
    await buildImage();
    image = await UnpackedImage.unpack();
    database = await createDatabase();
    environment = {
      DATABASE_URL: database.url,
      NATS_URL: process.env.TEST_NATS_URL ?? '',
      NATS_PREFIX: `image-${randomBytes(6).toString('hex')}`,
      MASTER_KEY: randomBytes(32).toString('base64'),
      API_KEY_PEPPER: randomBytes(16).toString('hex'),
    };
  }, 10 * MINUTE_MS);

  afterAll(async () => {
    if (missing) return;
    await image.stop();
    await image.remove();
    await database.drop();
  });

  test('is small, and says what it is', () => {
    expect(image.bytes).toBeLessThan(MAX_BYTES);
    expect(image.config.config).toMatchObject({ User: '65532:65532', Entrypoint: ['/usr/local/bin/node', '/app/dist/src/entry.js'] });
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
    const labels = image.config.config.Labels;
    expect(labels).toMatchObject({ 'org.opencontainers.image.version': version });
    expect(labels['org.opencontainers.image.revision']).toContain(commit);
  });

  test('is described by the Containerfile too', () => {
    const lines = readFileSync('Containerfile', 'utf8').split('\n');
    const after = (instruction: string) => lines.find((line) => line.startsWith(`${instruction} `))?.slice(instruction.length + 1);
    const { User, Env, Entrypoint, WorkingDir, ExposedPorts } = image.config.config;
    expect(after('USER')).toBe(User);
    expect(after('ENV')).toBe(Env.join(' '));
    expect(JSON.parse(after('ENTRYPOINT') ?? '')).toEqual(Entrypoint);
    expect(after('WORKDIR')).toBe(WorkingDir);
    expect(Object.keys(ExposedPorts)).toEqual([`${after('EXPOSE')}/tcp`]);
  });

  test('holds no shell, no npm, no file that anybody but root may change, and nothing with the rights of another', () => {
    const found = (...what: string[]) => execFileSync('find', [image.root, ...what], { encoding: 'utf8' }).trim();
    for (const name of ['sh', 'bash', 'dash', 'busybox', 'npm', 'npx', 'corepack', 'apt-get', 'dpkg'])
      expect(found('-type', 'f', '-name', name, '-perm', '/111')).toBe('');
    expect(found('-perm', '/6000')).toBe('');
    const writable = found('!', '-type', 'l', '-perm', '/022', '-printf', '%P %m\n').split('\n');
    expect(writable.sort()).toEqual(['tmp 1777', 'var/cache/research 1777']);
    expect(found('!', '-user', 'root')).toBe('');
  });

  test(
    'is the same again, byte for byte, from the same files',
    async () => {
      await buildImage();
      const again = await UnpackedImage.unpack();
      await again.remove();
      expect(again.digest).toBe(image.digest);
    },
    10 * MINUTE_MS,
  );

  test(
    'serves every role to somebody without rights on a root that cannot be written, and answers a question',
    async () => {
      const { NATS_URL, NATS_PREFIX } = environment as { NATS_URL: string; NATS_PREFIX: string };
      await image.command(['migrate'], environment);
      const printed = await image.command(['keys', 'create', '--tenant', 'acme'], environment);
      const key = /rt_live_\w+/.exec(printed)?.[0] ?? '';
      // As Kubernetes mounts it.
      cpSync('k8s/base/providers.yaml', join(image.root, 'run/providers.yaml'));
      const providers = { PROVIDERS_FILE: '/run/providers.yaml' };
      const [api] = await Promise.all([
        image.start('api', { ...environment, ...providers }),
        image.start('saga', { ...environment, ...providers }),
        image.start('worker', { NATS_URL, NATS_PREFIX, ...providers }),
        image.start('synthesizer', { ...environment, ...providers }),
        image.start('webhooks', { ...environment, ...providers }),
      ]);
      const client = new HttpClient(api, key);
      const job = await client.research({
        message: 'How does Fastify handle an error thrown in a hook?',
        providers: ['provider-a', 'provider-b'],
      });
      expect(job).toMatchObject({ status: 'completed', steps: [{ status: 'completed' }, { status: 'completed' }] });
      expect(job.synthesisMarkdown).toContain('Fastify');
      const checks = JSON.parse(await image.command(['doctor', 'worker', '--json'], { NATS_URL, NATS_PREFIX, ...providers })) as {
        checks: { status: string }[];
      };
      expect(checks.checks.filter(({ status }) => status === 'problem')).toEqual([]);
      expect(await image.stop()).toEqual([0, 0, 0, 0, 0]);
    },
    5 * MINUTE_MS,
  );

  test('writes nothing outside of its volumes', () => {
    expect(execFileSync('find', [join(image.root, 'app'), '-newer', join(image.root, 'run'), '-type', 'f'], { encoding: 'utf8' })).toBe('');
  });
});
