import { availableParallelism } from 'node:os';
import { bulkhead } from 'cockatiel';
import { briefOf } from '@lib/synthesis/brief';
import type { TopicToExplore } from '@lib/synthesis/exploration';
import type { Synthesis, SynthesisInput } from '@lib/synthesis/synthesis';
import { synthesize } from '@lib/synthesis/synthesize';
import { runInThread } from './run-in-thread';
import type { ThreadWork } from './synthesis-thread';

/** Work of this weight takes longer than starting a thread does; eight times as much takes a second (`make bench-synthesis`). */
const LARGE = 64 * 1024;
/** A citation costs about as much time as so many characters of a report. */
const CITATION_WEIGHT = 20;

const THREAD = require.resolve('./synthesis-thread');
/** Eight reports of 100 KB take up to 1.5 s and 230 MB (`make bench-synthesis`); a report at the limit of 4 MiB may take several times as much. */
const LIMITS = { heapMb: 1024, timeMs: 60_000 };
/** One processor is left to the event loop, and each thread brings its own heap. */
const threads = bulkhead(Math.min(4, Math.max(1, availableParallelism() - 1)), Infinity);

/** `synthesize` without holding the event loop: a large input goes to a thread, a small one would only lose time by it. */
export function synthesizeBySize(input: SynthesisInput): Synthesis | Promise<Synthesis> {
  return isLarge(input) ? (inThread({ task: 'synthesize', given: [input] }) as Promise<Synthesis>) : synthesize(input);
}

/** `briefOf`, likewise. A brief that kills its thread is none: it is help for a provider, not a condition of its call. */
export async function briefBySize(input: SynthesisInput): Promise<string | null> {
  if (!isLarge(input)) return briefOf(input);
  return (await inThread({ task: 'brief', given: [input] }).catch(() => null)) as string | null;
}

/**
 * `topicsToExplore`, always in a thread: it tags every word with its part of speech, which takes several times as long as the synthesis of the
 * same reports.
 * @throws Error that ended the thread
 */
export async function topicsInThread(input: SynthesisInput, explored: readonly string[], most: number): Promise<TopicToExplore[]> {
  return (await inThread({ task: 'topics', given: [input, explored, most] })) as TopicToExplore[];
}

function isLarge({ steps }: SynthesisInput): boolean {
  return steps.reduce((sum, { reportMarkdown, citations }) => sum + reportMarkdown.length + CITATION_WEIGHT * citations.length, 0) > LARGE;
}

const inThread = (work: ThreadWork): Promise<unknown> => threads.execute(() => runInThread(THREAD, work, LIMITS));
