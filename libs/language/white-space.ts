/** The text with one space for each run of white space and none around it. A single space is left where it is: it costs nothing. */
export function collapseWhiteSpace(text: string): string {
  return text.replace(/[^\S ]\s*| \s+/g, ' ').trim();
}
