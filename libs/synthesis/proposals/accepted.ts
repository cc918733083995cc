import type { ContradictionCue } from '@lib/domain/vocabulary';

/** The place of a statement of a job, which suffices to find it again in the same reports. */
export interface StatementPlace {
  stepId: string;
  start: number;
  end: number;
}

/** The place of a statement that says the same as the first of its list. */
export interface AgreeingPlace extends StatementPlace {
  /** The program found nothing against it, but only the model says that the words mean the same. */
  isInOtherWords: boolean;
}

/** A model's proposals that the reports support. Who says something, and with which sources, is taken from the reports alone. */
export interface AcceptedProposals {
  /** Important statements; each list contains statements that say the same, and the first is what all of them say. */
  claims: [StatementPlace, ...AgreeingPlace[]][];
  disputes: { sides: [StatementPlace, StatementPlace]; cue: ContradictionCue }[];
  refused: number;
}

export const placeOf = ({ stepId, start, end }: StatementPlace): StatementPlace => ({ stepId, start, end });
