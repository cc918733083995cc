import type { Confidence, ContradictionCue } from '@lib/domain/vocabulary';
import type { Reading } from '@lib/language/reading/reading';
import { groupAgreeing, type Group } from '../agreement/agreement';
import { NO_OPPONENTS, opponentsOf, type Opponents } from './opponents';
import { mostInformative } from './most-informative';
import { withoutRepetition } from './repetition';
import { mayStandForOthers } from '../comparison/headings';
import { closed } from '../statement/clause-text';
import type { Statement } from '../statement/statement';
import { rowOfCells } from '../statement/table-row';
import { compare, type Comparison } from '../comparison/comparison';
import { confidenceOf, stepsWithSources, type Trust } from './confidence';
import { isLabelled } from '../contradiction/main-part';
import { findContradictions } from '../contradiction/contradiction';
import { withoutContained } from './contained';
import { leaningAlone, withoutLonely } from './leaning';
import { byComparison, sameQuotations } from './quoted';
import { inContext, inOneBracket, placed, sharedBefore, standsAlike, withUnknownApart } from './said-behind';
import { placeKey } from '../proposals/accepted';
import { byModelAlone, notAgreed, NOTHING_PROPOSED, withAgreements, withDisputes, withSides } from '../proposals/proposed';
import { providersOf } from './who-says';
import { byProviderAndStep } from '../step-order';

/** A claim with the statements behind it, which hold more than the recorded evidence. */
export interface Claim {
  text: string;
  /** The reading of its text. */
  reading: Reading;
  /** Derived from who supports and contradicts it. What others say on the same point may raise it: `confidenceShown`. */
  confidence: Confidence;
  /** Sorted by provider, step and place, like `contradicting`; a report that says both stands on both sides. */
  supporting: readonly Statement[];
  contradicting: readonly Statement[];
  /** For each of `contradicting`, the cue that shows that it and the claim cannot both hold. */
  cues: ReadonlyMap<Statement, ContradictionCue>;
}

export interface ClaimTable {
  claims: readonly Claim[];
  /** Whether the reports contain more claims than these. */
  isCut: boolean;
  /** How many proposed disputes were left out, since the rules saw that both sides say the same. */
  overruled: number;
}

/** How many groups are considered for each claim wanted. */
const CONSIDERED = 2;
const RELEVANCE_WEIGHT = 4;
/** Ranks a statement that a model selected as important before its equals. */
const CHOSEN_WEIGHT = 1;

/**
 * The claims of a job, best first, at most `most`: by confidence, then disputed ones before those of a single provider, then by relevance to the
 * question. Pass the sentences sorted by provider, step and place, because that order breaks ties.
 */
export function claimTable(
  sentences: readonly Statement[],
  question: ReadonlySet<string>,
  most: number,
  { agreements, disputes, chosen, inOtherWords } = NOTHING_PROPOSED,
): ClaimTable {
  const { compared, listed } = byComparison(sentences);
  const comparison = compare(withoutLonely(compared), question);
  const found = findContradictions(comparison);
  const kept = disputes.length === 0 ? disputes : notAgreed(disputes, groupAgreeing(comparison, found));
  const contradictions = withDisputes(found, kept);
  const groups = withSides(withAgreements(groupAgreeing(comparison, contradictions), agreements, contradictions), kept, contradictions);
  const opponents = opponentsOf(groups, contradictions);
  const sourced = stepsWithSources(sentences.filter(({ leansOn }) => leansOn === null));
  const understood = groups.filter((group) => group[0].leansOn === null || opponents.has(group));
  const ranked = [
    ...withUnknownApart(rejoined(understood, opponents, comparison), (group) => opponents.has(group)),
    ...sameQuotations(listed),
    ...leaningAlone(sentences, understood),
  ]
    .map((group) => {
      const trust = { sourced, inOtherWords: byModelAlone(group, inOtherWords) };
      const claim = claimOf(group, opponents.get(group) ?? NO_OPPONENTS, trust, question);
      return {
        group,
        claim,
        precedence: precedenceOf(claim),
        rank: rankOf(group, question) + (group.some((statement) => chosen.has(statement)) ? CHOSEN_WEIGHT : 0),
      };
    })
    .sort((a, b) => b.precedence - a.precedence || b.rank - a.rank);
  const told = withoutRepetition(ranked, comparison, CONSIDERED * most);
  const claims = withoutContained(mostInformative(told, comparison, most).map(({ claim }) => claim));
  return { claims, isCut: told.length > most, overruled: disputes.length - kept.length };
}

