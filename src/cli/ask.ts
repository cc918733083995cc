import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOfError } from '@lib/domain/message-of-error';
import { KEY_VARIABLES } from '@lib/providers/registry';
import type { Env } from '@lib/settings/env';
import { readEnv } from '@lib/settings/read-env';
import type { JobView } from '@lib/store/views/job.view';
import type { ThreadCreatedView } from '@lib/store/views/thread.view';
import { createLogger, standardError } from '../api/logging';
import { dataFiles } from '../embedded/data-folder';
import { folderProblem } from '../folders';
import { httpAddress } from '../http-address';
import { readRoles } from '../roles';
import { whenReaderGone } from '../runtime/reader-gone';
import { startService } from '../service';
import { EXIT_INTERRUPTED, STOP_SIGNALS } from '../runtime/stop-signals';
import { ApiClient, JobGone, KeyRefused } from './api-client';
import { answerText, terminalAnswer } from './answer-text';
import { keyOfClient, shellKeyOfClient, sourceOfClientKey } from './client-key';
import { namedDocuments } from './named-documents';
import { showProgress } from './progress';
import { goneJob, unfinishedJob, unknownJob, type AskedService } from './unfinished-job';

const EXAMPLE = 'How does Fastify handle an error thrown in a hook or a handler?';

export interface AskOptions {
  /** By default an example is asked. */
  question?: string | undefined;
  mode: string;
  budget: string;
  /** Identifiers or aliases; by default those of the budget. */
  providers?: string[];
  spidering?: boolean;
  corpus?: string;
}

/** How the job ended, as an exit code. */
const EXIT_CODES = { completed: 0, failed: 1, cancelled: 2 } as const;

/** Asks one question over HTTP, shows the progress and prints the answer. Stops what it started, even after Ctrl-C. */
export async function ask(options: AskOptions): Promise<number> {
  const interruption = interruptions();
  try {
    return await askInterruptibly(options, interruption);
  } catch (error) {
    if (interruption.aborted) return EXIT_INTERRUPTED;
    throw error;
  }
}

async function askInterruptibly(options: AskOptions, interruption: AbortSignal): Promise<number> {
  const { question = EXAMPLE, mode, budget, providers, spidering = false, corpus } = options;
  if (options.question === undefined)
    process.stderr.write('No question was given, so an example is asked; ask yours with make ask Q="…" or research ask "…".\n');
  await using running =
    corpus === undefined ? await runningOrOwn(interruption) : await ownService({ CORPUS_DIR: await namedDocuments(corpus) }, interruption);
  // Interrupted while the service was starting: nothing was asked yet.
  interruption.throwIfAborted();
  const client = new ApiClient(running.address, running.key, interruption);
  process.stderr.write(`Asking ${running.address}: ${question}\n`);
  const thread = await createAndFollow(client, running.asked, interruption, {
    message: question,
    mode,
    budget,
    spidering,
    ...(providers && { providers }),
  });
  const job = await client.getJob(thread.id, thread.job.id);
  process.stdout.write(answerFor(process.stdout, job, corpus));
  return EXIT_CODES[job.status as keyof typeof EXIT_CODES];
}

/** @throws the error that keeps it from following the job to its end, after it has told the user what happens to the job */
async function createAndFollow(
  client: ApiClient,
  asked: AskedService,
  interruption: AbortSignal,
  body: object,
): Promise<ThreadCreatedView> {
  let thread: ThreadCreatedView | undefined;
  try {
    thread = await client.createThread(body);
    process.stderr.write(`${thread.job.id} of ${thread.id}\n`);
    await showProgress(client.followJob(thread.id, thread.job.id));
    return thread;
  } catch (error) {
    if (thread) process.stderr.write(error instanceof JobGone ? goneJob(thread) : unfinishedJob(thread, asked));
    else if (interruption.aborted) process.stderr.write(unknownJob(asked));
    if (error instanceof KeyRefused)
      throw new Error(
        `${error.message.replace(/\.$/, '')}. It refuses the key in ${asked.keySource}: set API_KEY to a key of that service.`,
        {
          cause: error,
        },
      );
    throw error;
  }
}

