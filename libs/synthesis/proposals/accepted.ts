import type { ContradictionCue } from '@lib/domain/vocabulary';

/** Where a statement of a job stands: enough to find it again in the same reports. */
export interface StatementPlace {
  stepId: string;
  start: number;
  end: number;
}

/** One that says what the first of its list does. */
export interface AgreeingPlace extends StatementPlace {
  /** A program sees nothing against it; that the words mean the same is the model's word. */
  isInOtherWords: boolean;
}

/** What a model proposed and the reports bear out. Who says it and on what authority is in the reports alone. */
export interface AcceptedProposals {
  /** Statements that matter; each list is of those that say the same, the one that all of them say first. */
  claims: [StatementPlace, ...AgreeingPlace[]][];
  disputes: { sides: [StatementPlace, StatementPlace]; cue: ContradictionCue }[];
  refused: number;
}

export const placeOf = ({ stepId, start, end }: StatementPlace): StatementPlace => ({ stepId, start, end });
