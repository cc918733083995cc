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

  /** The remark on the second claim, which is shown beside the first. */
  remarkOn(one: ComparedClaim, other: ComparedClaim): Remark | null {
    let onOthers = this.remarks.get(one);
    if (!onOthers) this.remarks.set(one, (onOthers = new Map<ComparedClaim, Remark | null>()));
    let remark = onOthers.get(other);
    if (remark === undefined) {
      remark = remarkBetween(this.featuresOf(one), this.featuresOf(other), this.asked);
      if (tellsApart(remark) && haveOneProvider(one, other)) remark = null;
      onOthers.set(other, remark);
    }
    return remark;
  }
}