/** A sentence is only split into clauses if these have different supporters or opponents. Of a row, the cells that nobody else tells stay together. */
function rejoined(groups: readonly Group[], opponents: ReadonlyMap<Group, unknown>, { sentences, places }: Comparison): Group[] {
  const bySentence = Map.groupBy(groups, ([first]) => sentences[places.get(first) ?? -1]);
  return [...bySentence].flatMap(([sentence, parts]) => {
    if (!sentence || parts.length < 2) return parts;
    const witnesses = new Set(parts.map(stepsOf));
    if (parts.length === sentence.clauses.length && witnesses.size === 1 && !parts.some((group) => opponents.has(group)))
      return [[sentence, ...oncePerPlace(parts.flatMap(([, ...others]) => others))] satisfies Group];
    const alone = sentence.isOfTable ? parts.filter((group) => stepsOf(group) === sentence.stepId && !opponents.has(group)) : [];
    if (alone.length < 2) return parts;
    const cells = alone.map(([cell]) => cell);
    return [...parts.filter((group) => !alone.includes(group)), [rowOfCells(sentence, cells)] satisfies Group];
  });
}

const stepsOf = (group: Group): string => [...new Set(group.map(({ stepId }) => stepId))].sort().join(' ');

/** The cells of a table row all quote the whole row, so each place is kept once. */
const oncePerPlace = (statements: readonly Statement[]): Statement[] => [
  ...new Map(statements.map((statement) => [placeKey(statement), statement])).values(),
];

function claimOf(group: Group, cues: Opponents, trust: Trust, question: ReadonlySet<string>): Claim {
  const supporting = inOrder(group);
  const [said] = group;
  const contradicting = cues.size === 0 ? [] : firstPerStep(inOrder([...cues.keys()]));
  const isAlike = standsAlike(said, supporting, contradicting);
  // Reports may mean different things by a sentence that names no subject; it cannot be trusted, nor understood without the sentence before it.
  const isNameless = supporting.length > 1 && said.namesNothing && !isAlike;
  const leansAlone = said.leansOn !== null && contradicting.length === 0;
  const before = isNameless ? sharedBefore(said, supporting, question) : isAlike || leansAlone ? said.before : null;
  const own = placed(said, supporting, before);
  const inPlace = own === said.text && supporting.length > 1 ? inContext(said, supporting, question) : own;
  const text = ended(said, inPlace);
  const byWitnesses = isNameless || leansAlone || said.isUnknown ? 'low' : confidenceOf(said, supporting, contradicting.length > 0, trust);
  const isInDoubt = byWitnesses === 'high' && supporting.some((other) => other !== said && mayStandForOthers(said, other, question));
  const confidence = isInDoubt ? 'medium' : byWitnesses;
  return { text, reading: said.reading, confidence, supporting, contradicting, cues };
}

/** A row of a table, a quotation, and a label such as "Revenue: $46.3B" are not completed as sentences. */
function ended({ isOfTable, quotation, reading }: Statement, text: string): string {
  if (isOfTable || quotation) return text;
  return inOneBracket(isLabelled(reading) ? text.replace(/[;,]$/, '') : closed(text));
}

function precedenceOf({ confidence, contradicting }: Claim): number {
  if (contradicting.length > 0) return 1;
  return { high: 3, medium: 2, low: 0 }[confidence];
}

function rankOf(group: Group, question: ReadonlySet<string>): number {
  const { stems, worth, quotation } = group[0];
  if (quotation) return RELEVANCE_WEIGHT / (1 + Math.min(...group.map((statement) => statement.quotation?.place ?? Infinity)));
  let mentioned = 0;
  for (const term of question) if (stems.has(term)) mentioned += 1;
  const relevance = question.size === 0 ? 0 : mentioned / question.size;
  return RELEVANCE_WEIGHT * relevance + worth + (group.length === 1 ? 1 : providersOf(group).length);
}

/** The first statement of each step: one sentence is enough to show that a report disagrees. The statements of a step must be adjacent. */
function firstPerStep(statements: readonly Statement[]): readonly Statement[] {
  return statements.filter(({ stepId }, at) => statements[at - 1]?.stepId !== stepId);
}

function inOrder(statements: readonly Statement[]): readonly Statement[] {
  const isSorted = statements.every((statement, at) => at === 0 || compareOrder(statements[at - 1] ?? statement, statement) <= 0);
  return isSorted ? statements : statements.toSorted(compareOrder);
}

function compareOrder(one: Statement, other: Statement): number {
  return byProviderAndStep(one, other) || one.start - other.start;
}
