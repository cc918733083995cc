import type { Reading } from '@lib/language/reading/reading';
import { haveOneProvider } from '../claims/who-says';
import { askedMeasureOf, type AskedMeasure } from '../question/asked-measure';
import { featuresOf, type ClaimFeatures, type ComparedClaim } from './claim-features';
import { remarkBetween, tellsApart, type Remark } from './remark';

/** What rules say of pairs of claims. Several parts of a report need the same pairs, so each claim is read and each pair examined only once. */
export class RuledPairs {
  private readonly features = new Map<ComparedClaim, ClaimFeatures>();
  private readonly remarks = new Map<ComparedClaim, Map<ComparedClaim, Remark | null>>();
  private readonly measure: AskedMeasure | null;

  /** @param asked the question */
  constructor(private readonly asked: Reading) {
    this.measure = askedMeasureOf(asked);
  }

  featuresOf(claim: ComparedClaim): ClaimFeatures {
    let features = this.features.get(claim);
    if (!features) this.features.set(claim, (features = featuresOf(claim, this.asked, this.measure)));
    return features;
  }

  /** The remark on two claims, the same in either order. */
  remarkOn(one: ComparedClaim, other: ComparedClaim): Remark | null {
    const known = this.remarks.get(one)?.get(other);
    if (known !== undefined) return known;
    const seen = remarkBetween(this.featuresOf(one), this.featuresOf(other), this.asked);
    const remark = tellsApart(seen) && haveOneProvider(one, other) ? null : seen;
    this.keep(one, other, remark);
    this.keep(other, one, remark);
    return remark;
  }

  private keep(one: ComparedClaim, other: ComparedClaim, remark: Remark | null): void {
    const onOthers = this.remarks.get(one);
    if (onOthers) onOthers.set(other, remark);
    else this.remarks.set(one, new Map([[other, remark]]));
  }
}
