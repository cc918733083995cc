/** The ends of names of files that are read. */
const READ = ['md', 'markdown', 'txt', 'rst', 'html', 'htm', 'csv', 'tsv', 'pdf', 'docx', 'xlsx'];
/** Of files that people take for documents, and that nothing here reads. */
const UNREAD = [
  'doc',
  'docm',
  'xlsm',
  'odg',
  'xls',
  'ppt',
  'pptx',
  'odt',
  'ods',
  'odp',
  'rtf',
  'epub',
  'adoc',
  'asciidoc',
  'org',
  'eml',
  'msg',
];
const IS_UNREAD = new RegExp(`\\.(?:${UNREAD.join('|')})$`, 'i');

/** What can be read, for messages. */
export const READ_FORMATS = 'Markdown, text, reStructuredText, HTML, CSV, PDF, Word (.docx) or Excel (.xlsx)';

/** Matches all files that are read, or that people would expect to be. */
export const DOCUMENTS = [`**/*.{${[...READ, ...UNREAD].join(',')}}`];

/** Why a file is not read; undefined if its format can be read. */
export function whyUnread(path: string): string | undefined {
  const [format] = IS_UNREAD.exec(path) ?? [];
  return format && `its format (${format.toLowerCase()}) is not read: save it as ${READ_FORMATS}`;
}
