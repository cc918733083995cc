/** Adds a visible note that says why the provider ended the report early; an empty report stays empty. */
export function withEarlyEnd(markdown: string, why: string): string {
  return markdown.trim() === '' ? markdown : `${markdown}\n\n*[The provider ended this report early: ${why}.]*`;
}
