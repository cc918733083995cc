import type { Charge, Usage } from '@lib/domain/money';

import { withEarlyEnd } from '../early-end';
import { excerptOf } from '../excerpt';
import { countIn, countOrNone, objectIn, objectsIn, parseObject, textIn } from '../json';
import { costOf, totalOf, type Prices } from '../prices';
import type { RawResponse, ResearchReport } from '../research-provider';
import { citeSources } from '../sources';
import { endedRun, failureFromWords, wordsOf } from '../ended-run';
import { annotationsOf, type TextPart } from './grounding';
import type { Candidate, ContentPart, GenerateContentResponse, GroundingMetadata, UsageMetadata } from './wire';

const REFUSALS: readonly unknown[] = ['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'LANGUAGE'];

const COMPLETE: readonly unknown[] = ['STOP', 'FINISH_REASON_UNSPECIFIED', undefined];

export interface Answer {
  text: string;
  /** The parts that are joined into the text. */
  parts: readonly TextPart[];
  grounding: GroundingMetadata;
  /** Why the text is incomplete; null if it is complete. */
  earlyEnd: string | null;
  charge: Charge;
  model: string | null;
}

/**
 * Reads an answer.
 * @param estimateMicros the charge to assume where usage is missing
 * @throws ProviderError if the prompt or the answer was refused, with the charge
 */
export function answerOf(raw: RawResponse, prices: Prices, estimateMicros: number): Answer {
  const response: GenerateContentResponse = parseObject(raw);
  if (response.error) throw failureFromWords(wordsOf(response.error));
  const candidate: Candidate = objectsIn(response.candidates)[0] ?? {};
  const grounding: GroundingMetadata = objectIn(candidate.groundingMetadata);
  const charge = costOf(usageOf(response, grounding), prices, estimateMicros);
  const refused = textIn(objectIn(response.promptFeedback).blockReason) ?? refusalOf(candidate);
  if (refused !== null) throw endedRun('content_filtered', `The provider refused to answer: ${excerptOf(refused)}`, charge);
  const { finishReason } = candidate;
  const early = finishReason === 'MAX_TOKENS' ? 'it had used up its tokens' : `it ended with ${excerptOf(String(finishReason))}`;
  const parts = partsOf(candidate);
  const text = parts.map((part) => part.text).join('');
  return { text, parts, grounding, earlyEnd: COMPLETE.includes(finishReason) ? null : early, charge, model: textIn(response.modelVersion) };
}

/** Reads a grounded answer as a report. @throws ProviderError as `answerOf` */
export function parseGrounded(raw: RawResponse, prices: Prices, estimateMicros: number): ResearchReport {
  const { text, parts, grounding, earlyEnd, charge, model } = answerOf(raw, prices, estimateMicros);
  const { markdown, citations } = citeSources(text, annotationsOf(grounding, parts));
  return { markdown: earlyEnd === null ? markdown : withEarlyEnd(markdown, earlyEnd, charge), citations, charge, model };
}

function usageOf(response: GenerateContentResponse, { webSearchQueries }: GroundingMetadata): Usage {
  const usage: UsageMetadata = objectIn(response.usageMetadata);
  const input = totalOf([countIn(usage.promptTokenCount), countOrNone(usage.toolUsePromptTokenCount)]);
  const thoughts = countOrNone(usage.thoughtsTokenCount);
  const total = countIn(usage.totalTokenCount);
  // Google's APIs omit a count of 0, for example if the answer was blocked or ended while the model was still thinking.
  const rest = total === null ? null : Math.max(0, total - (input ?? 0) - (thoughts ?? 0));
  const written = usage.candidatesTokenCount === undefined ? rest : countIn(usage.candidatesTokenCount);
  return {
    inputTokens: input,
    cachedInputTokens: countIn(usage.cachedContentTokenCount),
    outputTokens: totalOf([written, thoughts]),
    searches: Array.isArray(webSearchQueries) ? webSearchQueries.length : 0,
  };
}

function refusalOf({ finishReason }: Candidate): string | null {
  return REFUSALS.includes(finishReason) ? String(finishReason) : null;
}

function partsOf(candidate: Candidate): TextPart[] {
  const parts: ContentPart[] = objectsIn(objectIn(candidate.content).parts);
  return parts.flatMap(({ text, thought }, index) => {
    const shown = thought === true ? null : textIn(text);
    return shown === null ? [] : [{ text: shown, index }];
  });
}
