import type { Claim } from '../claims/claim-table';
import { LEAD_LENGTH } from './worth';
import { isShared } from '../claims/who-says';
import { ANSWERING, isLedBy, SUMMING } from '../sentences/answering';
import type { Statement } from '../statement/statement';

/** Above what answers the question in a sentence, where the question asks what to choose or whether something is so. */
const ADVISING = /^\[?(?:yes|no)\b|\b(?:recommend(?:ation|ed|ations)|my (?:pick|choice|advice|take|view)|should you)\b/i;
const ASKS_FOR_ADVICE =
  /^\s*(?:should|is|are|was|were|can|could|do|does|did|will|would|has|have|which)\b|\b(?:or|better|best|worth|should|recommend(?:ed)?)\b/i;

/**
 * What each provider answers in a sentence, as its report says it itself: below "Short answer" or "Recommendation", else the best of a summary or of its
 * beginning. Of each step one of the claims at most, or the one under which its own stands; what several say once.
 */
export function verdictsIn(
  claims: readonly Claim[],
  samePoint: ReadonlyMap<Claim, readonly Claim[]>,
  query: string,
  bestOf: (some: readonly Claim[]) => Claim | undefined,
): Claim[] {
  const isAdviceAsked = ASKS_FOR_ADVICE.test(query);
  const told = claims.flatMap((claim) =>
    [claim, ...(samePoint.get(claim) ?? [])].flatMap(({ supporting }) => supporting.filter(isAlone).map((said) => ({ claim, said }))),
  );
  const verdicts = [...Map.groupBy(told, ({ said }) => said.stepId).values()].flatMap((ofStep) => {
    const inOrder = ofStep.toSorted((one, other) => one.said.start - other.said.start);
    const answering = inOrder.find(({ said }) => isLedBy(ANSWERING, said) || (isAdviceAsked && isLedBy(ADVISING, said)));
    const leading = inOrder.filter(
      ({ claim, said }) =>
        isLedBy(SUMMING, said) || (said.start < LEAD_LENGTH && setsNoScene(said, isShared(claim) || samePoint.has(claim))),
    );
    return answering?.claim ?? bestOf(leading.map(({ claim }) => claim)) ?? [];
  });
  return [...new Set(verdicts)];
}

/** With a figure or a choice, or what another report speaks of too, a report hardly begins by setting the scene. */
const setsNoScene = (said: Statement, isStatedBySeveral: boolean): boolean =>
  isStatedBySeveral || said.reading.numbers.size > 0 || CHOOSING.test(said.text);
const CHOOSING = /\b(?:recommend(?:ation|ed|ations|s)?|my (?:choice|advice|take|view)|would|should|choose|pick|worth)\b/i;

/** It is understood without the sentence before it. */
const isAlone = ({ leansOn, quotation, isOfTable, before }: Statement): boolean =>
  leansOn === null && quotation === null && !isOfTable && before === null;
