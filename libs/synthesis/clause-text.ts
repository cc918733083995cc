import { COMMA, SPACE } from '@lib/language/reading/characters';
import type { Clause } from '@lib/language/reading/clauses';
import { after, partOf, replacing } from '@lib/language/reading/parts';
import type { Reading } from '@lib/language/reading/reading';
import { withSubject, type Reference } from './subject';

/** Participles that tell of the subject by themselves, before it or after: "Born in Rome, Ada …", "Ada is a singer born in Rome". */
const PARTICIPLES = new Set('born raised founded established built released educated trained'.split(' '));
/** Of the participle and of what follows it up to the subject. */
const LEAST_WORDS = 3;

/** Divides a participle before the subject from the clause that it introduces. */
export function withoutLead(clauses: readonly Clause[], { text, tokens }: Reading, { subject, at, start }: Reference): readonly Clause[] {
  const [first, ...others] = clauses;
  const subjectBegin = tokens[at];
  if (!first || !subject || at < LEAST_WORDS || first.to <= at || !PARTICIPLES.has(tokens[0]?.word.text ?? '')) return clauses;
  if (subjectBegin?.before !== (COMMA | SPACE)) return clauses;
  const end = text.slice(0, start).trimEnd().length - 1;
  return [{ from: 0, to: at, end }, { ...first, from: at }, ...others];
}

/** The part of a sentence with its subject: in the place of a pronoun at the beginning, or before what has none. */
export function completed(
  { from, to, end }: Clause,
  reading: Reading,
  text: string,
  reference: Reference,
): { text: string; reading: Reading } {
  const { subject, insert, at, start } = reference;
  const isLead = to <= at;
  const part = partOf(reading, from, to);
  if (!isLead && (from === 0 || from === at)) {
    const said = withSubject(text.slice(0, end), reference);
    return { text: from === 0 ? said : said.slice(start), reading: insert ? replacing(part, at - from, insert) : part };
  }
  const own = text.slice(reading.tokens[from]?.start, end);
  if (!subject) return { text: own, reading: part };
  if (PARTICIPLES.has(part.tokens[0]?.word.text ?? ''))
    return { text: `[${subject.text} was] ${own.charAt(0).toLowerCase()}${own.slice(1)}`, reading: after(subject, part) };
  return { text: `[${subject.text}] ${own}`, reading: after(subject, part) };
}
