/** A report that its provider cut off, with a visible note that says why; an empty one stays empty. */
export function withEarlyEnd(markdown: string, why: string): string {
  return markdown.trim() === '' ? markdown : `${markdown}\n\n*[The provider ended this report early: ${why}.]*`;
}
