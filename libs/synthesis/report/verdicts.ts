import type { Claim } from '../claims/claim-table';
import { LEAD_LENGTH } from './worth';
import { isShared } from '../claims/who-says';
import { ANSWERING, isLedBy, SUMMING } from '../sentences/answering';
import type { Statement } from '../statement/statement';

/** Marks a direct answer, for a question what to choose or whether something is so. */
const ADVISING = /^\[?(?:yes|no)\b|\b(?:recommend(?:ation|ed|ations)|my (?:pick|choice|advice|take|view)|should you)\b/i;
const ASKS_FOR_ADVICE =
  /^\s*(?:should|is|are|was|were|can|could|do|does|did|will|would|has|have|which)\b|\b(?:or|better|best|worth|should|recommend(?:ed)?)\b/i;

/** Most sentences of a provider's own answer: what it says first is mostly its conclusion, and the next ones limit it. */
const MAX_OF_STEP = 3;

/**
 * Each provider's own answer in its own words: the sentences below "Short answer" or "Recommendation", otherwise the best sentence of its summary or
 * beginning. A sentence that is shown below a claim counts as that claim, and a shared one appears once.
 * @param most how many there are at most, if each provider has one
 */
export function verdictsIn(
  claims: readonly Claim[],
  samePoint: ReadonlyMap<Claim, readonly Claim[]>,
  query: string,
  bestOf: (some: readonly Claim[]) => Claim | undefined,
  most: number,
): Claim[] {
  const isAdviceAsked = ASKS_FOR_ADVICE.test(query);
  const told = claims.flatMap((claim) =>
    [claim, ...(samePoint.get(claim) ?? [])].flatMap(({ supporting }) =>
      supporting.filter((said) => isAlone(said, query)).map((said) => ({ claim, said })),
    ),
  );
  const verdicts = [...Map.groupBy(told, ({ said }) => said.stepId).values()].map((ofStep) => {
    const inOrder = ofStep.toSorted((one, other) => one.said.start - other.said.start);
    const isLed = ({ said }: { said: Statement }): boolean => isLedBy(ANSWERING, said) || (isAdviceAsked && isLedBy(ADVISING, said));
    const answering = inOrder.find((one) => isLed(one) || (isAdviceAsked && saysWhether(one.said, query)));
    const leading = inOrder.filter(
      ({ claim, said }) =>
        isLedBy(SUMMING, said) || (said.start < LEAD_LENGTH && setsNoScene(said, isShared(claim) || samePoint.has(claim))),
    );
    const first = answering?.claim ?? bestOf(leading.map(({ claim }) => claim));
    const others = answering ? inOrder.filter(({ said }) => isLedBy(ANSWERING, said) || goesOnWith(answering.said, said)) : [];
    return [...new Set(first ? [first, ...others.map(({ claim }) => claim)] : [])].slice(0, MAX_OF_STEP);
  });
  return inTurns(verdicts, most);
}

/** Whether both stand below one heading, such as "Recommendation". */
const goesOnWith = (first: Statement, said: Statement): boolean =>
  isLedBy(ADVISING, first) && isLedBy(ADVISING, said) && first.headings?.levels.at(-1)?.text === said.headings?.levels.at(-1)?.text;

/** The first item of each list, then the second ones as long as there are fewer than `most`, and so on; in the order of the lists. */
function inTurns<Item>(lists: readonly (readonly Item[])[], most: number): Item[] {
  const taken = new Set<Item>(lists.flatMap((list) => list.slice(0, 1)));
  for (let turn = 1; turn < MAX_OF_STEP; turn += 1)
    for (const item of lists.flatMap((list) => list.slice(turn, turn + 1))) if (taken.size < most) taken.add(item);
  return [...new Set(lists.flat())].filter((item) => taken.has(item));
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
