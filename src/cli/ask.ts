import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import pino from 'pino';
import { KEY_VARIABLES } from '@lib/providers/registry';
import type { Env } from '@lib/settings/env';
import { readEnv } from '@lib/settings/read-env';
import type { JobView } from '@lib/store/views/job.view';
import { createLogger } from '../api/logging';
import { dataFiles } from '../embedded/data-folder';
import { readRoles } from '../roles';
import { startService, type Service } from '../service';
import { ApiClient } from './api-client';
import { answerText, terminalAnswer } from './answer-text';
import { keyOfClient } from './client-key';
import { showProgress } from './progress';

export interface AskOptions {
  question: string;
  mode: string;
  budget: string;
  /** Identifiers or aliases; by default those of the budget. */
  providers?: string[];
  spidering?: boolean;
  corpus?: string;
}

/** How the job ended, as an exit code. */
const EXIT_CODES = { completed: 0, failed: 1, cancelled: 2 } as const;
/** The exit code of a program that Ctrl-C ended, by convention. */
const EXIT_INTERRUPTED = 130;

/** Asks one question over HTTP, shows the progress and prints the answer. Stops what it started, even after Ctrl-C. */
export async function ask({ question, mode, budget, providers, spidering = false, corpus }: AskOptions): Promise<number> {
  const interruption = interruptions();
  await using running = corpus === undefined ? await runningOrOwn() : await ownService({ CORPUS_DIR: documentFolder(corpus) });
  const client = new ApiClient(running.address, running.key, interruption);
  try {
    process.stderr.write(`Asking ${running.address}: ${question}\n`);
    const thread = await client.createThread({ message: question, mode, budget, spidering, ...(providers && { providers }) });
    const jobId = thread.job.id;
    process.stderr.write(`${jobId} of ${thread.id}\n`);
    await showProgress(client.followJob(thread.id, jobId));
    const job = await client.getJob(thread.id, jobId);
    process.stdout.write(answerFor(process.stdout, job, corpus));
    return EXIT_CODES[job.status as keyof typeof EXIT_CODES];
  } catch (error) {
    if (interruption.aborted) return EXIT_INTERRUPTED;
    throw error;
  }
}

/** Aborted by the first Ctrl-C or SIGTERM; a second one ends the process at once. */
function interruptions(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => controller.abort(new Error(`stopped by ${signal}`)));
  return controller.signal;
}

function documentFolder(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`There is no folder ${resolve(path)}: name one that holds Markdown, text or HTML documents.`);
  return resolve(path);
}

/** For a person at a terminal a report to read, for a program plain text. */
function answerFor(output: NodeJS.WriteStream, job: JobView, documents: string | undefined): string {
  if (!output.isTTY || !output.hasColors()) return answerText(job);
  return terminalAnswer(job, output.columns, (url) => openable(url, documents));
}

/** A document is opened as a file, if it is known where it lies. */
function openable(url: string, documents: string | undefined): string | null {
  if (!url.startsWith('corpus:')) return url;
  const path = URL.parse(url)?.pathname;
  if (documents === undefined || path === undefined) return null;
  return new URL(`.${path}`, `${pathToFileURL(resolve(documents)).href}/`).href;
}

interface Running extends AsyncDisposable {
  address: string;
  key: string;
}

/** Uses the service at `HOST:PORT` if one answers there, with `API_KEY` or the key in the data folder; otherwise starts one. */
async function runningOrOwn(): Promise<Running> {
  const env = readEnv(process.env, KEY_VARIABLES);
  const address = `http://${env.HOST}:${env.PORT}`;
  if (!(await answers(address))) return ownService({});
  const key = keyOfClient(env);
  if (!key) throw new Error(`A service answers at ${address}, but API_KEY is not set and ${env.DATA_DIR} holds no key: set API_KEY.`);
  return { address: address + env.BASE_PATH, key, [Symbol.asyncDispose]: async () => undefined };
}

/** Whether research-threads, and no other program, listens there. */
async function answers(address: string): Promise<boolean> {
  try {
    const response = await fetch(`${address}/openapi.json`, { signal: AbortSignal.timeout(2_000) });
    const { info } = (await response.json()) as { info?: { title?: string } };
    return info?.title?.toLowerCase().includes('research') ?? false;
  } catch {
    return false;
  }
}

async function stopWithoutKey(service: Service): Promise<never> {
  await service.stop();
  throw new Error(
    'API_KEY is not set, and no key is made for the database of DATABASE_URL: make one with `research keys create` and set API_KEY.',
  );
}

/** Starts a service on a free port for one answer. With changed settings it also gets a temporary data folder. */
async function ownService(changes: Partial<Pick<Env, 'CORPUS_DIR'>>): Promise<Running> {
  const env = Object.assign(readEnv(process.env, KEY_VARIABLES), { PORT: 0 }, changes);
  const ownData = changes.CORPUS_DIR !== undefined ? mkdtempSync(join(tmpdir(), 'research-threads-')) : null;
  env.CACHE_DIR ??= dataFiles(env.DATA_DIR).cache;
  if (ownData) env.DATA_DIR = ownData;
  process.stderr.write('Starting the service on the embedded default …\n');
  const logger = createLogger('warn', pino.destination({ dest: 2, sync: true }));
  const service = await startService(env, readRoles('all'), logger);
  return {
    address: service.address + env.BASE_PATH,
    key: service.firstKey?.keyText ?? keyOfClient(env) ?? (await stopWithoutKey(service)),
    [Symbol.asyncDispose]: async () => {
      await service.stop();
      if (ownData) rmSync(ownData, { recursive: true, force: true });
    },
  };
}
