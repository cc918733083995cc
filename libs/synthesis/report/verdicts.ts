import type { Claim } from '../claims/claim-table';
import { LEAD_LENGTH } from './worth';
import type { Statement } from '../statement/statement';

/** Above or before what answers the question in a sentence. */
const ANSWERING =
  /\b(?:(?:short|quick|direct|brief) answer|answer in (?:brief|short)|bottom line|tl;?dr|verdict|quick take|in (?:short|brief|a nutshell)|key takeaways?|take-?away)\b/i;
/** The same, where the question asks what to choose or whether something is so. */
const ADVISING = /\b(?:recommend(?:ation|ed|ations)|my (?:pick|choice|advice|take|view)|should you)\b/i;
const ASKS_FOR_ADVICE =
  /^\s*(?:should|is|are|was|were|can|could|do|does|did|will|would|has|have|which)\b|\b(?:or|better|best|worth|should|recommend(?:ed)?)\b/i;
/** The same, of a text that answers in several sentences. */
const SUMMING = /\b(?:(?:executive )?(?:summary|overview)|conclusions?|introduction|at a glance|overall|to sum up)\b/i;

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
    const answering = inOrder.find(({ said }) => isBelow(said, ANSWERING) || (isAdviceAsked && isBelow(said, ADVISING)));
    const leading = inOrder.filter(({ said }) => isBelow(said, SUMMING) || said.start < LEAD_LENGTH);
    return answering?.claim ?? bestOf(leading.map(({ claim }) => claim)) ?? [];
  });
  return [...new Set(verdicts)];
}

/** It is understood without the sentence before it. */
const isAlone = ({ leansOn, quotation, isOfTable, before }: Statement): boolean =>
  leansOn === null && quotation === null && !isOfTable && before === null;

const isBelow = ({ headings, text }: Statement, words: RegExp): boolean =>
  words.test(headings?.levels.at(-1)?.text ?? '') || words.test(/^[^.:]{1,40}[.:](?=\s)/.exec(text)?.[0] ?? '');
