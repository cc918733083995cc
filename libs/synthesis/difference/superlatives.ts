const NO_SUPERLATIVES = new Set(
  `forest interest request protest contest harvest conquest arrest priest digest honest modest invest manifest suggest behest latest`.split(
    ' ',
  ),
);

/** Words for a place in an order. */
export const ORDINALS: ReadonlySet<string> = new Set(
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth last'.split(' '),
);

/** Whether a lower-cased word is told to be a superlative by its form: "largest"; not for "best". English. */
export const isSuperlative = (text: string): boolean => /^\p{L}{3,}est$/u.test(text) && !NO_SUPERLATIVES.has(text);
