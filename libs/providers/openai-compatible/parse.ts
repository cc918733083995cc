import type { Charge } from '@lib/domain/money';

import { withEarlyEnd } from '../early-end';
import { excerptOf } from '../excerpt';
import { countIn, objectIn, objectsIn, parseObject, textIn } from '../json';
import { costOf, reportedDollars } from '../prices';
import { reasoningLength } from '../reasoning';
import type { RawResponse, ResearchReport } from '../research-provider';
import { citeSources, type Annotation } from '../sources';
import { endedRun, failureFromWords } from '../ended-run';
import type { OpenAiCompatibleOptions } from './options';
import type { ChatChoice, ChatCompletion, ChatMessage, ChatUrlCitation, ChatUsage } from './wire';

type Pricing = Pick<OpenAiCompatibleOptions, 'prices' | 'webSearchResults'>;

export interface Answer {
  message: ChatMessage;
  /** Everything that the model wrote, reasoning included. */
  text: string;
  /** Length of the reasoning at the text's start. */
  reasoning: number;
  /** The token limit ended the text early. */
  isCutOff: boolean;
  charge: Charge;
  model: string | null;
}

/**
 * Reads a chat completion.
 * @param reservedMicros the charge to assume where usage is missing, unless the server is free
 * @throws ProviderError for a refusal or an error inside the response, with the charge
 */
export function answerOf(raw: RawResponse, pricing: Pricing, reservedMicros: number): Answer {
  const completion: ChatCompletion = parseObject(raw);
  const charge = chargeOf(objectIn(completion.usage), pricing, reservedMicros);
  const choice: ChatChoice = objectsIn(completion.choices)[0] ?? {};
  for (const error of [completion.error, choice.error]) {
    const { code, message } = objectIn(error);
    if (error) throw failureFromWords([code, message], charge);
  }
  const message: ChatMessage = objectIn(choice.message);
  const refusal = textIn(message.refusal) ?? (choice.finish_reason === 'content_filter' ? 'content_filter' : null);
  if (refusal !== null) throw endedRun('content_filtered', `The model refused to answer: ${excerptOf(refusal)}`, charge);
  const text = textIn(message.content) ?? '';
  const isCutOff = choice.finish_reason === 'length';
  return { message, text, reasoning: reasoningLength(text), isCutOff, charge, model: textIn(completion.model) };
}

/** Reads a chat completion as a report. @throws ProviderError as `answerOf` */
export function parseChatCompletion(raw: RawResponse, pricing: Pricing, reservedMicros: number): ResearchReport {
  const { message, text, reasoning, isCutOff, charge, model } = answerOf(raw, pricing, reservedMicros);
  const { markdown, citations } = citeSources(text.slice(reasoning), annotationsOf(message, reasoning));
  return { markdown: isCutOff ? withEarlyEnd(markdown, 'it had used up its tokens') : markdown, citations, charge, model };
}

/** The charge that the gateway reports, else the price of the tokens, else the reservation (nothing for a free server). */
function chargeOf(told: ChatUsage, { prices, webSearchResults }: Pricing, reservedMicros: number): Charge {
  const usage = {
    inputTokens: countIn(told.prompt_tokens),
    cachedInputTokens: countIn(objectIn(told.prompt_tokens_details).cached_tokens),
    outputTokens: countIn(told.completion_tokens),
    searches: webSearchResults > 0 ? 1 : 0,
  };
  const isFree = Object.values(prices).every((price) => price === 0);
  return costOf(usage, prices, isFree ? 0 : reservedMicros, reportedDollars(told.cost));
}

/** The sources, with offsets into the answer without its reasoning. */
function annotationsOf({ annotations }: ChatMessage, start: number): Annotation[] {
  const after = (offset: unknown): number | null => {
    const units = countIn(offset);
    return units === null || units < start ? null : units - start;
  };
  return objectsIn(annotations).flatMap((annotation): Annotation[] => {
    const citation: ChatUrlCitation = annotation.url_citation === undefined ? annotation : objectIn(annotation.url_citation);
    const url = textIn(citation.url);
    if (annotation.type !== 'url_citation' || url === null) return [];
    const span = { startIndex: after(citation.start_index), endIndex: after(citation.end_index) };
    return [{ url, title: textIn(citation.title), snippet: textIn(citation.content), ...span }];
  });
}
