/** A text as one word of a shell's command: quoted where the shell would otherwise read something else. */
export const shellWord = (text: string): string => (/^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
