import type { Reading } from '@lib/language/reading/reading';
import { askedMeasureOf, type AskedMeasure } from '../question/asked-measure';
import { remarkBetween, tellsApart, type Remark } from './remark';
import { haveOneProvider } from '../claims/who-says';
import { NO_VIEW, type ModelsView } from './models-view';
import { featuresOf, type ComparedClaim, type ClaimFeatures } from './claim-features';

/** The remarks on pairs of claims. Several sections of a report need the same pairs, so each claim is read and each pair examined only once. */
export class Remarks {
  private readonly features = new Map<ComparedClaim, ClaimFeatures>();
  private readonly remarks = new Map<ComparedClaim, Map<ComparedClaim, Remark | null>>();

  private readonly measure: AskedMeasure | null;

  /**
   * @param asked the question
   * @param modelsView what a model says about two claims
   */
  constructor(
    readonly asked: Reading,
    readonly modelsView: ModelsView = NO_VIEW,
  ) {
    this.measure = askedMeasureOf(asked);
  }

  featuresOf(claim: ComparedClaim): ClaimFeatures {
    let features = this.features.get(claim);
    if (!features) this.features.set(claim, (features = featuresOf(claim, this.asked, this.measure)));
    return features;
  }

  /** The remark on the second claim, which is shown beside the first. */
  between(one: ComparedClaim, other: ComparedClaim): Remark | null {
    return withModelsView(this.byRules(one, other), this.modelsView(one, other));
  }

  /** The same without the model's view. */
  byRules(one: ComparedClaim, other: ComparedClaim): Remark | null {
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

  /** The same remarks, without those by rules that two claims may conflict unless `mayConflict` says so too. */
  confirmedBy(mayConflict: (one: ComparedClaim, other: ComparedClaim) => boolean): Remarks {
    return new ConfirmedRemarks(this, mayConflict);
  }

  /** Whether two claims may not fit together. */
  mayDiffer(one: ComparedClaim, other: ComparedClaim): boolean {
    return tellsApart(this.between(one, other));
  }

  /** Whether that is only what a model sees. */
  differOnlyToModel(one: ComparedClaim, other: ComparedClaim): boolean {
    return this.between(one, other) === 'a model sees a contradiction';
  }

  /**
   * The first two of some claims that may not fit together; null if there are none.
   * @param counts which of these count
   */
  differingIn<One extends ComparedClaim>(
    claims: readonly One[],
    counts: (one: One, other: One) => boolean = () => true,
  ): [One, One] | null {
    for (const [place, other] of claims.entries()) {
      const one = claims.slice(0, place).find((earlier) => this.mayDiffer(earlier, other) && counts(earlier, other));
      if (one) return [one, other];
    }
    return null;
  }
}

class ConfirmedRemarks extends Remarks {
  constructor(
    private readonly all: Remarks,
    private readonly mayConflict: (one: ComparedClaim, other: ComparedClaim) => boolean,
  ) {
    super(all.asked, all.modelsView);
  }

  override featuresOf(claim: ComparedClaim): ClaimFeatures {
    return this.all.featuresOf(claim);
  }

  override byRules(one: ComparedClaim, other: ComparedClaim): Remark | null {
    const remark = this.all.byRules(one, other);
    return tellsApart(remark) && !this.mayConflict(one, other) ? null : remark;
  }
}

/** What the program sees comes before the model's word, but for mere likeness, which a contradiction may still have. */
function withModelsView(remark: Remark | null, view: ReturnType<ModelsView>): Remark | null {
  if (view === 'contradiction' && !tellsApart(remark)) return 'a model sees a contradiction';
  return view === 'agreement' && remark === null ? 'a model sees an agreement' : remark;
}
