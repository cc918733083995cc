/** From the first to the last brace: models like to put a fence or a greeting around. Undefined where that is no JSON. */
export function objectIn(answer: string): unknown {
  try {
    return JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)) as unknown;
  } catch {
    return undefined;
  }
}
