import { isJsonObject, type JsonObject } from '@lib/domain/json-object';
import type { ErrorClass } from '@lib/domain/vocabulary';

import { withEarlyEnd } from '../early-end';
import { countIn, objectIn, objectsIn, textIn } from '../json';
import type { Prices } from '../prices';
import { ProviderError, type RawResponse, type ResearchReport } from '../research-provider';
import type { GivenSource } from '../source-register';
import { citeSources, type Annotation } from '../sources';
import { endedRun } from '../ended-run';
import { chargeOf } from './usage';
import type { ContentBlock, Message, TextCitation } from './wire';

/** A search can fail although the response has status 200. If all of them fail, the report has no basis. */
const SEARCH_FAILED: Readonly<Record<string, ErrorClass>> = { too_many_requests: 'rate_limited', unavailable: 'overloaded' };

const EARLY_ENDS: ReadonlyMap<string | null, string> = new Map([
  ['max_tokens', 'it had used up its tokens'],
  ['model_context_window_exceeded', 'what it read no longer fitted the model'],
  ['pause_turn', 'it was paused more often than its reservation covers'],
  ['tool_use', 'it asked for a tool that it was not given'],
]);

/**
 * Reads the turns of one answer.
 * @param estimateMicros the charge to assume where usage is missing
 * @throws ProviderError for a refusal and for searches that all failed, with the charge
 */
export function parseMessages(raw: RawResponse, prices: Prices, estimateMicros: number): ResearchReport {
  const turns = turnsIn(raw);
  const charge = chargeOf(turns, prices, estimateMicros);
  const { stop_reason, model } = turns.at(-1) ?? { stop_reason: null, model: null };
  if (stop_reason === 'refusal') throw endedRun('content_filtered', 'The model refused to answer', charge);
  const blocks = turns.flatMap(({ content }) => content);
  const failed = searchFailure(blocks);
  if (failed !== null) throw endedRun(SEARCH_FAILED[failed] ?? 'malformed', `All searches of the run failed: ${failed}`, charge);
  const { text, annotations } = reportOf(blocks);
  if (stop_reason === 'pause_turn' && text.trim() === '') {
    throw endedRun('quota', 'The answer was paused before it said anything, and the reservation does not cover another turn', charge);
  }
  const { markdown, citations } = citeSources(text, annotations);
  const early = EARLY_ENDS.get(stop_reason);
  return { markdown: early === undefined ? markdown : withEarlyEnd(markdown, early, charge), citations, charge, model };
}

function turnsIn(raw: RawResponse): Message[] {
  const turns: unknown = JSON.parse(raw);
  if (!Array.isArray(turns)) throw new ProviderError('malformed', 'The response is not a list of messages');
  return turns.filter(isJsonObject).map((turn) => ({
    model: textIn(turn.model),
    content: objectsIn(turn.content),
    stop_reason: textIn(turn.stop_reason),
    usage: objectIn(turn.usage),
  }));
}

/** The error code, if there were searches or fetches and all of them failed. */
function searchFailure(blocks: readonly ContentBlock[]): string | null {
  const results = blocks.filter(isToolResult);
  const codes = results.flatMap(({ content }) => textIn(objectIn(content).error_code)?.slice(0, 60) ?? []);
  return codes.length < results.length ? null : (codes[0] ?? null);
}

/** Longer text says more than what the model is about to do. In UTF-16 units. */
const MAX_ANNOUNCEMENT_LENGTH = 300;

/** The text with its sources. Short text before a tool use is left out if it cites nothing: it only announces what the model is about to do. */
function reportOf(blocks: readonly ContentBlock[]): { text: string; annotations: Annotation[] } {
  const kept = textRuns(blocks).filter((run) => run.isLast || run.texts.some(cites) || lengthOf(run) > MAX_ANNOUNCEMENT_LENGTH);
  const sourceOf = sourceLookup(blocks);
  const annotations: Annotation[] = [];
  let text = '';
  for (const [position, run] of kept.entries()) {
    if (position > 0) text += '\n\n';
    for (const block of run.texts) {
      const part = textIn(block.text) ?? '';
      const span = { startIndex: text.length, endIndex: text.length + part.length };
      text += part;
      for (const citation of objectsIn(block.citations)) {
        const source = sourceOf(citation);
        if (source) annotations.push({ ...source, ...span });
      }
    }
  }
  return { text, annotations };
}

interface TextRun {
  texts: ContentBlock[];
  /** No tool was used after it. */
  isLast: boolean;
}

const cites = ({ citations }: ContentBlock): boolean => objectsIn(citations).length > 0;

const lengthOf = ({ texts }: TextRun): number => texts.reduce((sum, { text }) => sum + (textIn(text)?.length ?? 0), 0);

/** The text blocks between uses of tools. */
function textRuns(blocks: readonly ContentBlock[]): TextRun[] {
  const runs: TextRun[] = [{ texts: [], isLast: true }];
  for (const block of blocks) {
    const run = runs.at(-1);
    if (block.type === 'text') run?.texts.push(block);
    else if (run && (isToolResult(block) || block.type === 'server_tool_use')) {
      run.isLast = false;
      runs.push({ texts: [], isLast: true });
    }
  }
  return runs.filter((run) => lengthOf(run) > 0);
}

/** Finds the source that a citation names by URL or as the number of a fetched page, with what the search said about it. */
function sourceLookup(blocks: readonly ContentBlock[]): (citation: TextCitation) => GivenSource | null {
  const results = blocks.flatMap(({ type, content }) => (type === 'web_search_tool_result' ? objectsIn(content) : []));
  const ages = new Map(results.map(({ url, page_age }) => [url, publishedAt(page_age)]));
  const fetched = blocks.filter(({ type }) => type === 'web_fetch_tool_result').map(({ content }) => objectIn(content));
  const pages = fetched.filter(({ url }) => textIn(url) !== null);
  return ({ url, title, cited_text, document_index }) => {
    const page: JsonObject = pages[countIn(document_index) ?? -1] ?? {};
    const named = textIn(url) ?? textIn(page.url);
    if (named === null) return null;
    const pageTitle = textIn(title) ?? textIn(objectIn(page.content).title);
    return { url: named, title: pageTitle, snippet: textIn(cited_text), publishedAt: ages.get(named) ?? null };
  };
}

/** The API writes dates as `April 30, 2025`; ages such as `2 days ago` name no date. */
function publishedAt(pageAge: unknown): string | null {
  const day = /^[A-Z][a-z]+ \d{1,2}, \d{4}$/.exec(textIn(pageAge) ?? '')?.[0];
  const time = Date.parse(`${day} UTC`);
  return day === undefined || Number.isNaN(time) ? null : new Date(time).toISOString().slice(0, 10);
}

function isToolResult({ type }: ContentBlock): boolean {
  return type === 'web_search_tool_result' || type === 'web_fetch_tool_result';
}
