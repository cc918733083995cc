import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { totalmem } from 'node:os';

import { batch } from '@lib/batching/batch';

import type { PackedFile } from './packed-file';
import { NotADocument, type DocumentText } from './passages';
import type { ReaderAnswer } from './reader-program';

export interface ReaderLimits {
  /** A file that takes longer is not read; one of 2000 dense pages takes 10 seconds. */
  timeMs: number;
  /** The most that the process may take. */
  memoryMb: number;
}

const MB = 1024 * 1024;
/** Half of what this process and its children may take, as in a container, so that the rest stays for this one. */
const HALF_OF_MEMORY_MB = Math.floor(Math.min(process.constrainedMemory() || Infinity, totalmem()) / 2 / MB);
const LIMITS: ReaderLimits = { timeMs: 60_000, memoryMb: Math.min(1024, HALF_OF_MEMORY_MB) };
/** The part of its memory that is for the heap. */
const HEAP_SHARE = 0.75;
const IDLE_MS = 5_000;
const PROGRAM = require.resolve('./reader-program');
/** How a process is ended by its watch for memory, and by V8 when the heap is full. */
const OUT_OF_MEMORY: readonly unknown[] = ['SIGKILL', 'SIGABRT'];

/** The process that reads packed files could not be started, which is no fault of the file. */
export class NoReaderProcess extends Error {
  override readonly name = 'NoReaderProcess';
}

/**
 * Reading took too long or too much memory, or the process failed or was ended: a larger or less busy machine may be able to read the file. The message
 * says why and never quotes its content.
 */
export class ReaderEnded extends Error {
  override readonly name = 'ReaderEnded';
}

/** How the process ended: its exit code or a signal. */
interface Ended {
  ended: unknown;
  /** Whether this process ended it because it took too long. */
  isLate: boolean;
}

/**
 * Reads packed files one after the other in a process of its own, which is started on demand and ended when idle. A few hundred bytes can inflate to
 * gigabytes: in this process they would block the event loop for minutes, and from a thread they can still end it, because V8 ends the whole process
 * when a thread allocates too much at once.
 */
export class ReaderProcess {
  /** Throws `NotADocument`, `ReaderEnded` or `NoReaderProcess`. */
  readonly read: (file: PackedFile) => Promise<DocumentText>;
  private child: ChildProcess | undefined;
  private idle: NodeJS.Timeout | undefined;

  constructor(private readonly limits: ReaderLimits = LIMITS) {
    this.read = batch(([file]) => this.inProcess(file as PackedFile).then((text) => [text]), { maxItems: 1 });
  }

  private async inProcess(file: PackedFile): Promise<DocumentText> {
    const isFresh = this.child === undefined;
    const answer = await this.answerTo(file);
    // What earlier files left in memory is no fault of this one, nor is it that somebody ended the process while it was idle.
    const last = 'ended' in answer && !answer.isLate && !isFresh ? await this.answerTo(file) : answer;
    if ('text' in last) return last.text;
    if ('refused' in last) throw new NotADocument(last.refused);
    throw new ReaderEnded(this.whyEnded(last));
  }

  private async answerTo(file: PackedFile): Promise<ReaderAnswer | Ended> {
    const done = new AbortController();
    let late: NodeJS.Timeout | undefined;
    let isLate = false;
    try {
      const child = this.ready();
      late = setTimeout(() => {
        isLate = true;
        this.child = undefined;
        child.kill('SIGKILL');
      }, this.limits.timeMs);
      const answer = once(child, 'message', done).then(([message]) => message as ReaderAnswer);
      const end = once(child, 'exit', done).then(([code, signal]): Ended => ({ ended: signal ?? code, isLate }));
      const first = Promise.race([answer, end]);
      // That it cannot be sent shows in the end of the process; one that could not be started has no channel, and its error comes.
      if (child.channel) child.send(file, () => undefined);
      return await first;
    } catch (error) {
      throw new NoReaderProcess('the process that reads packed files cannot be started', { cause: error });
    } finally {
      clearTimeout(late);
      done.abort();
      this.rest();
    }
  }

  private ready(): ChildProcess {
    clearTimeout(this.idle);
    const child = (this.child ??= this.start());
    child.ref();
    child.channel?.ref();
    return child;
  }

  private whyEnded({ ended, isLate }: Ended): string {
    const { timeMs, memoryMb } = this.limits;
    if (isLate) return `reading it takes longer than ${timeMs / 1000} seconds`;
    return OUT_OF_MEMORY.includes(ended) ? `reading it takes more than ${memoryMb} MB of memory` : `reading it fails (${String(ended)})`;
  }

  private start(): ChildProcess {
    const { memoryMb } = this.limits;
    const child = fork(PROGRAM, [String(memoryMb * MB)], {
      execArgv: [`--max-old-space-size=${Math.floor(memoryMb * HEAP_SHARE)}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Whatever a file may do to its reader, there are no keys to find.
      env: {},
    });
    const forget = () => {
      if (this.child !== child) return;
      clearTimeout(this.idle);
      this.child = undefined;
    };
    child.on('exit', forget);
    child.on('error', forget);
    return child;
  }

  /** Kept for the next file, without keeping this process from ending. */
  private rest(): void {
    const { child } = this;
    if (!child) return;
    child.unref();
    child.channel?.unref();
    this.idle = setTimeout(() => {
      this.child = undefined;
      child.disconnect();
    }, IDLE_MS).unref();
  }
}

/** One for all folders of this process. */
export const readerProcess = new ReaderProcess();
