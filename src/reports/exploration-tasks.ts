import { topicsToExplore } from '@lib/synthesis/exploration';
import { answerCalls } from './answer-calls';

export const EXPLORATION_TASKS = { topics: topicsToExplore };

/** Loaded only by a thread that looks for topics, since the tagger of parts of speech takes 25 MB and 0.15 s to load. */
export default answerCalls(EXPLORATION_TASKS);
