import type { Statement } from '../statement/statement';
import { lifeFactsConflict, lifeFactsOf, type LifeFacts } from './life';

/** Further statements of a provider that may be about a life are ignored, to limit the work. */
const MAX_LIVES = 100;

const ABOUT_A_LIFE = /\bborn\b|\b(?:died|dies|passed away)\b|\([^()]*\d{4}|\b(?:is|was) (?:an?|the) (?:\p{Ll}+ ){0,2}\p{Lu}/u;

interface Life {
  statement: Statement;
  facts: LifeFacts;
}

/**
 * Pairs of statements of different providers that give one person two births, deaths or nationalities, in the order of the statements. A provider
 * that contradicts itself means several persons of the same name, so what it says of them is left out.
 */
export function conflictingLives(statements: readonly Statement[]): [Statement, Statement][] {
  const lives = [...Map.groupBy(statements, ({ provider }) => provider).values()].flatMap((own) => livesOf(own));
  const byName = namesakesIn(lives);
  return lives.flatMap((life, position) =>
    namesakesOf(life, byName)
      .filter((other) => other > position)
      .flatMap((other): [Statement, Statement][] => {
        const { statement, facts } = lives[other] ?? life;
        const isOther = statement.provider !== life.statement.provider;
        return isOther && lifeFactsConflict(life.facts, facts) ? [[life.statement, statement]] : [];
      }),
  );
}

function livesOf(statements: readonly Statement[]): Life[] {
  const lives: Life[] = [];
  let examined = 0;
  for (const statement of statements) {
    if (statement.leansOn !== null || !ABOUT_A_LIFE.test(statement.text)) continue;
    examined += 1;
    if (examined > MAX_LIVES) break;
    const facts = lifeFactsOf(statement.reading);
    if (facts) lives.push({ statement, facts: { ...facts, subject: inFull(facts.subject, lives) } });
  }
  const byName = namesakesIn(lives);
  return lives.filter(
    (life) => !namesakesOf(life, byName).some((other) => lifeFactsConflict(life.facts, lives[other]?.facts ?? life.facts)),
  );
}

/** For each part of a name, the indexes of the lives with that part. */
function namesakesIn(lives: readonly Life[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [place, { facts }] of lives.entries())
    for (const part of facts.subject) places.set(part, [...(places.get(part) ?? []), place]);
  return places;
}

/** Indexes of the lives that may be of the same person, ascending: two names of one person share a part. */
function namesakesOf({ facts }: Life, byName: ReadonlyMap<string, readonly number[]>): number[] {
  return [...new Set([...facts.subject].flatMap((part) => byName.get(part) ?? []))].sort((a, b) => a - b);
}

/** A surname alone means the person of that name mentioned earlier in the report. */
function inFull(subject: ReadonlySet<string>, before: readonly Life[]): ReadonlySet<string> {
  if (subject.size > 1) return subject;
  return before.find(({ facts }) => subject.isSubsetOf(facts.subject))?.facts.subject ?? subject;
}
