/** What controls a terminal, and what turns the direction of the text that follows. Reports may quote both from sources. */
const CONTROL_CHARACTERS = /(?![\n\t])[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Makes text safe to print on a terminal. */
export const plainText = (text: string): string => text.replace(CONTROL_CHARACTERS, '');
