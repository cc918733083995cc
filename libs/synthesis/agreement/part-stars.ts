import { oneHoldsTheOther } from '@lib/language/sets';
import type { Comparison } from '../comparison/comparison';
import { alignWords, type WordAlignment } from '../alignment/edits';
import { beginAlike } from '../difference/leftover';
import { turnsRelation } from '../difference/relations';
import type { Statement } from '../statement/statement';
import { saidInOtherWords } from './listed-names';
import { nameTheSame } from './support';
import { addSupport, distinct, providerCountOf, SHARED_BEGINNING, type Star } from './star';

/** To list the same things of its subject, another statement must share this part of the weight of the words before the list. */
const SHARED_LEAD = 0.7;

/** Stars around parts of a statement that have more providers than the whole statement. */
export function partStars(comparison: Comparison, whole: Star): Star[] {
  if (whole.middle.parts === null || mostProviders(comparison, whole, whole.partners) <= providerCountOf(whole)) return [];
  const partners = whole.partners.filter((partner) => mayShareBeginning(whole, comparison.statements[partner]));
  const withItems = commonItemStars(comparison, whole);
  if (partners.length === 0) return withItems;
  return [...withItems, ...commonPartStars(comparison, whole, partners), ...beginningStars(comparison, whole, partners)];
}

function beginningStars(comparison: Comparison, whole: Star, partners: readonly number[]): Star[] {
  const { statements, similarity } = comparison;
  const mostPossible = mostProviders(comparison, whole, partners);
  const found: Star[] = [];
  let most = providerCountOf(whole);
  if (most >= mostPossible) return found;
  const { reading } = whole.middle;
  const alignments = new Map<number, WordAlignment>();
  for (const { stems, read, isClosed } of whole.middle.parts?.beginnings() ?? []) {
    const place = similarity.add(stems);
    const alike = partners.filter((partner) => similarity.containment(place, partner) >= SHARED_BEGINNING);
    const middle = alike.length > 0 ? read() : null;
    // "No cases were found in women", from statements that both go on to say which women: the full statements deny less than their shared beginning
    // does.
    if (!middle || (middle.reading.polarity.negations.length > 0 && !isClosed)) continue;
    const end = middle.reading.tokens.length;
    const sharing = alike.filter((partner) => {
      const other = statements[partner]?.reading ?? reading;
      const alignment = alignments.get(partner) ?? alignWords(reading, other);
      alignments.set(partner, alignment);
      return beginAlike(alignment, reading, other, { end, isClosed });
    });
    const star = starAround(comparison, middle, whole, sharing);
    if (providerCountOf(star) > most) found.push(star);
    most = Math.max(most, providerCountOf(star));
    if (most >= mostPossible) break;
  }
  return found;
}

/** Stars around the list items that several statements share. */
function commonItemStars(comparison: Comparison, whole: Star): Star[] {
  const { statements, similarity } = comparison;
  const found = new Map<string, Star>();
  for (const partner of whole.partners) {
    const other = statements[partner];
    if (!other || whole.others.some(({ statement }) => statement.stepId === other.stepId)) continue;
    for (const { lead, read } of whole.middle.parts?.withCommonItems(other.reading) ?? []) {
      // A name in full and its short form count as the same.
      const own = nameTheSame(whole.middle, other, comparison.question) ? lead.difference(whole.middle.head) : lead;
      const said = own.difference(saidInOtherWords(whole.middle, comparison.joined[partner] ?? other));
      const isShared = said.size === 0 || similarity.containment(similarity.add(said), partner) >= SHARED_LEAD;
      const middle = isShared ? read() : null;
      if (!middle || found.has(middle.text)) continue;
      found.set(middle.text, starAround(comparison, middle, whole, whole.partners));
    }
  }
  return [...found.values()].filter((star) => providerCountOf(star) > providerCountOf(whole));
}

/** Stars around what several statements say after leaving out words in the middle of one. */
function commonPartStars(comparison: Comparison, whole: Star, partners: readonly number[]): Star[] {
  const { statements } = comparison;
  const found = new Map<string, Star>();
  for (const partner of partners) {
    const other = statements[partner];
    const middle = other && whole.middle.parts?.commonPart(other.reading);
    if (!middle || found.has(middle.text)) continue;
    found.set(middle.text, starAround(comparison, middle, whole, whole.partners));
  }
  return [...found.values()].filter((star) => providerCountOf(star) > providerCountOf(whole));
}

/** A star around a part of a statement, supported by those who say the whole and by the partners that say the part. */
function starAround(comparison: Comparison, middle: Statement, whole: Star, partners: readonly number[]): Star {
  const { similarity } = comparison;
  const star: Star = { middle, position: whole.position, others: [...whole.others], partners: [], opposed: whole.opposed };
  const own = comparison.takeIn(middle);
  for (const partner of partners) addSupport(comparison, star, partner, similarity.containment(own, partner));
  return star;
}

/** Statements with different numbers are about different things, however similar their beginnings are. */
function mayShareBeginning({ middle, others }: Star, partner: Statement | undefined): boolean {
  if (partner === undefined || !oneHoldsTheOther(middle.reading.numbers, partner.reading.numbers)) return false;
  // What "until 2021" and "since 2021" share says too little of either.
  if (turnsRelation(middle.reading, partner.reading)) return false;
  return !others.some(({ statement }) => statement.stepId === partner.stepId);
}

/** The most providers that a part of a star's middle can have, if all partners say it. */
function mostProviders({ statements }: Comparison, { others }: Star, partners: readonly number[]): number {
  const providers = others.map(({ statement }) => statement.provider);
  for (const partner of partners) {
    const provider = statements[partner]?.provider;
    if (provider !== undefined) providers.push(provider);
  }
  return distinct(providers);
}
