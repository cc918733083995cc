import type { Charge, Usage } from '@lib/domain/money';

import { utf16Offsets } from '../byte-offsets';
import { withEarlyEnd } from '../early-end';
import { countIn, countOrNone, objectIn, objectsIn, parseObject, textIn } from '../json';
import { costOf, totalOf, type Prices } from '../prices';
import type { ProviderError, RawResponse, ResearchReport } from '../research-provider';
import { readReferences } from '../reference-list';
import { citeSources, type Annotation } from '../sources';
import { endedRun, failureFromWords, wordsOf } from '../ended-run';
import type { Interaction, InteractionAnnotation, InteractionContent, InteractionStep, InteractionUsage } from './wire';

/** Statuses of runs that ended early; the text written so far is kept. */
const EARLY_ENDS: readonly unknown[] = ['incomplete', 'budget_exceeded'];

/**
 * Reads a finished interaction.
 * @param estimateMicros the charge to assume where usage is missing
 * @throws ProviderError if it failed, with the charge
 */
export function parseInteraction(raw: RawResponse, prices: Prices, estimateMicros: number): ResearchReport {
  const interaction: Interaction = parseObject(raw);
  const charge = chargeOf(interaction, prices, estimateMicros);
  const { status } = interaction;
  if (status !== 'completed' && !EARLY_ENDS.includes(status)) throw failureOf(interaction, charge);
  const { text, annotations } = reportOf(interaction);
  const { body, references } = readReferences(text);
  // The reference list normally ends the report and is cut off. Elsewhere it stays, since the offsets count the text before it.
  const { markdown, citations } = citeSources(text.startsWith(body) ? body : text, annotations, references);
  const whole = status === 'completed' ? markdown : withEarlyEnd(markdown, String(status), charge);
  return { markdown: whole, citations, charge, model: textIn(interaction.agent) ?? textIn(interaction.model) };
}

/** The cost of the interaction so far; the estimate where usage is missing. */
export function chargeOf(interaction: Interaction, prices: Prices, estimateMicros: number): Charge {
  return costOf(usageOf(objectIn(interaction.usage), interaction.steps), prices, estimateMicros);
}

function usageOf(usage: InteractionUsage, steps: unknown): Usage {
  return {
    inputTokens: totalOf([countIn(usage.total_input_tokens), countOrNone(usage.total_tool_use_tokens)]),
    cachedInputTokens: countIn(usage.total_cached_tokens),
    outputTokens: totalOf([countIn(usage.total_output_tokens), countOrNone(usage.total_thought_tokens)]),
    searches: searchesIn(usage.grounding_tool_count, steps),
  };
}

/** Where they are not counted, those that the steps show are the least that there were. Null if a count cannot be read. */
function searchesIn(told: unknown, steps: unknown): number | null {
  if (told === undefined || told === null) return objectsIn(steps).filter(({ type }) => type === 'google_search_call').length;
  const counts = objectsIn(told);
  if (!Array.isArray(told) || counts.length < told.length) return null;
  return totalOf(counts.map(({ count }) => countOrNone(count)));
}

function failureOf({ status, errors, error }: Interaction, charge: Charge): ProviderError {
  if (status === 'cancelled') return endedRun('unavailable', 'The run was cancelled at the provider', charge);
  if (status === 'requires_action') return endedRun('invalid_request', 'The run asked a question back and was stopped', charge);
  return failureFromWords(wordsOf(objectsIn(errors)[0] ?? error), charge);
}

/** The text of all outputs, each a block of its own, and their sources with offsets into it. */
function reportOf({ steps, outputs }: Interaction): { text: string; annotations: Annotation[] } {
  const written: InteractionStep[] = objectsIn(steps).filter(({ type }) => type === 'model_output');
  const annotations: Annotation[] = [];
  let text = '';
  for (const output of [...written.map(({ content }) => content), outputs]) {
    const parts = objectsIn(output).filter(({ type, text: part }: InteractionContent) => type === 'text' && textIn(part));
    if (text !== '' && parts.length > 0) text += '\n\n';
    for (const content of parts) {
      const part = textIn(content.text) ?? '';
      annotations.push(...annotationsOf(content, part, text.length));
      text += part;
    }
  }
  return { text, annotations };
}

function annotationsOf({ annotations }: InteractionContent, part: string, before: number): Annotation[] {
  const offset = utf16Offsets(part);
  return objectsIn(annotations).flatMap((annotation: InteractionAnnotation): Annotation[] => {
    const url = textIn(annotation.url);
    if (annotation.type !== 'url_citation' || url === null) return [];
    // Google's APIs omit default values, such as a start of 0.
    const start = offset(annotation.start_index ?? 0);
    const end = offset(annotation.end_index);
    const inside = start !== null && end !== null;
    const span = { startIndex: inside ? before + start : null, endIndex: inside ? before + end : null };
    return [{ url, title: textIn(annotation.title), ...span }];
  });
}
