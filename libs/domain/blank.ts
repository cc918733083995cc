/** White space, control characters, and invisible characters: zero-width characters, fillers, selectors. */
const NOTHING_VISIBLE = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u;

/** Whether a text has no visible character. */
export const isBlank = (text: string): boolean => NOTHING_VISIBLE.test(text);
