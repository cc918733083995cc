/** Parses the text from the first to the last brace, as models tend to add a code fence or a greeting. Undefined if it is not JSON. */
export function parsedObjectIn(answer: string): unknown {
  try {
    return JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)) as unknown;
  } catch {
    return undefined;
  }
}
