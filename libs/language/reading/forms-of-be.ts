/** With a subject before them they tell what it is: "is a river". */
export const FINITE_FORMS_OF_BE: ReadonlySet<string> = new Set(['is', 'are', 'was', 'were']);

/** All of them; before a participle they carry the passive: "has been closed". */
export const FORMS_OF_BE: ReadonlySet<string> = FINITE_FORMS_OF_BE.union(new Set(['be', 'been', 'being']));
