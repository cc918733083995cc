/** Words in -est that are no superlatives; "latest" is about time, not rank. */
const NO_SUPERLATIVES = new Set(
  `forest interest request protest contest harvest conquest arrest priest digest honest modest invest manifest suggest behest latest unrest bequest inquest
attest infest ingest divest molest detest earnest tempest southwest northwest midwest rainforest disinterest`.split(/\s+/),
);

/** Words for a place in an order. */
export const ORDINALS: ReadonlySet<string> = new Set(
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth last'.split(' '),
);

const ENDS_OF_ORDER = new Set(['first', 'last', 'only']);

/** Whether a lower-cased word ranks something before or behind all others: "first", "only", "largest"; not "best". English. */
export const tellsRank = (text: string): boolean => ENDS_OF_ORDER.has(text) || isSuperlative(text);

/** Whether a lower-cased word has the form of a superlative: "largest", but not "best". English. */
export const isSuperlative = (text: string): boolean => /^\p{L}{3,}est$/u.test(text) && !NO_SUPERLATIVES.has(text);
