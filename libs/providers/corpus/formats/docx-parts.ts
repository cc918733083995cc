import { HIDDEN_MARK } from './docx-shown';
import { beginsWithHeads } from './table-heads';

/** A part of a document as `mammoth` reads it. */
interface Part {
  type: string;
  children?: Part[];
  value?: string;
  checked?: boolean;
  isHeader?: boolean;
  isBold?: boolean;
  highlight?: string | null;
  styleId?: string | null;
  styleName?: string | null;
  numbering?: object | null;
}

/** Contents and lists of figures repeat headings. */
const OF_CONTENTS = /^(?:toc \d|table of (?:figures|authorities))/i;
const HEADING = /^(?:heading|title)/i;
const [MAX_TITLE_LENGTH, ENDS_LIKE_TEXT] = [100, /[.,;]$/];

/** What of a document is to be read: what Word shows, with its headings and the heads of its tables marked. */
export const shownParts =
  (hiddenStyles: ReadonlySet<string>) =>
  (document: Part): Part =>
    withTitles(withHeads(withoutHidden(document, hiddenStyles)));

/** Hidden text goes, but its paragraph stays, because paragraphs are counted. A check box is written as the sign that Word shows. */
function withoutHidden(part: Part, hiddenStyles: ReadonlySet<string>): Part {
  if (part.type === 'checkbox') return { type: 'run', children: [{ type: 'text', value: part.checked ? '☒' : '☐' }] };
  const { children, styleId, styleName } = part;
  if (!children) return part;
  if (hiddenStyles.has(styleId ?? '') || OF_CONTENTS.test(styleName ?? '')) return { ...part, children: [] };
  return {
    ...part,
    children: children.filter(({ highlight }) => highlight !== HIDDEN_MARK).map((child) => withoutHidden(child, hiddenStyles)),
  };
}

/** Few tables mark their heads, so a first row that looks like heads is marked here. */
function withHeads(part: Part): Part {
  const children = part.children?.map(withHeads);
  if (!children) return part;
  const rows = children.filter(({ type }) => type === 'tableRow');
  const isUnmarked = part.type === 'table' && rows.length > 1 && rows.every(({ isHeader }) => isHeader !== true);
  if (!isUnmarked || !beginsWithHeads(rows.map((row) => ({ cells: (row.children ?? []).map(textOf) })))) return { ...part, children };
  return { ...part, children: children.map((row) => (row === rows[0] ? { ...row, isHeader: true } : row)) };
}

/** The first paragraph in the style of a title is the document's; others are headings, and so are bold lines, as contracts have them. */
function withTitles(document: Part): Part {
  const { children = [] } = document;
  const first = children.find(({ styleName }) => styleName === 'Title');
  const headed = children.map((part) => {
    if (part.styleName === 'Title') return part === first ? part : { ...part, styleName: 'Heading 1' };
    return isBoldLine(part) ? { ...part, styleName: 'Heading 6' } : part;
  });
  return { ...document, children: headed };
}

function isBoldLine({ type, children = [], styleName, numbering }: Part): boolean {
  if (type !== 'paragraph' || numbering || HEADING.test(styleName ?? '')) return false;
  const runs = children.filter((run) => textOf(run).trim() !== '');
  const text = runs.map(textOf).join('').trim();
  const isTitle = text !== '' && text.length <= MAX_TITLE_LENGTH && !ENDS_LIKE_TEXT.test(text);
  return isTitle && runs.every((run) => run.type === 'run' && run.isBold === true);
}

const textOf = ({ value, children = [] }: Part): string => value ?? children.map(textOf).join(' ').trim();
