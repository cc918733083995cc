import { ARTICLES } from './articles';

/**
 * Common English function words. A rule that needs more or fewer of them derives its set (`.union`, `.difference`) and calls it by its use; a list that
 * is shorter than its derivation stands with its rule.
 */

export const SUBJECT_PRONOUNS: ReadonlySet<string> = new Set(['he', 'she', 'it', 'they']);
export const POSSESSIVES: ReadonlySet<string> = new Set(['his', 'her', 'its', 'their']);
/** Pronouns that may refer to things. */
export const PRONOUNS_OF_THINGS: ReadonlySet<string> = new Set(['it', 'its', 'they', 'their']);
export const SUBJECT_PRONOUNS_AND_POSSESSIVES: ReadonlySet<string> = SUBJECT_PRONOUNS.union(POSSESSIVES);
export const PRONOUNS_OF_PERSONS: ReadonlySet<string> = SUBJECT_PRONOUNS_AND_POSSESSIVES.difference(PRONOUNS_OF_THINGS);

/** Words followed by a noun. */
export const ARTICLES_AND_POSSESSIVES: ReadonlySet<string> = ARTICLES.union(POSSESSIVES);

/** Before a participle these form the perfect: "has closed". */
export const FORMS_OF_HAVE: ReadonlySet<string> = new Set(['has', 'have', 'had']);
/** Words followed by a base form: "foxes can eat hens". */
export const MODALS_AND_DO: ReadonlySet<string> = new Set('can could will would may might must shall should did does do'.split(' '));

export const FORMS_OF_SAY: ReadonlySet<string> = new Set(['say', 'says', 'said']);

/** Words that join a clause to the one before it. */
export const CLAUSE_CONJUNCTIONS: ReadonlySet<string> = new Set(['and', 'but', 'while', 'whereas']);
export const CLAUSE_CONJUNCTIONS_AND_SO: ReadonlySet<string> = CLAUSE_CONJUNCTIONS.union(new Set(['so']));

/** Words that begin a clause before its main clause. */
export const SUBORDINATORS: ReadonlySet<string> = new Set(
  'after before since as when while although though because if once until unless whereas'.split(' '),
);
export const RELATIVE_PRONOUNS: ReadonlySet<string> = new Set('who which that where whom whose'.split(' '));

/** A word that asks, as a part of a regular expression. */
export const QUESTION_WORD = '(?:how|what|when|where|which|who|whom|whose|why)';
/** What a further question begins with, behind a comma or "and": "and what", "and is it", "or do". */
export const BEGINS_QUESTION = `(?:${QUESTION_WORD}|(?:is|are|was|were|do|does|did|has|have|can|could|should|will|would)\\s+(?:it|its|they|he|she|there|this|that|these|those|the|an?|any|one|we|you|i)|do|does|did)`;

export const COMMON_PREPOSITIONS: ReadonlySet<string> = new Set('in at on for with from by to of as'.split(' '));
/** Words that begin a phrase of their own, such as "into the sea". */
export const PREPOSITIONS: ReadonlySet<string> = COMMON_PREPOSITIONS.union(new Set(['into', 'against']));
export const PREPOSITIONS_OF_PLACE: ReadonlySet<string> = new Set('in at near from to of on'.split(' '));

/** Words that begin a restriction. */
export const RESTRICTING_CONJUNCTIONS: ReadonlySet<string> = new Set('if unless except only until till'.split(' '));

/** Words that begin a modifier of what stands before them, or an addition to it. */
export const CONTINUING: ReadonlySet<string> = new Set(
  `and or but in at for with from as on by to of including such before after during until since where which who that when while through over into under
between among alongside`.split(/\s+/),
);

/** Words that limit a present statement: "above 10 tons" or "when it rains". (A past statement already has a limited time.) */
export const LIMITING: ReadonlySet<string> = new Set('when whenever if unless once above below over under beyond'.split(' '));
