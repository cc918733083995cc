/** What a name may be that of, as its last or first word: "Kelm Hospital", "the University of Kelm". */
export const INSTITUTIONS: ReadonlySet<string> = new Set(
  'foundation university college institute hospital museum court bank party prize award airport bridge street'.split(' '),
);
/** Words that are optional in a name: "the US Supreme Court". */
export const OPTIONAL_IN_NAMES: ReadonlySet<string> = new Set(
  'us united states uk kingdom eu european national federal royal supreme general high software of the'.split(' '),
);
