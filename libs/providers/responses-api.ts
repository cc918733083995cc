import { withEarlyEnd } from './early-end';
import { excerptOf } from './excerpt';
import { noStateOf, requireSameRun } from './accepted-run';
import { objectIn, objectsIn, parseObject, textIn } from './json';
import type { JsonObject } from '@lib/domain/json-object';
import type { Charge } from '@lib/domain/money';
import type { ProviderError, RawResponse, ResearchReport } from './research-provider';
import type { GivenSource } from './source-register';
import { citeSources, type Annotation } from './sources';
import { endedRun, failureFromWords, wordsOf } from './ended-run';

/** The response of a Responses API, as OpenAI, Perplexity and xAI share it. Fields are `unknown` until they are checked. */
export interface ResponseObject extends JsonObject {
  id?: unknown;
  model?: unknown;
  /** `queued` or `in_progress`; then `completed`, `incomplete`, `failed`, `cancelled` or `requires_action`. */
  status?: unknown;
  /** `{reason}`, such as `max_output_tokens` or `content_filter`. */
  incomplete_details?: unknown;
  /** Items: `message`, `reasoning`, `web_search_call` … */
  output?: unknown;
  /** `{code, type, message}` of a failed response. */
  error?: unknown;
}

/** Sources that the response lists outside its text. */
export interface MoreSources {
  /** Sources of the marks `[n]` in the text. */
  numbered?: ReadonlyMap<number, GivenSource>;
  /** Sources of the answer as a whole. */
  unplaced?: readonly string[];
}

export function isRunning({ status }: ResponseObject): boolean {
  return status === 'queued' || status === 'in_progress';
}

const ENDS: readonly unknown[] = ['completed', 'incomplete', 'failed', 'cancelled', 'requires_action'];

export const isOver = ({ status }: ResponseObject): boolean => ENDS.includes(status);

/**
 * Reads the answer to a poll.
 * @throws ProviderError if that says nothing of the run, or is about another one
 */
export function polledResponse(externalId: string, stepId: string, raw: RawResponse): ResponseObject {
  const response: ResponseObject = parseObject(raw);
  requireSameRun(externalId, stepId, response);
  if (!isRunning(response) && !isOver(response)) throw noStateOf(externalId, response);
  return response;
}

export interface Answer {
  text: string;
  annotations: Annotation[];
  /** Why the text is incomplete; null if it is complete. */
  earlyEnd: string | null;
}

/** Reads the text of a finished response. @throws ProviderError if there is none, with the charge where it is known */
export function answerOf(response: ResponseObject, charge: Charge): Answer {
  const { text, annotations, refusal } = readOutput(response.output);
  const reason = textIn(objectIn(response.incomplete_details).reason);
  if (refusal !== null) throw endedRun('content_filtered', `The provider refused to answer: ${excerptOf(refusal)}`, charge);
  if (reason === 'content_filter') throw endedRun('content_filtered', "The provider's filter stopped the answer", charge);
  if (response.status !== 'completed' && response.status !== 'incomplete') throw failureOf(response, charge);
  return { text, annotations, earlyEnd: response.status === 'completed' ? null : (reason ?? 'it did not say why') };
}

/** The report of a finished response. @throws ProviderError as `answerOf` */
export function reportOf(response: ResponseObject, charge: Charge, { numbered, unplaced = [] }: MoreSources = {}): ResearchReport {
  const { text, annotations, earlyEnd } = answerOf(response, charge);
  const others = unplaced.map((url) => ({ url, startIndex: null, endIndex: null }));
  const { markdown, citations } = citeSources(text, [...annotations, ...others], numbered);
  const whole = earlyEnd === null ? markdown : withEarlyEnd(markdown, earlyEnd, charge);
  return { markdown: whole, citations, charge, model: textIn(response.model) };
}

function failureOf({ status, error }: ResponseObject, charge: Charge): ProviderError {
  if (status === 'cancelled') return endedRun('unavailable', 'The run was cancelled at the provider', charge);
  if (status === 'requires_action') return endedRun('invalid_request', 'The run asked something back and was stopped', charge);
  return failureFromWords(wordsOf(error), charge);
}

interface Output {
  text: string;
  annotations: Annotation[];
  /** The model's refusal to answer. */
  refusal: string | null;
}

/** The joined text of the answer's messages, with annotations moved to their places in it. */
function readOutput(output: unknown): Output {
  const messages = objectsIn(output).filter(({ type }) => type === 'message');
  const answers = messages.filter(({ phase }) => phase !== 'commentary');
  const read: Output = { text: '', annotations: [], refusal: null };
  for (const { content } of answers.length > 0 ? answers : messages) {
    if (read.text !== '') read.text += '\n\n';
    for (const part of objectsIn(content)) {
      if (part.type === 'refusal') read.refusal ??= textIn(part.refusal);
      if (part.type !== 'output_text') continue;
      read.annotations.push(...annotationsOf(part, read.text.length));
      read.text += textIn(part.text) ?? '';
    }
  }
  return read;
}

function annotationsOf({ annotations, text }: JsonObject, before: number): Annotation[] {
  // Searched once for all annotations: a search for each took minutes in a text that consists only of brackets.
  const marks = new Set(Array.from((textIn(text) ?? '').matchAll(/\[(\d{1,5})\]/g), ([, number]) => number));
  return objectsIn(annotations).flatMap((annotation): Annotation[] => {
    const { url, title, start_index: start, end_index: end } = annotation;
    const given = textIn(url);
    if (given === null) return [];
    const isSpan = typeof start === 'number' && typeof end === 'number' && start >= 0 && start < end;
    const span = isSpan ? { startIndex: before + start, endIndex: before + end } : { startIndex: null, endIndex: null };
    // xAI gives the number of the source's mark in the text as the title, where other APIs give the name of the page.
    const named = textIn(title);
    return [{ url: given, title: named !== null && marks.has(named) ? null : named, ...span }];
  });
}
