/** Escapes text so that Markdown shows it literally. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*[\]<~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)/gu, '\\$&');
}
