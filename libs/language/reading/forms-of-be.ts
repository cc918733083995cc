/** "is" comes first, because the first is named when one is missing. */
export const PRESENT_FORMS_OF_BE: ReadonlySet<string> = new Set(['is', 'are']);
export const PAST_FORMS_OF_BE: ReadonlySet<string> = new Set(['was', 'were']);

/** After a subject these tell what it is: "is a river". */
export const FINITE_FORMS_OF_BE: ReadonlySet<string> = PRESENT_FORMS_OF_BE.union(PAST_FORMS_OF_BE);

/** Before a participle these form the passive: "has been closed". */
export const FORMS_OF_BE: ReadonlySet<string> = FINITE_FORMS_OF_BE.union(new Set(['be', 'been', 'being']));
