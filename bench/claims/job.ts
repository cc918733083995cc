import type { Citation } from '@lib/domain/citation';
import { PROVIDERS } from '@lib/domain/vocabulary';
import type { SynthesisInput, SynthesisStep } from '@lib/synthesis/synthesis';
import type { Answer, Topic } from './answers';

/**
 * One topic as a job of the service: one completed step for each system, in the order of the provider identifiers.
 *
 * @param withSources false: as if no system had named any
 */
export function jobOf({ question, answers }: Topic, withSources = true): SynthesisInput {
  return { query: question, mode: 'fast', tier: 'L', steps: answers.map((answer, position) => stepOf(answer, position, withSources)) };
}

function stepOf(answer: Answer, position: number, withSources: boolean): SynthesisStep {
  const provider = PROVIDERS[position];
  if (!provider) throw new Error(`${answer.system} is one system too many: a job has at most ${String(PROVIDERS.length)}`);
  return {
    stepId: answer.system,
    provider,
    status: 'completed',
    reportMarkdown: answer.output,
    citations: withSources ? citationsOf(answer) : [],
    errorMessage: null,
    failure: null,
    truncated: false,
  };
}

/**
 * The sources behind the marks `[n]` of an answer. The data do not say which they were, only that two numbers are two pages, so each
 * number becomes a site of its own that no other system cites.
 */
function citationsOf({ system, output }: Answer): Citation[] {
  const numbers = new Set([...output.matchAll(/\[(\d{1,3})\]/g)].map(([, number]) => Number(number)));
  return [...numbers]
    .sort((a, b) => a - b)
    .map((index) => {
      const domain = `source-${String(index)}.${system.toLowerCase()}.example`;
      const unknown = { title: null, snippet: null, startIndex: null, endIndex: null, publishedAt: null };
      return { index, url: `https://${domain}/`, domain, ...unknown };
    });
}
