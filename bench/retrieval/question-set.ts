import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { listDocuments, type DocumentFolder } from '@lib/providers/corpus/folder/folder';
import { NotADocument, type Document, type Passage } from '@lib/providers/corpus/formats/passages';
import { readDocument } from '@lib/providers/corpus/formats/read-document';
import { isStopWord, words } from '@lib/language/tokens';

/** A document without the headings of its sections: what is searched. */
export interface BareDocument {
  document: Document;
  passages: Passage[];
}

/** The heading of a section with those above it, and the passages of that section. */
export interface HeadingQuestion {
  text: string;
  /** Numbers of the passages, counted through all documents. */
  answers: ReadonlySet<number>;
  half: 'tune' | 'report';
}

export interface QuestionSet {
  documents: BareDocument[];
  questions: HeadingQuestion[];
}

/** Most questions from one document, so that a long reference does not dominate the set. */
const PER_DOCUMENT = 5;
const MAX_QUESTIONS = 2000;
/** A shorter section is only a pointer or a stub. */
const MIN_LETTERS = 300;
/** A longer section would be found whatever the question. */
const MAX_PASSAGES = 3;

/**
 * Questions made from the structure of documents: each is the heading of a section, with the headings above; its answer is the section.
 * A section's own heading is taken out of the searched text, so that only what the section says can tell that it is the answer.
 */
export async function questionSet(folder: DocumentFolder): Promise<QuestionSet> {
  const documents: BareDocument[] = [];
  const candidates: HeadingQuestion[] = [];
  let first = 0;
  const { files } = await listDocuments(folder);
  const seen = new Set<string>();
  for (const { path } of files) {
    const content = await readFile(join(folder.path, path));
    const digest = createHash('sha256').update(content).digest('hex');
    const read = seen.has(digest) ? null : await readDocument(path, content).catch(nothingOfOthers);
    seen.add(digest);
    if (!read) continue;
    candidates.push(...questionsOf(read.passages, first));
    documents.push({ document: read.document, passages: read.passages.map(withoutOwnHeading) });
    first += read.passages.length;
  }
  return { documents, questions: chosen(candidates) };
}

function nothingOfOthers(error: unknown): null {
  if (error instanceof NotADocument) return null;
  throw error;
}

const withoutOwnHeading = (passage: Passage): Passage => ({ ...passage, headings: passage.headings.slice(0, -1) });

function questionsOf(passages: readonly Passage[], first: number): HeadingQuestion[] {
  const sections = Map.groupBy(passages.entries(), ([, { headings }]) => headings.join('\n'));
  const questions = [...sections].flatMap(([path, section]): HeadingQuestion[] => {
    const headings = path.split('\n');
    const hasParts = [...sections.keys()].some((other) => other.startsWith(`${path}\n`));
    const letters = section.reduce((sum, [, { chunks }]) => sum + chunks.reduce((length, { text }) => length + text.length, 0), 0);
    const own = words(headings.at(-1) ?? '').filter((word) => !isStopWord(word));
    if (hasParts || headings.length < 2 || own.length < 2 || letters < MIN_LETTERS || section.length > MAX_PASSAGES) return [];
    const text = headings.toReversed().join(', ');
    return [{ text, answers: new Set(section.map(([at]) => first + at)), half: halfOf(text) }];
  });
  return questions.sort(byDigest).slice(0, PER_DOCUMENT);
}

/** A question that two documents would answer has no right answer. */
function chosen(candidates: readonly HeadingQuestion[]): HeadingQuestion[] {
  const same = Map.groupBy(candidates, ({ text }) => text.toLowerCase());
  return [...same.values()]
    .flatMap((questions) => (questions.length === 1 ? questions : []))
    .sort(byDigest)
    .slice(0, MAX_QUESTIONS);
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const halfOf = (text: string): HeadingQuestion['half'] =>
  Number.parseInt(digestOf(`half of ${text}`).slice(0, 2), 16) < 128 ? 'tune' : 'report';
const byDigest = (left: HeadingQuestion, right: HeadingQuestion): number => (digestOf(left.text) < digestOf(right.text) ? -1 : 1);
