import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { messageOfError } from '@lib/domain/message-of-error';
import { KEY_VARIABLES } from '@lib/providers/registry';
import { startEmulator, type Emulator } from './emulator';
import { withOptions } from './providers-file';
import { WIRES, type EmulatedApi } from './wires';

const FIRST_PORT = 4100;
/** Long enough to watch, short enough to wait for. */
const WORK_MS = 3000;
const POLL_MS = 500;

/** `main.js [providers file] [written file]`: serves every emulated API on loopback until a signal, and writes a providers file that points at them. */
async function main(given = 'providers.yaml', written = '.emulate/providers.yaml'): Promise<void> {
  const emulators = await startAll(Object.keys(WIRES) as EmulatedApi[]);
  const file = resolve(written);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, pointed(readFileSync(given, 'utf8'), emulators));
  process.stdout.write(instructions(emulators, file));
  const stop = (): void => void Promise.all(emulators.map((emulator) => emulator.stop()));
  process.once('SIGINT', stop).once('SIGTERM', stop);
}

async function startAll(apis: readonly EmulatedApi[]): Promise<Emulator[]> {
  try {
    return await Promise.all(apis.map((api, position) => startEmulator(api, { port: FIRST_PORT + position, workMs: WORK_MS })));
  } catch (cause) {
    const ports = `${FIRST_PORT} to ${FIRST_PORT + apis.length - 1}`;
    throw new Error(`Ports ${ports} of 127.0.0.1 must be free (${String(cause)}): stop what listens there.`, { cause });
  }
}

function pointed(yaml: string, emulators: readonly Emulator[]): string {
  return withOptions(yaml, (adapter) => {
    const emulator = emulators.find(({ api }) => api === adapter);
    if (!emulator) return undefined;
    return { baseUrl: emulator.baseUrl, ...(emulator.canBePolled && { pollMs: POLL_MS }) };
  });
}

function instructions(emulators: readonly Emulator[], file: string): string {
  const width = Math.max(...emulators.map(({ api }) => api.length));
  return [
    'Emulated providers. They do no research: they answer with invented findings in the shapes of the real APIs.',
    '',
    ...emulators.map(({ api, baseUrl }) => `  ${api.padEnd(width)}  ${baseUrl}`),
    '',
    'To use them, in another shell:',
    '',
    `  export PROVIDERS_FILE=${file}`,
    `  export ${KEY_VARIABLES.map((name) => `${name}=emulated`).join(' ')}`,
    '  make run',
    '',
    'In a providers file of your own, for each of them:',
    '',
    ...emulators.map(({ api, baseUrl }) => `  adapter: ${api}, options: { …, baseUrl: ${baseUrl} }`),
    '',
    'An emulated model writes the summaries of the reports if the section `synthesis`, which is commented in that file, says:',
    '',
    ...emulators.filter(({ api }) => api === 'openai').map(({ api, baseUrl }) => `  adapter: ${api}, …, baseUrl: ${baseUrl}`),
    '',
    'A question can say how they behave: "Why? [[emulate:429 retry-after=2 times=1 api=openai]]".',
    'What they were asked and what they charged: GET /emulator/ledger at any of them. Ctrl-C stops them.',
    '',
  ].join('\n');
}

main(...process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${messageOfError(error)}\n`);
  process.exit(1);
});
