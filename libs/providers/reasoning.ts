const OPENED = /^\s*<think>[\s\S]*?(?:<\/think>\s*|$)/;
/** Some chat templates swallow the opening tag. */
const CLOSED_ONLY = /^(?:(?!<think>)[\s\S])*?<\/think>\s*/;

/** How much of the start of an answer is the model's reasoning in `<think>` tags, in UTF-16 units: all of one that was cut off while it thought. */
export function reasoningLength(text: string): number {
  return (OPENED.exec(text) ?? CLOSED_ONLY.exec(text))?.[0].length ?? 0;
}
