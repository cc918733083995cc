/** The ends of names of files that are read. */
const READ = ['md', 'markdown', 'txt', 'rst', 'html', 'htm', 'csv', 'tsv', 'pdf', 'docx', 'xlsx'];
/** Of files that people take for documents and that nothing here reads: what they may be saved as. */
const INSTEAD: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['doc', 'docm', 'odt', 'rtf'].map((format) => [format, 'Word (.docx) or PDF'])),
  ...Object.fromEntries(['xls', 'xlsm', 'ods'].map((format) => [format, 'Excel (.xlsx) or CSV'])),
  ...Object.fromEntries(['ppt', 'pptx', 'odp', 'odg', 'epub'].map((format) => [format, 'PDF'])),
  ...Object.fromEntries(['adoc', 'asciidoc', 'org'].map((format) => [format, 'HTML or Markdown'])),
  ...Object.fromEntries(['eml', 'msg'].map((format) => [format, 'text or PDF'])),
};

/** What can be read, for messages. */
export const READ_FORMATS = 'Markdown, text, reStructuredText, HTML, CSV, PDF, Word (.docx) or Excel (.xlsx)';

/** Matches all files that are read, or that people would expect to be. */
export const DOCUMENTS = [`**/*.{${[...READ, ...Object.keys(INSTEAD)].join(',')}}`];

/** Why a file is not read; undefined if its format can be read. */
export function whyUnread(path: string): string | undefined {
  const format = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  const instead = INSTEAD[format];
  return instead && `its format (.${format}) is not read: save it as ${instead}`;
}
