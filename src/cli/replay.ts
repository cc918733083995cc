import { createInterface } from 'node:readline';
import type { JobMoment } from '@lib/store/history/load';
import type { Store } from '@lib/store/store';
import { versionAt, type PastMoment } from '../audit/past-moment';
import { requireThere } from './removed-history';
import { plainText } from './plain-text';
import { changesOf } from './replay-changes';
import { withDatabase } from './with-database';

interface ReplayOptions {
  /** The last moment that is shown; by default the newest. */
  at?: PastMoment;
  /** Waits for Enter after each event. */
  step?: boolean;
}

/**
 * Shows a job's history event by event with what each changed, then the document as it stood after the last of them.
 * @throws Error if there is no such job or moment, or its content cannot be opened
 */
export async function replayCommand(jobId: string, { at = null, step = false }: ReplayOptions): Promise<void> {
  await withDatabase(async ({ store }) => {
    const history = await store.pastJobs.history(null, jobId);
    if (history === null) await requireThere(store.pool, jobId);
    if (history === null) throw new Error(`There is no job ${jobId}: its id begins with job_ and stands in every answer about it.`);
    const moments = history.slice(0, versionAt(history, at));
    if (step ? await showStepwise(moments) : showAll(moments)) await showDocument(store, jobId, history, moments.length);
  });
}

function showAll(moments: readonly JobMoment[]): boolean {
  moments.forEach((_, place) => show(moments, place));
  return true;
}

/** @returns false if the reader has left before the end */
async function showStepwise(moments: readonly JobMoment[]): Promise<boolean> {
  const input = createInterface({ input: process.stdin });
  const lines = input[Symbol.asyncIterator]();
  try {
    for (let place = 0; place < moments.length; place += 1) {
      show(moments, place);
      const { done, value } = await lines.next();
      if (done || value === 'q') return false;
    }
    return true;
  } finally {
    input.close();
  }
}

function show(moments: readonly JobMoment[], place: number): void {
  const { version, at, event } = moments[place] as JobMoment;
  const changes = changesOf(moments, place);
  const lines = [`${version}  ${at}  ${event.type}`, ...changes.map((change) => `    ${change}`)];
  process.stdout.write(`${plainText(lines.join('\n'))}\n`);
}

async function showDocument(store: Store, jobId: string, history: readonly JobMoment[], version: number): Promise<void> {
  const { document, erased } = await store.pastJobs.view(jobId, history, version);
  const said = erased ? 'As it stood then, without its content, which was erased with its thread:' : 'As it stood then:';
  process.stdout.write(`\n${said}\n${plainText(JSON.stringify(document, null, 2))}\n`);
}
