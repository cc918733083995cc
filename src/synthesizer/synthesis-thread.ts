import { parentPort, workerData } from 'node:worker_threads';
import { briefOf } from '@lib/synthesis/brief';
import type { SynthesisInput } from '@lib/synthesis/synthesis';
import { synthesize } from '@lib/synthesis/synthesize';

/** What a synthesis thread is started with; it posts the result and ends. */
export interface ThreadWork {
  task: keyof typeof TASKS;
  input: SynthesisInput;
}

const TASKS = { synthesize, brief: briefOf };

const { task, input } = workerData as ThreadWork;
parentPort?.postMessage(TASKS[task](input));
