import { isJsonObject } from '@lib/domain/json-object';

import { parsedObjectIn } from './json-in';

/** A sentence as given by a model, not yet checked against its claims. */
export interface GivenSentence {
  text: string;
  claims: string[];
}

const MAX_SENTENCES = 80;
const MAX_CLAIMS = 12;
const MAX_SENTENCE_LENGTH = 800;

/**
 * The paragraphs in the JSON object of an answer, ignoring text around it and unknown properties.
 * @returns a message on what is wrong, if the answer cannot be read
 */
export function readAnswer(answer: string): GivenSentence[][] | string {
  const value = parsedObjectIn(answer);
  if (!isJsonObject(value) || !Array.isArray(value.sections)) return 'The answer is not a JSON object with a list "sections"';
  const sections: GivenSentence[][] = [];
  for (const section of value.sections as unknown[]) {
    if (!isJsonObject(section) || !Array.isArray(section.sentences)) return 'A section is not an object with a list "sentences"';
    const sentences = (section.sentences as unknown[]).map(readSentence);
    if (!sentences.every((sentence) => sentence !== null)) {
      return `A sentence is not an object with a "text" of 1 to ${MAX_SENTENCE_LENGTH} characters and "claims", a list of at most ${MAX_CLAIMS} ids`;
    }
    if (sentences.length > 0) sections.push(sentences);
  }
  const count = sections.flat().length;
  if (count === 0) return 'The answer has no sentence';
  return count > MAX_SENTENCES ? `The answer has ${count} sentences, more than ${MAX_SENTENCES}` : sections;
}

function readSentence(value: unknown): GivenSentence | null {
  if (!isJsonObject(value)) return null;
  const { text, claims } = value;
  if (typeof text !== 'string' || text.trim() === '' || text.length > MAX_SENTENCE_LENGTH) return null;
  if (!Array.isArray(claims) || claims.length > MAX_CLAIMS || !claims.every((id) => typeof id === 'string')) return null;
  return { text: text.toWellFormed().trim(), claims: [...new Set(claims)] };
}
