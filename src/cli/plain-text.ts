/** Characters that control a terminal. Reports may quote them from sources. */
const CONTROL_CHARACTERS = /(?![\n\t])\p{Cc}/gu;

/** Makes text safe to print on a terminal. */
export const plainText = (text: string): string => text.replace(CONTROL_CHARACTERS, '');
