/** How the elements of a page are read, by their names. */
const INVISIBLE = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'nav',
  'footer',
  'svg',
  'title',
  'iframe',
  'object',
  'select',
  'button',
]);
const INLINE = new Set(
  'a abbr b bdi bdo cite code data dfn em font i img ins kbd label mark q s samp small span strong sub sup time tt u var wbr'.split(' '),
);

/** An accordion has its question in a button within one of these. */
const LABEL = /^(?:h[1-6]|summary|dt)$/;

/** These elements do not occur in code: if one does, the end tag of the code was forgotten. */
export const ENDS_CODE = /^(?:h[1-6]|p|table|ul|ol|dl|pre)$/;

export const isLabel = (name: string): boolean => LABEL.test(name);

export const isInvisible = (name: string, isInLabel: boolean): boolean => INVISIBLE.has(name) && !isLabelled(name, isInLabel);

export const isInline = (name: string, isInLabel: boolean): boolean => INLINE.has(name) || isLabelled(name, isInLabel);

/** A button whose words are those of the heading around it. */
const isLabelled = (name: string, isInLabel: boolean): boolean => name === 'button' && isInLabel;

/** The language in a class such as "language-yaml" of the code element. */
export const languageOf = ({ class: names = '' }: Readonly<Record<string, string>>): string =>
  /\blang(?:uage)?-([\w+-]+)/.exec(names)?.[1] ?? '';
