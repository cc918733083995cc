import { isJsonObject } from '@lib/domain/json-object';

import { parsedObjectIn } from '../summary/json-in';

/** A quote as given by a model, not yet checked. */
export interface GivenQuote {
  /** The report's name in the prompt. */
  report: string;
  quote: string;
  /** The report's own numbers of the sources that the model names; null if it names none. */
  sources: number[] | null;
}

/** A model's proposal: quotes that say the same, or two that contradict each other. */
export interface GivenProposal {
  kind: 'claim' | 'dispute';
  quotes: GivenQuote[];
}

const MAX_PROPOSALS = 200;
const MAX_QUOTES = 12;
const MAX_QUOTE_LENGTH = 1_000;
const MAX_SOURCES = 20;
const PROPOSAL_END = /\}\s*\]\s*\}/g;

/**
 * The proposals in the JSON object of an answer, ignoring text around it. Unreadable proposals are skipped; of an answer that was cut off, those that
 * are whole are read.
 * @returns null for an answer without such an object
 */
export function readProposals(answer: string): GivenProposal[] | null {
  const value = parsedObjectIn(answer) ?? parsedObjectIn(cutAfterProposal(answer));
  if (!isJsonObject(value)) return null;
  const listOf = (kind: GivenProposal['kind'], list: unknown): GivenProposal[] =>
    Array.isArray(list) ? list.slice(0, MAX_PROPOSALS).flatMap((item: unknown) => readProposal(kind, item) ?? []) : [];
  if (!Array.isArray(value.claims) && !Array.isArray(value.disputes)) return null;
  return [...listOf('claim', value.claims), ...listOf('dispute', value.disputes)];
}

/** An answer that ended too early, up to its last whole proposal. Nothing of the answer is added but the brackets that were open. */
function cutAfterProposal(answer: string): string {
  const last = [...answer.matchAll(PROPOSAL_END)].at(-1);
  return last ? `${answer.slice(0, last.index + last[0].length)}]}` : '';
}

function readProposal(kind: GivenProposal['kind'], value: unknown): GivenProposal | null {
  if (!isJsonObject(value) || !Array.isArray(value.quotes) || value.quotes.length > MAX_QUOTES) return null;
  const quotes = (value.quotes as unknown[]).map(readQuote);
  return quotes.length > 0 && quotes.every((quote) => quote !== null) ? { kind, quotes } : null;
}

function readQuote(value: unknown): GivenQuote | null {
  if (!isJsonObject(value)) return null;
  const { report, quote, sources = null } = value;
  if (typeof report !== 'string' || typeof quote !== 'string' || quote.trim() === '' || quote.length > MAX_QUOTE_LENGTH) return null;
  if (sources === null) return { report, quote, sources };
  const areNumbers = Array.isArray(sources) && sources.length <= MAX_SOURCES && sources.every((source) => Number.isSafeInteger(source));
  return areNumbers ? { report, quote, sources: sources as number[] } : null;
}
