import type { Claim } from '../claims/claim-table';
import { LEAD_LENGTH } from './worth';
import { isShared } from '../claims/who-says';
import { ANSWERING, isLedBy, SUMMING } from '../sentences/answering';
import type { Statement } from '../statement/statement';

/** Marks a direct answer, for a question what to choose or whether something is so. */
const ADVISING = /^\[?(?:yes|no)\b|\b(?:recommend(?:ation|ed|ations)|my (?:pick|choice|advice|take|view)|should you)\b/i;
const ASKS_FOR_ADVICE =
  /^\s*(?:should|is|are|was|were|can|could|do|does|did|will|would|has|have|which)\b|\b(?:or|better|best|worth|should|recommend(?:ed)?)\b/i;

/**
 * Each provider's verdict in its own words: below "Short answer" or "Recommendation", otherwise the best sentence of its summary or beginning. At
 * most one claim per step, or the claim under which it is shown; a shared verdict appears once.
 */
export function verdictsIn(
  claims: readonly Claim[],
  samePoint: ReadonlyMap<Claim, readonly Claim[]>,
  query: string,
  bestOf: (some: readonly Claim[]) => Claim | undefined,
): Claim[] {
  const isAdviceAsked = ASKS_FOR_ADVICE.test(query);
  const told = claims.flatMap((claim) =>
    [claim, ...(samePoint.get(claim) ?? [])].flatMap(({ supporting }) =>
      supporting.filter((said) => isAlone(said, query)).map((said) => ({ claim, said })),
    ),
  );
  const verdicts = [...Map.groupBy(told, ({ said }) => said.stepId).values()].flatMap((ofStep) => {
    const inOrder = ofStep.toSorted((one, other) => one.said.start - other.said.start);
    const answering = inOrder.find(
      ({ said }) => isLedBy(ANSWERING, said) || (isAdviceAsked && (isLedBy(ADVISING, said) || saysWhether(said, query))),
    );
    const leading = inOrder.filter(
      ({ claim, said }) =>
        isLedBy(SUMMING, said) || (said.start < LEAD_LENGTH && setsNoScene(said, isShared(claim) || samePoint.has(claim))),
    );
    return answering?.claim ?? bestOf(leading.map(({ claim }) => claim)) ?? [];
  });
  return [...new Set(verdicts)];
}

/** Whether a sentence is not just an introduction: it has a figure or a choice, or another report makes the same point. */
const setsNoScene = (said: Statement, isStatedBySeveral: boolean): boolean =>
  isStatedBySeveral || said.reading.numbers.size > 0 || CHOOSING.test(said.text);
const CHOOSING = /\b(?:recommend(?:ation|ed|ations|s)?|my (?:choice|advice|take|view)|would|should|choose|pick|worth)\b/i;

/** Whether a report begins with "Yes" or "No", or says so in reply to the question. */
const saysWhether = ({ start, text, before }: Statement, question: string): boolean =>
  (start < LEAD_LENGTH && /^(?:yes|no)\b[,.:;–—]/i.test(text)) || (before === question && /\b(?:yes|no)\b/i.test(text));

/** Whether it can be understood without the sentence before it, or behind the question. */
const isAlone = ({ leansOn, quotation, isOfTable, before }: Statement, question: string): boolean =>
  (leansOn === null || leansOn === question) && quotation === null && !isOfTable && (before === null || before === question);
