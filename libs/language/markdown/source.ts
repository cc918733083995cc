const FRONT_MATTER = /^\uFEFF?---[ \t]*\n[\s\S]*?\n---[ \t]*(?:\n|$)/;

/**
 * The document prepared for the parser without moving any character: lines end only in `\n`, and YAML front matter and a byte order mark are blanked
 * out.
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
