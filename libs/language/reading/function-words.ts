import { ARTICLES } from './articles';

/** Small words of English that several rules look for; a rule that needs more or fewer of them says which. */

export const SUBJECT_PRONOUNS: ReadonlySet<string> = new Set(['he', 'she', 'it', 'they']);
export const POSSESSIVES: ReadonlySet<string> = new Set(['his', 'her', 'its', 'their']);
/** They may stand for things. */
export const PRONOUNS_OF_THINGS: ReadonlySet<string> = new Set(['it', 'its', 'they', 'their']);
export const SUBJECT_PRONOUNS_AND_POSSESSIVES: ReadonlySet<string> = SUBJECT_PRONOUNS.union(POSSESSIVES);

/** A noun follows them. */
export const ARTICLES_AND_POSSESSIVES: ReadonlySet<string> = ARTICLES.union(POSSESSIVES);

/** Before a participle they carry the perfect: "has closed". */
export const FORMS_OF_HAVE: ReadonlySet<string> = new Set(['has', 'have', 'had']);
/** Before a verb without an ending: "foxes can eat hens". */
export const MODALS_AND_DO: ReadonlySet<string> = new Set('can could will would may might must shall should did does do'.split(' '));

export const FORMS_OF_SAY: ReadonlySet<string> = new Set(['say', 'says', 'said']);

/** They join a clause to the one before it. */
export const CLAUSE_CONJUNCTIONS: ReadonlySet<string> = new Set(['and', 'but', 'while', 'whereas']);
export const CLAUSE_CONJUNCTIONS_AND_SO: ReadonlySet<string> = CLAUSE_CONJUNCTIONS.union(new Set(['so']));

/** They begin a clause that waits for its main clause. */
export const SUBORDINATORS: ReadonlySet<string> = new Set(
  'after before since as when while although though because if once until unless whereas'.split(' '),
);
export const RELATIVE_PRONOUNS: ReadonlySet<string> = new Set('who which that where whom whose'.split(' '));

export const COMMON_PREPOSITIONS: ReadonlySet<string> = new Set('in at on for with from by to of as'.split(' '));
export const PREPOSITIONS_OF_PLACE: ReadonlySet<string> = new Set('in at near from to of on'.split(' '));

/** What they begin restricts what is said. */
export const RESTRICTING_CONJUNCTIONS: ReadonlySet<string> = new Set('if unless except only until till'.split(' '));

/** They begin what modifies what stands before them, or is added to it. */
export const CONTINUING: ReadonlySet<string> = new Set(
  `and or but in at for with from as on by to of including such before after during until since where which who that when while through over into under
between among alongside`.split(/\s+/),
);

/** What is so "above 10 tons" or "when it rains" is not so always. (What was so, was so at that time.) */
export const LIMITING: ReadonlySet<string> = new Set('when whenever if unless once above below over under beyond'.split(' '));
