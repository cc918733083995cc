import type { Statement } from '../statement/statement';
import { lifeFactsConflict, lifeFactsOf, type LifeFacts } from './life';

/** Of one provider, statements that may be about a life beyond these are left out: they bound the work. */
const MAX_LIVES = 100;

const ABOUT_A_LIFE = /\bborn\b|\b(?:died|dies|passed away)\b|\([^()]*\d{4}|\b(?:is|was) (?:an?|the) (?:\p{Ll}+ ){0,2}\p{Lu}/u;

interface Life {
  statement: Statement;
  facts: LifeFacts;
}

/**
 * Statements of different providers that give one person two births, deaths or nations, in the order of the statements. A provider that
 * contradicts itself speaks of several persons of one name: what it says of them is left out.
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

/** Places of the lives by each part of their names. */
function namesakesIn(lives: readonly Life[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [place, { facts }] of lives.entries())
    for (const part of facts.subject) places.set(part, [...(places.get(part) ?? []), place]);
  return places;
}

/** Places of the lives that may be of the same person, ascending: two names of one have a part in common. */
function namesakesOf({ facts }: Life, byName: ReadonlyMap<string, readonly number[]>): number[] {
  return [...new Set([...facts.subject].flatMap((part) => byName.get(part) ?? []))].sort((a, b) => a - b);
}

/** A surname alone is the person of that name that the report spoke of before. */
function inFull(subject: ReadonlySet<string>, before: readonly Life[]): ReadonlySet<string> {
  if (subject.size > 1) return subject;
  return before.find(({ facts }) => subject.isSubsetOf(facts.subject))?.facts.subject ?? subject;
}
