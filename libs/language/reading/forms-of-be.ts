/** "is" before "are": the first is named where one is missing. */
export const PRESENT_FORMS_OF_BE: ReadonlySet<string> = new Set(['is', 'are']);
export const PAST_FORMS_OF_BE: ReadonlySet<string> = new Set(['was', 'were']);

/** With a subject before them they tell what it is: "is a river". */
export const FINITE_FORMS_OF_BE: ReadonlySet<string> = PRESENT_FORMS_OF_BE.union(PAST_FORMS_OF_BE);

/** All of them; before a participle they carry the passive: "has been closed". */
export const FORMS_OF_BE: ReadonlySet<string> = FINITE_FORMS_OF_BE.union(new Set(['be', 'been', 'being']));
