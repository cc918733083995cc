import type { Charge, Usage } from '@lib/domain/money';

import { utf16Offsets } from '../byte-offsets';
import { withEarlyEnd } from '../early-end';
import { excerptOf } from '../excerpt';
import { countIn, objectIn, objectsIn, parseObject, textIn } from '../json';
import { costOf, type Prices } from '../prices';
import type { RawResponse, ResearchReport } from '../research-provider';
import type { GivenSource } from '../source-register';
import { citeSources, type Annotation } from '../sources';
import { endedRun, failureFromWords } from '../ended-run';
import type { Candidate, ContentPart, GenerateContentResponse, GroundingMetadata, GroundingSupport, UsageMetadata } from './wire';

const REFUSALS: readonly unknown[] = ['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'LANGUAGE'];

export interface Answer {
  text: string;
  grounding: GroundingMetadata;
  /** The token limit ended the text early. */
  isCutOff: boolean;
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
  const { code, status, message } = objectIn(response.error);
  if (response.error) throw failureFromWords([code, status, message]);
  const candidate: Candidate = objectsIn(response.candidates)[0] ?? {};
  const grounding: GroundingMetadata = objectIn(candidate.groundingMetadata);
  const charge = costOf(usageOf(response, grounding), prices, estimateMicros);
  const refused = textIn(objectIn(response.promptFeedback).blockReason) ?? refusalOf(candidate);
  if (refused !== null) throw endedRun('content_filtered', `The provider refused to answer: ${excerptOf(refused)}`, charge);
  const isCutOff = candidate.finishReason === 'MAX_TOKENS';
  return { text: textOf(candidate), grounding, isCutOff, charge, model: textIn(response.modelVersion) };
}

/** Reads a grounded answer as a report. @throws ProviderError as `answerOf` */
export function parseGrounded(raw: RawResponse, prices: Prices, estimateMicros: number): ResearchReport {
  const { text, grounding, isCutOff, charge, model } = answerOf(raw, prices, estimateMicros);
  const { markdown, citations } = citeSources(text, annotationsOf(grounding, text));
  return { markdown: isCutOff ? withEarlyEnd(markdown, 'it had used up its tokens') : markdown, citations, charge, model };
}

function usageOf(response: GenerateContentResponse, grounding: GroundingMetadata): Usage {
  const usage: UsageMetadata = objectIn(response.usageMetadata);
  const input = countIn(usage.promptTokenCount);
  const output = countIn(usage.candidatesTokenCount);
  return {
    inputTokens: input === null ? null : input + (countIn(usage.toolUsePromptTokenCount) ?? 0),
    cachedInputTokens: countIn(usage.cachedContentTokenCount),
    outputTokens: output === null ? null : output + (countIn(usage.thoughtsTokenCount) ?? 0),
    searches: Array.isArray(grounding.webSearchQueries) ? grounding.webSearchQueries.length : 0,
  };
}

function refusalOf({ finishReason }: Candidate): string | null {
  return REFUSALS.includes(finishReason) ? String(finishReason) : null;
}

function textOf(candidate: Candidate): string {
  const parts: ContentPart[] = objectsIn(objectIn(candidate.content).parts);
  return parts.flatMap(({ text, thought }) => (thought === true ? [] : (textIn(text) ?? []))).join('');
}

/** One annotation for each page of each support, then each page without a position, which counts if there are no supports. */
function annotationsOf({ groundingChunks, groundingSupports }: GroundingMetadata, text: string): Annotation[] {
  const pages = Array.isArray(groundingChunks) ? groundingChunks.map(pageOf) : [];
  const offset = utf16Offsets(text);
  const supported = objectsIn(groundingSupports).flatMap(({ segment, groundingChunkIndices }: GroundingSupport): Annotation[] => {
    const { startIndex = 0, endIndex } = objectIn(segment);
    const span = { startIndex: offset(startIndex), endIndex: offset(endIndex) };
    const positions: unknown[] = Array.isArray(groundingChunkIndices) ? groundingChunkIndices : [];
    return positions.flatMap((position) => {
      const page = pages[countIn(position) ?? -1];
      return page ? [{ ...page, ...span }] : [];
    });
  });
  const unplaced = pages.flatMap((page) => (page ? [{ ...page, startIndex: null, endIndex: null }] : []));
  return [...supported, ...unplaced];
}

function pageOf(chunk: unknown): GivenSource | null {
  const { uri, title } = objectIn(objectIn(chunk).web);
  const url = textIn(uri);
  return url === null ? null : { url, title: textIn(title) };
}
