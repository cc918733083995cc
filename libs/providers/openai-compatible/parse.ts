import type { JsonObject } from '@lib/domain/json-object';
import type { Charge } from '@lib/domain/money';
import { sourceKey } from '@lib/language/source-key';

import { withEarlyEnd } from '../early-end';
import { excerptOf } from '../excerpt';
import { countIn, objectIn, objectsIn, parseObject, textIn } from '../json';
import { scanTokens } from '../marks';
import { costOf, reportedDollars, reportedTicks } from '../prices';
import { reasoningLength } from '../reasoning';
import type { RawResponse, ResearchReport } from '../research-provider';
import type { GivenSource } from '../source-register';
import { citeSources, type Annotation } from '../sources';
import { endedRun, failureFromWords, wordsOf } from '../ended-run';
import type { OpenAiCompatibleOptions } from './options';
import type { ChatChoice, ChatCompletion, ChatMessage, ChatUrlCitation, ChatUsage } from './wire';

type Pricing = Pick<OpenAiCompatibleOptions, 'prices' | 'webSearchResults'>;

const EARLY_ENDS: ReadonlyMap<unknown, string> = new Map([
  ['length', 'it had used up its tokens'],
  ['error', 'the server behind the gateway failed while it wrote'],
]);

export interface Answer {
  message: ChatMessage;
  /** Everything that the model wrote, reasoning included. */
  text: string;
  /** Length of the reasoning at the text's start. */
  reasoning: number;
  /** Why the text is incomplete; null if it is complete. */
  earlyEnd: string | null;
  /** The sources of its marks `[1]`, `[2]` … */
  numbered: ReadonlyMap<number, GivenSource>;
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
  const message: ChatMessage = objectIn(choice.message);
  const text = contentOf(message);
  const errors = [completion.error, choice.error].filter(Boolean).map(wordsOf);
  // What was written before the error was paid for.
  if (errors[0] && text === '') throw failureFromWords(errors[0], charge);
  const refusal = textIn(message.refusal) ?? (choice.finish_reason === 'content_filter' ? 'content_filter' : null);
  if (refusal !== null) throw endedRun('content_filtered', `The model refused to answer: ${excerptOf(refusal)}`, charge);
  const isBrokenOff = errors.flat().some((word) => typeof word === 'string' || typeof word === 'number');
  const earlyEnd = EARLY_ENDS.get(choice.finish_reason) ?? (isBrokenOff ? EARLY_ENDS.get('error') : null) ?? null;
  if (text === '' && choice.finish_reason === 'error') throw failureFromWords(['server_error'], charge);
  const thoughts = textIn(message.reasoning_content) ?? textIn(message.reasoning);
  if (text === '' && thoughts !== null && earlyEnd === null) throw endedRun('malformed', 'The answer holds nothing but reasoning', charge);
  const numbered = numberedSources(completion);
  return { message, text, reasoning: reasoningLength(text), earlyEnd, numbered, charge, model: textIn(completion.model) };
}

/** Some servers give the content in parts; some of the parts are reasoning. */
function contentOf({ content }: ChatMessage): string {
  if (!Array.isArray(content)) return textIn(content) ?? '';
  return objectsIn(content)
    .flatMap(({ type, text }) => (type === 'text' ? (textIn(text) ?? []) : []))
    .join('');
}

/** The source lists of Perplexity's models, which gateways pass on. */
function numberedSources({ search_results: results, citations }: ChatCompletion): Map<number, GivenSource> {
  const listed = objectsIn(results).length > 0 ? results : citations;
  const pages: unknown[] = Array.isArray(listed) ? listed : [];
  // An invalid page still takes up its number, because the marks count it too.
  const numbered = pages.map((page, position): [number, GivenSource] => {
    const { url, title, snippet, date }: JsonObject = typeof page === 'string' ? { url: page } : objectIn(page);
    return [position + 1, { url: textIn(url) ?? '', title: textIn(title), snippet: textIn(snippet), publishedAt: textIn(date) }];
  });
  return new Map(numbered.filter(([, { url }]) => url !== ''));
}

/** Reads a chat completion as a report. @throws ProviderError as `answerOf` */
export function parseChatCompletion(raw: RawResponse, pricing: Pricing, reservedMicros: number): ResearchReport {
  const { message, text, reasoning, earlyEnd, numbered, charge, model } = answerOf(raw, pricing, reservedMicros);
  const answer = text.slice(reasoning);
  const { markdown, citations } = citeSources(answer, placedAtLinks(answer, annotationsOf(message, reasoning)), numbered);
  return { markdown: earlyEnd === null ? markdown : withEarlyEnd(markdown, earlyEnd, charge), citations, charge, model };
}

/** The charge that the gateway reports; otherwise the price of the tokens; otherwise the reservation (nothing for a free server). */
function chargeOf(told: ChatUsage, { prices, webSearchResults }: Pricing, reservedMicros: number): Charge {
  const usage = {
    inputTokens: countIn(told.prompt_tokens),
    cachedInputTokens: countIn(objectIn(told.prompt_tokens_details).cached_tokens),
    outputTokens: outputTokensIn(told),
    searches: webSearchResults > 0 ? 1 : 0,
  };
  const isFree = Object.values(prices).every((price) => price === 0);
  return costOf(usage, prices, isFree ? 0 : reservedMicros, reportedBy(told));
}

/** Some servers, such as xAI's, count reasoning only in the total, and bill it as output. */
function outputTokensIn({ prompt_tokens, completion_tokens, total_tokens }: ChatUsage): number | null {
  const [input, output, total] = [countIn(prompt_tokens), countIn(completion_tokens), countIn(total_tokens)];
  return input === null || output === null || total === null ? output : Math.max(output, total - input);
}

/** If OpenRouter calls a model with the customer's own key, its `cost` is only a fee: the model's provider bills the rest. */
function reportedBy({ cost, cost_in_usd_ticks: ticks, is_byok: isByok, cost_details: details }: ChatUsage): Charge | null {
  if (isByok !== true) return reportedDollars(cost) ?? reportedDollars(objectIn(cost).total_cost) ?? reportedTicks(ticks);
  const { upstream_inference_cost: upstream } = objectIn(details);
  return typeof cost === 'number' && typeof upstream === 'number' ? reportedDollars(cost + upstream) : null;
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

/**
 * Where OpenRouter searches for a model, it tells the model to link the pages that it cites. If no annotation says where its page is cited, the links
 * do. A link to a page without an annotation stays a mere link, since the search did not find that page.
 */
function placedAtLinks(text: string, annotations: readonly Annotation[]): readonly Annotation[] {
  if (annotations.some(({ startIndex, endIndex }) => (startIndex ?? 0) < (endIndex ?? 0))) return annotations;
  const annotated = new Set(annotations.map(({ url }) => sourceKey(url)));
  const links = scanTokens(text)
    .filter((token) => token.kind === 'link')
    .filter(({ url }) => annotated.has(sourceKey(url)));
  return [...annotations, ...links.map(({ url, start, end }) => ({ url, startIndex: start, endIndex: end }))];
}
