import type { ProviderId } from '@lib/domain/vocabulary';
import { parseBlocks } from '@lib/text/markdown';
import { isStopWord, stemOf, words } from '@lib/text/tokens';
import { byText } from './claim-table';
import { statementsOf, type Statement } from './claims';
import type { SynthesisInput, SynthesisStep } from './synthesis';

/** Something that reports mention without going into it. */
export interface FollowOnTopic {
  /** A question of its own. */
  text: string;
  rationale: string;
  /** Steps whose reports mention it. */
  stepIds: string[];
}

/** A report that says this many sentences about something covers it. */
const COVERED_BY_SENTENCES = 4;
const LONGEST_PHRASE = 3;
/** Two topics that share this much of their words are one. */
const SAME_TOPIC = 0.5;

interface Mention {
  phrase: string;
  stems: string[];
  /** Sentences by step. */
  sentences: Map<string, number>;
  /** Sentences that also speak of the question. */
  relevant: number;
}

/**
 * Topics worth steps of their own: mentioned by several reports and covered by few. Of one report alone, what it only mentions. Pure and deterministic,
 * best first; nothing that the question or an explored topic asks already.
 */
export function topicsToExplore(
  { query, steps }: Pick<SynthesisInput, 'query' | 'steps'>,
  explored: readonly string[],
  most: number,
): FollowOnTopic[] {
  const reported = steps.filter(({ status }) => status === 'completed').toSorted((a, b) => byText(a.stepId, b.stepId));
  const statements = reported.flatMap(statementsOf);
  const question = new Set(contentStems(query));
  const subject = subjectOf(query, statements);
  const headings = headingStems(reported);
  const providers = new Map(reported.map(({ stepId, provider }) => [stepId, provider]));
  const ranked = [...mentionsIn(statements, question).values()]
    .filter((mention) => isWorthExploring(mention, providers, headings))
    .map((mention) => ({ mention, score: scoreOf(mention, providers) }))
    .sort((a, b) => b.score - a.score || byText(a.mention.phrase, b.mention.phrase));
  const asked = explored.map(contentStems);
  const chosen: Mention[] = [];
  for (const { mention } of ranked) {
    if (chosen.length === most) break;
    if (![...asked, ...chosen.map(({ stems }) => stems)].some((other) => isSameTopic(mention.stems, other))) chosen.push(mention);
  }
  return chosen.map((mention) => topicOf(mention, subject, providers));
}

function topicOf({ phrase, sentences }: Mention, subject: string, providers: ReadonlyMap<string, ProviderId>): FollowOnTopic {
  const names = [...new Set([...sentences.keys()].flatMap((stepId) => providers.get(stepId) ?? []))].toSorted(byText);
  const count = [...sentences.values()].reduce((sum, each) => sum + each, 0);
  return {
    text: subject === '' ? `What is ${phrase}?` : `What is ${phrase} to ${subject}?`,
    rationale: `“${phrase}” is mentioned by ${names.join(', ')}, in ${count} ${count === 1 ? 'sentence' : 'sentences'} that explain no more of it.`,
    stepIds: [...sentences.keys()].toSorted(byText),
  };
}

function mentionsIn(statements: readonly Statement[], question: ReadonlySet<string>): Map<string, Mention> {
  const mentions = new Map<string, Mention>();
  for (const { text, stepId, stems } of statements) {
    const relevant = [...question].some((stem) => stems.has(stem)) ? 1 : 0;
    const seen = new Set<string>();
    for (const phrase of phrasesOf(text)) {
      const key = phrase.stems.join(' ');
      if (seen.has(key) || phrase.stems.some((stem) => question.has(stem))) continue;
      seen.add(key);
      const mention = mentions.get(key) ?? { ...phrase, sentences: new Map<string, number>(), relevant: 0 };
      mention.sentences.set(stepId, (mention.sentences.get(stepId) ?? 0) + 1);
      mention.relevant += relevant;
      mentions.set(key, mention);
    }
  }
  return mentions;
}

