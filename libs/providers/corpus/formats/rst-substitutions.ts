const REPLACEMENT = /^\.\. \|([^|\n]{1,200})\| replace:: *(\S.*)$/gm;

/** With what the document says instead of each name between bars. */
export function substituted(text: string): string {
  const said = new Map(Array.from(text.matchAll(REPLACEMENT), ([, name = '', instead = '']) => [name, instead]));
  if (said.size === 0) return text;
  return text.replace(/(?<!^\.\. )\|([^|\s](?:[^|\n]{0,198}[^|\s])?)\|/gm, (whole, name: string) => said.get(name) ?? whole);
}
