/** How passages are found; `strategies.ts` has a function for each name. */
export const CORPUS_STRATEGIES = ['lexical', 'dense', 'structural', 'feedback', 'fused'] as const;
export type CorpusStrategy = (typeof CORPUS_STRATEGIES)[number];
