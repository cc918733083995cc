import { answerCalls } from './answer-calls';
import { REPORT_TASKS } from './report-tasks';

/** Loaded by a thread: what it is sent are calls of these tasks. */
export default answerCalls(REPORT_TASKS);
