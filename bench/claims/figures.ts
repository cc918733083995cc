import { CONFIDENCES, type Confidence } from '@lib/domain/vocabulary';
import type { RecordedClaim } from '@lib/domain/job/recorded-report';
import { synthesizeWithSummary } from '@lib/synthesis/summary/summary';
import { verifyProposals } from '@lib/synthesis/proposals/verify';
import { splitSentences } from '@lib/language/sentences';
import type { Topic } from './answers';
import { placedFacts, type FactReader, type PlacedFact } from './facts';
import { jobOf } from './job';

/** A labelled fact, the claim that states it with the most confidence, and how many other systems state it too. */
export interface JudgedFact extends PlacedFact {
  topic: string;
  claim: RecordedClaim | null;
  otherSystems: number;
}

/** One line of the table of confidence and truth. */
export interface LevelFigures {
  confidence: Confidence;
  claims: number;
  /** Facts with a label S or NS that claims of this confidence state, and how many of them are true (S). */
  facts: number;
  trueFacts: number;
  /** Those of these facts that are true and that another system states too. */
  sharedTrueFacts: number;
}

export interface Figures {
  topics: number;
  levels: LevelFigures[];
  /** Labelled facts S and NS, those that a claim states, and the true ones that two or more systems state. */
  facts: number;
  extracted: number;
  sharedTrueFacts: number;
}

/** What the synthesizer made of one topic, and what people found. */
export interface JudgedTopic {
  name: string;
  claims: RecordedClaim[];
  facts: JudgedFact[];
}

/**
 * Sends one topic through the synthesizer of the service and finds the claim behind each labelled fact.
 * @param proposed what a model answered when it was asked to compare the reports; null if none was asked
 */
export function judge(topic: Topic, reader: FactReader, withSources: boolean, proposed: string | null = null): JudgedTopic {
  const input = jobOf(topic, withSources);
  const accepted = proposed === null ? null : verifyProposals(input, proposed);
  const { claims } = synthesizeWithSummary(input, { reason: 'the bench asks for none' }, accepted);
  const sentences = topic.answers.map(({ system, output }) => ({ system, texts: splitSentences(output).map(({ text }) => text) }));
  const facts = topic.answers.flatMap(placedFacts).map((fact): JudgedFact => {
    const others = sentences.filter(({ system }) => system !== fact.system);
    return {
      ...fact,
      topic: topic.name,
      claim: claimOf(fact, topic.name, claims, reader),
      otherSystems: others.filter(({ texts }) => texts.some((text) => reader.states(text, fact.text, topic.name))).length,
    };
  });
  return { name: topic.name, claims, facts };
}

/** The claim must rest on a quote that overlaps the fact's own sentence, and its text must state the fact. */
function claimOf(fact: PlacedFact, topic: string, claims: readonly RecordedClaim[], reader: FactReader): RecordedClaim | null {
  const stating = claims.filter(
    ({ claim, supporting }) =>
      supporting.some(({ stepId, start, end }) => stepId === fact.system && start < fact.end && end > fact.start) &&
      reader.states(claim, fact.text, topic),
  );
  return stating.toSorted((a, b) => CONFIDENCES.indexOf(a.confidence) - CONFIDENCES.indexOf(b.confidence))[0] ?? null;
}

/** The figures of some topics together. */
export function figuresOf(judged: readonly JudgedTopic[]): Figures {
  const claims = judged.flatMap((topic) => topic.claims);
  const facts = judged.flatMap((topic) => topic.facts).filter(({ label }) => label !== 'IR');
  return {
    topics: judged.length,
    levels: CONFIDENCES.map((confidence) => levelOf(confidence, claims, facts)),
    facts: facts.length,
    extracted: facts.filter(({ claim }) => claim).length,
    sharedTrueFacts: facts.filter(isSharedAndTrue).length,
  };
}

function levelOf(confidence: Confidence, claims: readonly RecordedClaim[], facts: readonly JudgedFact[]): LevelFigures {
  const stated = facts.filter(({ claim }) => claim?.confidence === confidence);
  return {
    confidence,
    claims: claims.filter((claim) => claim.confidence === confidence).length,
    facts: stated.length,
    trueFacts: stated.filter(({ label }) => label === 'S').length,
    sharedTrueFacts: stated.filter(isSharedAndTrue).length,
  };
}

const isSharedAndTrue = ({ label, otherSystems }: JudgedFact): boolean => label === 'S' && otherSystems > 0;
