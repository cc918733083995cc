import type { Reading } from '@lib/language/reading/reading';
import { tellsApart, type Remark } from './remark';
import { NO_VIEW, type ModelsView } from './models-view';
import type { ComparedClaim, ClaimFeatures } from './claim-features';
import { RuledPairs } from './ruled-pairs';

/** The remarks on pairs of claims, by rules and by what a model says. */
export class Remarks {
  /**
   * @param asked the question
   * @param modelsView what a model says about two claims
   */
  constructor(
    readonly asked: Reading,
    readonly modelsView: ModelsView = NO_VIEW,
    private readonly rules: Pick<RuledPairs, 'featuresOf' | 'remarkOn'> = new RuledPairs(asked),
  ) {}

  featuresOf(claim: ComparedClaim): ClaimFeatures {
    return this.rules.featuresOf(claim);
  }

  /** The remark on the second claim, which is shown beside the first. */
  between(one: ComparedClaim, other: ComparedClaim): Remark | null {
    return withModelsView(this.byRules(one, other), this.modelsView(one, other));
  }

  /** The same without the model's view. */
  byRules(one: ComparedClaim, other: ComparedClaim): Remark | null {
    return this.rules.remarkOn(one, other);
  }

  /** The same remarks, without those by rules that two claims may conflict unless `mayConflict` says so too. */
  confirmedBy(mayConflict: (one: ComparedClaim, other: ComparedClaim) => boolean): Remarks {
    return new Remarks(this.asked, this.modelsView, {
      featuresOf: (claim) => this.featuresOf(claim),
      remarkOn: (one, other) => {
        const remark = this.byRules(one, other);
        return tellsApart(remark) && !mayConflict(one, other) ? null : remark;
      },
    });
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

/** What the program sees comes before the model's word, but for mere likeness, which a contradiction may still have. */
function withModelsView(remark: Remark | null, view: ReturnType<ModelsView>): Remark | null {
  if (view === 'contradiction' && !tellsApart(remark)) return 'a model sees a contradiction';
  return view === 'agreement' && remark === null ? 'a model sees an agreement' : remark;
}
