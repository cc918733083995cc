const FRONT_MATTER = /^\uFEFF?---[ \t]*\n[\s\S]*?\n---[ \t]*(?:\n|$)/;

/**
 * The same document as the parser reads it, every character at its place: lines end in `\n` alone, YAML front matter and a byte order mark
 * are blank.
 */
export function parserSource(markdown: string): string {
  const source = replaceUnusual(markdown);
  const frontMatter = FRONT_MATTER.exec(source)?.[0];
  if (frontMatter !== undefined) return frontMatter.replace(/[^\n]/g, ' ') + source.slice(frontMatter.length);
  return source.startsWith('\uFEFF') ? ` ${source.slice(1)}` : source;
}

function replaceUnusual(markdown: string): string {
  const source = markdown.includes('\0') ? markdown.replaceAll('\0', '\uFFFD') : markdown;
  if (!source.includes('\r')) return source;
  // A backslash before the line end means the same as two spaces.
  return source.replaceAll('\\\r\n', '  \n').replaceAll('\r\n', ' \n').replaceAll('\r', '\n');
}
