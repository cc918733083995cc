import { topicsToExplore } from '@lib/synthesis/exploration';
import { SYNTHESIS_TASKS } from '../../src/reports/synthesis-tasks';
import type { RunTask, Tasks } from '../../src/reports/report-pool';

const TASKS: Tasks = { ...SYNTHESIS_TASKS, topics: topicsToExplore };

/** Runs a task at once and without a thread, for tests that are about something else. */
export const runHere: RunTask = async (task, ...given) => (TASKS[task] as (...given: unknown[]) => never)(...given);