/**
 * Aborted by the first signal, or once nobody reads the output. A second Ctrl-C or SIGTERM ends the process at once; a terminal that is closed sends
 * more than one SIGHUP.
 */
function interruptions(): AbortSignal {
  const controller = new AbortController();
  const abort = (why: string): void => controller.abort(new Error(`stopped: ${why}`));
  for (const signal of STOP_SIGNALS) {
    const told = (): void => {
      abort(signal);
      if (signal !== 'SIGHUP') process.removeListener(signal, told);
    };
    process.on(signal, told);
  }
  whenReaderGone(() => abort('nobody reads its output any more'));
  return controller.signal;
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
  asked: AskedService;
}

/** Uses the service at `HOST:PORT` if one answers there, with `API_KEY` or the key in the data folder; otherwise starts one. */
async function runningOrOwn(interruption: AbortSignal): Promise<Running> {
  const env = readEnv(process.env, KEY_VARIABLES);
  const address = httpAddress(env.HOST, env.PORT);
  if (!(await answers(address))) return ownService({}, interruption);
  const key = keyOfClient(env);
  if (!key) throw new Error(`A service answers at ${address}, but API_KEY is not set and ${env.DATA_DIR} holds no key: set API_KEY.`);
  const keys = { shellKey: shellKeyOfClient(env), keySource: sourceOfClientKey(env) };
  const asked = { address: address + env.BASE_PATH, ...keys, goesOn: `at ${address}` };
  return { address: address + env.BASE_PATH, key, asked, [Symbol.asyncDispose]: async () => undefined };
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

/** Starts a service on a free port for one answer. With changed settings it also gets a temporary data folder. */
async function ownService(changes: Partial<Pick<Env, 'CORPUS_DIR'>>, interruption: AbortSignal): Promise<Running> {
  const given = readEnv(process.env, KEY_VARIABLES);
  const asked = askedOfOwn(given, changes.CORPUS_DIR !== undefined);
  const env = Object.assign(given, { PORT: 0 }, changes);
  env.CACHE_DIR ??= dataFiles(env.DATA_DIR).cache;
  // Closed here if the start fails, otherwise by the caller.
  await using opened = new AsyncDisposableStack();
  if (changes.CORPUS_DIR !== undefined) env.DATA_DIR = temporaryFolder(opened);
  process.stderr.write('Starting the service on the embedded default …\n');
  const service = await startService(env, readRoles('all'), createLogger('warn', standardError()), interruption);
  opened.defer(() => service.stop());
  const key = service.firstKey?.keyText ?? keyOfClient(env);
  if (!key) {
    throw new Error(
      'API_KEY is not set, and no key is made for the database of DATABASE_URL: make one with `research keys create` and set API_KEY.',
    );
  }
  const running = opened.move();
  return { address: service.address + env.BASE_PATH, key, asked, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** The service ends with this command, so the job continues only with the next service on the same database. */
function askedOfOwn(env: Env, isTemporary: boolean): AskedService {
  const { HOST, PORT, BASE_PATH, DATABASE_URL, DATA_DIR } = env;
  const database = DATABASE_URL === undefined ? `of ${resolve(DATA_DIR)}` : 'of DATABASE_URL';
  return {
    address: httpAddress(HOST, PORT) + BASE_PATH,
    shellKey: shellKeyOfClient(env),
    keySource: sourceOfClientKey(env),
    goesOn: isTemporary ? null : `once a service runs on the database ${database} again (make run)`,
  };
}

function temporaryFolder(opened: AsyncDisposableStack): string {
  const folder = madeIn(tmpdir());
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function madeIn(temporary: string): string {
  try {
    return mkdtempSync(join(temporary, 'research-threads-'));
  } catch (cause) {
    const reason = folderProblem(cause) ?? messageOfError(cause);
    throw new Error(`The temporary folder ${temporary} cannot be used: ${reason}. Set TMPDIR to one that this user can write to.`, {
      cause,
    });
  }
}
