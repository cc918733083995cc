import type { ProviderId } from '@lib/domain/vocabulary';
import { parseBlocks } from '@lib/language/markdown/blocks';
import { nounPhrases } from '@lib/language/noun-phrases';
import { stems as stemsIn } from '@lib/language/tokens';
import { readTogether, statementsOf } from './statement/read-report';
import type { Statement } from './statement/statement';
import type { SynthesisInput, SynthesisStep } from './synthesis';
import { byText, reportsByStep } from './step-order';
import { providersOf } from './claims/who-says';

/** Something that reports mention without covering it. */
export interface TopicToExplore {
  /** As the reports name it; the provider asked about it also gets the job's question. */
  text: string;
  rationale: string;
  /** Steps whose reports mention it. */
  stepIds: string[];
}

/** A report with this many sentences about a topic covers it. */
const COVERED_BY_SENTENCES = 4;
const MAX_PHRASE_WORDS = 3;
/** A sentence with this many words of the question is about it; a single one occurs in many other sentences. */
const RELEVANT_WORDS = 2;
const LOWER_CASE_WORD = /(?<![\p{L}\p{N}])\p{Ll}+/gu;
/** Limit per report. */
const MAX_STATEMENTS = 200;

interface Mention {
  phrase: string;
  stems: readonly string[];
  providers: Set<ProviderId>;
  /** Number of sentences for each step. */
  sentences: Map<string, number>;
  /** Number of sentences that also speak of the question. */
  relevant: number;
}

/**
 * Topics worth steps of their own: mentioned by several reports and covered by few or, with a single report, mentioned there more than once. Best
 * first, without topics of the question or already explored ones. Pure and deterministic.
 */
export function topicsToExplore(
  { query, steps }: Pick<SynthesisInput, 'query' | 'steps'>,
  explored: readonly string[],
  most: number,
): TopicToExplore[] {
  const reported = reportsByStep(steps);
  const mentions = mentionsIn(reported, query);
  const headings = headingsOf(reported);
  const reports = providersOf(reported).length;
  const ranked = [...mentions.values()]
    .filter((mention) => isMentionedAndNotCovered(mention, reports, headings))
    .sort((a, b) => scoreOf(b) - scoreOf(a) || byText(a.phrase, b.phrase));
  const taken = explored.map(stemsIn);
  const chosen: Mention[] = [];
  for (const mention of ranked) {
    if (chosen.length === most) break;
    if (taken.some((other) => mention.stems.some((stem) => other.includes(stem)))) continue;
    taken.push([...mention.stems]);
    chosen.push(mention);
  }
  return chosen.map((mention) => topicOf(mention, reported));
}

function topicOf({ phrase, sentences }: Mention, steps: readonly SynthesisStep[]): TopicToExplore {
  const mentioning = steps.filter(({ stepId }) => sentences.has(stepId));
  const providers = providersOf(mentioning).toSorted(byText);
  const count = countOf(sentences);
  return {
    text: phrase,
    rationale: `“${phrase}” is mentioned by ${providers.join(', ')} in ${count} ${count === 1 ? 'sentence' : 'sentences'}, and no report goes into it.`,
    stepIds: mentioning.map(({ stepId }) => stepId),
  };
}

function mentionsIn(steps: readonly SynthesisStep[], query: string): Map<string, Mention> {
  const question = new Set(stemsIn(query));
  const together = readTogether(steps, query);
  const asked = together.sentences.read(together.question).reading.stems;
  const statements = steps.flatMap((step) => statementsOf(step, together).slice(0, MAX_STATEMENTS));
  const common = new Set(statements.flatMap(({ text }) => text.match(LOWER_CASE_WORD) ?? []));
  const mentions = new Map<string, Mention>();
  for (const statement of statements) {
    const isRelevant = asked.intersection(statement.stems).size >= Math.min(RELEVANT_WORDS, asked.size);
    for (const [key, { phrase, stems }] of phrasesOf(statement, question, common)) {
      const mention = mentions.get(key) ?? { phrase, stems, providers: new Set(), sentences: new Map<string, number>(), relevant: 0 };
      mention.providers.add(statement.provider);
      mention.sentences.set(statement.stepId, (mention.sentences.get(statement.stepId) ?? 0) + 1);
      mention.relevant += isRelevant ? 1 : 0;
      mentions.set(key, mention);
    }
  }
  return mentions;
}

/**
 * The phrases of several words, names and identifiers of a sentence that the question lacks; other single words are not topics.
 * @param common words that the reports also write in lower case, so they are not names when capitalised
 */
function phrasesOf(
  { text }: Statement,
  question: ReadonlySet<string>,
  common: ReadonlySet<string>,
): Map<string, Pick<Mention, 'phrase' | 'stems'>> {
  const found = new Map<string, Pick<Mention, 'phrase' | 'stems'>>();
  for (const phrase of nounPhrases(text)) {
    const tokens = phrase.split(/\s+/);
    const stems = stemsIn(phrase);
    const isIdentifier = /\p{Ll}\p{Lu}|\p{L}[._]\p{L}/u.test(phrase);
    const isName = /^\p{Lu}/u.test(phrase) && !text.trimStart().startsWith(phrase) && !common.has(phrase.toLowerCase());
    const isTopic = tokens.length > 1 ? tokens.length <= MAX_PHRASE_WORDS && stems.length === tokens.length : isIdentifier || isName;
    if (isTopic && stems.length > 0 && !stems.some((stem) => question.has(stem))) found.set(stems.join(' '), { phrase, stems });
  }
  return found;
}

function isMentionedAndNotCovered(
  { stems, providers, sentences, relevant }: Mention,
  reports: number,
  headings: readonly ReadonlySet<string>[],
): boolean {
  if (reports > 1 ? providers.size < 2 : countOf(sentences) < 2) return false;
  if (relevant * 2 < countOf(sentences)) return false;
  const covering = [...sentences.values()].filter((count) => count >= COVERED_BY_SENTENCES).length;
  return covering * 2 < sentences.size && !headings.some((heading) => stems.every((stem) => heading.has(stem)));
}

/** Prefers topics that most reports mention, and close to what the question asks. */
const scoreOf = ({ sentences, relevant }: Mention): number => sentences.size + relevant / countOf(sentences);

const countOf = (sentences: ReadonlyMap<string, number>): number => [...sentences.values()].reduce((sum, count) => sum + count, 0);

const headingsOf = (steps: readonly SynthesisStep[]): Set<string>[] =>
  steps.flatMap(({ reportMarkdown }) =>
    parseBlocks(reportMarkdown).flatMap((block) => (block.kind === 'heading' ? [new Set(stemsIn(block.text))] : [])),
  );
