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

/** Words of a report that a model quoted, without marks and markup, and where they stand. */
export interface QuotedPlace extends StatementPlace {
  words: string;
}

/** Quotes of which a model says that the others agree with the first or contradict it, and the program can neither confirm nor refute it. */
export interface UnconfirmedProposal {
  kind: 'agreement' | 'contradiction';
  quotes: [QuotedPlace, ...QuotedPlace[]];
}

/** A model's proposals that the reports support. Who says something, and with which sources, is taken from the reports alone. */
export interface AcceptedProposals {
  /** Important statements; each list contains statements that say the same, and the first is what all of them say. */
  claims: [StatementPlace, ...AgreeingPlace[]][];
  disputes: { sides: [StatementPlace, StatementPlace]; cue: ContradictionCue }[];
  /** They join no claims and dispute none: the report shows the claims with their quotes beside each other. */
  unconfirmed: UnconfirmedProposal[];
  /** How many proposals were not accepted, including those that are `unconfirmed`. */
  refused: number;
}

/** Equal for the same place: statements with the same place have the same quote. */
export const placeKey = ({ stepId, start, end }: StatementPlace): string => `${stepId} ${String(start)} ${String(end)}`;

export const placeOf = ({ stepId, start, end }: StatementPlace): StatementPlace => ({ stepId, start, end });
