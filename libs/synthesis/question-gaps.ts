import { stems, words } from '@lib/language/tokens';
import type { Claim } from './claim-table';

/** They say what kind of answer is wanted, not what about. */
const REQUESTS = new Set(
  `answer biography bio brief briefly compare comparison describe detail details difference differences differ discuss example examples
  explain explanation find give good best information kind kinds know list main mean means overview please question show summarise
  summarize summary tell thing things use used using want way ways work works write`.split(/\s+/),
);
const MOST = 5;

/** Words of the question that no claim mentions, in their order, at most a few. */
export function questionGaps(query: string, claims: readonly Claim[]): string[] {
  const asked = words(query.replace(/\bhttps?:\/\/\S+/gi, ' ')).filter((word) => !REQUESTS.has(word) && !/^.$/u.test(word));
  const uncovered = new Set(asked.flatMap(stems));
  for (const { text } of claims) {
    if (uncovered.size === 0) return [];
    for (const stem of stems(text)) uncovered.delete(stem);
  }
  const missing = asked.filter((word) => stems(word).some((stem) => uncovered.has(stem)));
  return [...new Set(missing)].slice(0, MOST);
}
