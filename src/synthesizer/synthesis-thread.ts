import { parentPort, workerData } from 'node:worker_threads';
import { briefOf } from '@lib/synthesis/brief';
import { topicsToExplore } from '@lib/synthesis/exploration';
import { synthesize } from '@lib/synthesis/synthesize';

const TASKS = { synthesize, brief: briefOf, topics: topicsToExplore };
type Tasks = typeof TASKS;

/** What a synthesis thread is started with: a task and what it is given; the thread posts the result and ends. */
export type ThreadWork = { [Task in keyof Tasks]: { task: Task; given: Parameters<Tasks[Task]> } }[keyof Tasks];

const { task, given } = workerData as ThreadWork;
const run = TASKS[task] as (...given: unknown[]) => unknown;
parentPort?.postMessage(run(...given));
