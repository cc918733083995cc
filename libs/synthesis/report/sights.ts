import type { Reading } from '@lib/language/reading/reading';
import { comparing, tellsApart, type AtFirstSight } from './comparing';
import { sightOf, type Compared, type Sight } from './sight';

/** Claims beside each other at first sight. Several parts of a report ask for the same pairs: each claim and each pair is looked at once. */
export class Sights {
  private readonly sights = new Map<Compared, Sight>();
  private readonly seen = new Map<Compared, Map<Compared, AtFirstSight | null>>();

  /** @param asked the question */
  constructor(readonly asked: Reading) {}

  of(claim: Compared): Sight {
    let sight = this.sights.get(claim);
    if (!sight) this.sights.set(claim, (sight = sightOf(claim, this.asked)));
    return sight;
  }

  /** What is seen of the second one beside the first. */
  comparing(one: Compared, other: Compared): AtFirstSight | null {
    let ofOne = this.seen.get(one);
    if (!ofOne) this.seen.set(one, (ofOne = new Map<Compared, AtFirstSight | null>()));
    let seen = ofOne.get(other);
    if (seen === undefined) {
      seen = comparing(this.of(one), this.of(other), this.asked);
      if (tellsApart(seen) && haveOneProvider(one, other)) seen = null;
      ofOne.set(other, seen);
    }
    return seen;
  }

  /** Whether two claims may not fit together. */
  mayDiffer(one: Compared, other: Compared): boolean {
    return tellsApart(this.comparing(one, other));
  }

  /** The first two of some claims that may not fit together; null if there are none. */
  differingIn<Told extends Compared>(claims: readonly Told[]): [Told, Told] | null {
    for (const [place, other] of claims.entries()) {
      const one = claims.slice(0, place).find((earlier) => this.mayDiffer(earlier, other));
      if (one) return [one, other];
    }
    return null;
  }
}

/** Of what one report says twice no difference is told: it does not contradict itself. */
export const haveOneProvider = ({ supporting: mine }: Compared, { supporting: theirs }: Compared): boolean =>
  mine.some(({ provider }) => theirs.some((said) => said.provider === provider));
