import { relevance } from '@lib/language/models/relevance';

import type { Retrieved, RetrievedFacet } from '../finding/retrieve';
import { areFew } from '../question/few-documents';
import { meaningKey, meaningOf } from './meaning';
import { scoredUnits } from './scoring';

/** How many units of a question are judged, the best so far: each takes about 15 ms. 16 left a third of the gain out, 32 added nothing. */
const JUDGED = 24;
/** In characters: a longer question may tell at length what led to it. */
const LONG = 200;

/**
 * Among few documents has the best units read together with the question, which tells best which of them answer. Among many, where people ask in the
 * documents' own words, it changed nothing.
 * @throws Error if the model cannot be run, or `signal` is aborted
 */
export async function judgeRelevance(retrieved: Retrieved, signal: AbortSignal): Promise<Retrieved> {
  if (!areFew(retrieved.documents)) return retrieved;
  const facets: RetrievedFacet[] = [];
  for (const facet of retrieved.facets) {
    const meanings = bestOf(facet);
    const each = await relevance().of(askedIn(facet, retrieved), meanings, signal);
    const relevant = meanings.map((meaning, at): [number, number] => [meaningKey(meaning), rounded(each[at] ?? 0)]);
    facets.push({ ...facet, relevant });
  }
  return { ...retrieved, facets };
}

/** A long one begins with what is asked, because the model reads only the beginning. */
const askedIn = ({ text }: RetrievedFacet, { query }: Retrieved): string => (query.length > LONG ? `${text} ${query}` : query);

const rounded = (relevance: number): number => Math.round(relevance * 100) / 100;

function bestOf(facet: RetrievedFacet): string[] {
  const best = scoredUnits(facet).sort((one, other) => other.score - one.score);
  return [...new Set(best.map(({ passage, unit }) => meaningOf(passage, unit)))].slice(0, JUDGED);
}
