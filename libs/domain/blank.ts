/** White space, controls, and what is drawn as nothing: zero-width characters, fillers, selectors. */
const NOTHING_VISIBLE = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u;

/** Whether nobody sees anything of a text. */
export const isBlank = (text: string): boolean => NOTHING_VISIBLE.test(text);
