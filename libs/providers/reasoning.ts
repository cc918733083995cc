const OPENED = /^\s*<think>[\s\S]*?(?:<\/think>\s*|$)/;
/** Some chat templates drop the opening tag. An answer may speak of the tag, but hardly at the end of a line. */
const CLOSED_ONLY = /^(?:(?!<think>)[\s\S])*?<\/think>[ \t]*(?:\n\s*|$)/;

/** Length of the reasoning in `<think>` tags at the start of an answer, in UTF-16 units; everything if the answer was cut off during reasoning. */
export function reasoningLength(text: string): number {
  return (OPENED.exec(text) ?? CLOSED_ONLY.exec(text))?.[0].length ?? 0;
}