/** Two or three words that follow one another without a word of function between them, or one name or identifier. */
function phrasesOf(text: string): { phrase: string; stems: string[] }[] {
  const found: { phrase: string; stems: string[] }[] = [];
  for (const run of text.split(/[.,;:!?()[\]{}"“”|/—–]+(?:\s|$)|[()[\]{}"“”|]/)) {
    const tokens = run.split(/\s+/).filter((token) => token !== '');
    for (let start = 0; start < tokens.length; start += 1) {
      for (let length = 1; length <= LONGEST_PHRASE && start + length <= tokens.length; length += 1) {
        const phrase = phraseOf(tokens.slice(start, start + length), start > 0);
        if (phrase) found.push(phrase);
      }
    }
  }
  return found;
}

function phraseOf(tokens: readonly string[], isInside: boolean): { phrase: string; stems: string[] } | null {
  const plain = tokens.map((token) => words(token));
  if (plain.some(([word, ...more]) => word === undefined || more.length > 0 || isStopWord(word) || word.length < 3 || /^\d/.test(word)))
    return null;
  const isName = tokens.every((token) => /^\p{Lu}/u.test(token)) && isInside;
  const isIdentifier = tokens.some((token) => /[a-z][A-Z]|[a-z]\.[a-z]|_/.test(token));
  if (tokens.length === 1 && !isName && !isIdentifier) return null;
  // Verbs and adverbs end in these more often than names of things do.
  if (tokens.length > 1 && !isName && /(?:ly|ed|ing|es)$/.test(tokens.at(-1) ?? '')) return null;
  const phrase = tokens.join(' ').replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  return { phrase, stems: plain.flat().map(stemOf) };
}

function isWorthExploring(
  { stems, sentences }: Mention,
  providers: ReadonlyMap<string, ProviderId>,
  headings: readonly ReadonlySet<string>[],
): boolean {
  const reports = sentences.size;
  if (providers.size > 1 ? reports < 2 : (sentences.values().next().value ?? 0) < 2) return false;
  const covered = [...sentences.values()].filter((count) => count >= COVERED_BY_SENTENCES).length;
  return covered * 2 < reports && !headings.some((heading) => stems.every((stem) => heading.has(stem)));
}

/** Reports that mention it count most; a name of several words says more than one word; and what stands beside the question's words matters more. */
function scoreOf({ stems, sentences, relevant }: Mention, providers: ReadonlyMap<string, ProviderId>): number {
  const mentioning = new Set([...sentences.keys()].map((stepId) => providers.get(stepId))).size;
  const total = [...sentences.values()].reduce((sum, each) => sum + each, 0);
  return 3 * mentioning + Math.min(stems.length, 2) + (2 * relevant) / total + Math.min(total, 6) / 6;
}

/** What the question is about: of its words the two that most sentences repeat, in the question's order and spelling. */
function subjectOf(query: string, statements: readonly Statement[]): string {
  const spelled = query.split(/\s+/).flatMap((token) => {
    const [word, ...more] = words(token);
    return word === undefined || more.length > 0 || isStopWord(word)
      ? []
      : [{ token: token.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''), stem: stemOf(word) }];
  });
  const counted = spelled.map(({ token, stem }) => ({ token, count: statements.filter(({ stems }) => stems.has(stem)).length }));
  const most = counted.toSorted((a, b) => b.count - a.count).slice(0, 2);
  return counted
    .filter((word) => most.includes(word))
    .map(({ token }) => token)
    .join(' ');
}

const headingStems = (steps: readonly SynthesisStep[]): Set<string>[] =>
  steps.flatMap(({ reportMarkdown }) =>
    parseBlocks(reportMarkdown).flatMap(({ headings }) => headings.map((heading) => new Set(contentStems(heading)))),
  );

const contentStems = (text: string): string[] =>
  words(text)
    .filter((word) => !isStopWord(word))
    .map(stemOf);

function isSameTopic(mine: readonly string[], yours: readonly string[]): boolean {
  const shared = mine.filter((stem) => yours.includes(stem)).length;
  return shared / mine.length > SAME_TOPIC || (mine.length === 1 && shared === 1);
}
