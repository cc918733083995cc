import { convertToHtml, images } from 'mammoth';

import { htmlText } from './html-chunks';
import { boundText } from './packed-file';
import { NotADocument, type DocumentText } from './passages';
import { beginsWithHeads } from './table-heads';

/** How files of Word before 2007 begin, and encrypted ones (OLE2). */
const OLE = [0xd0, 0xcf, 0x11, 0xe0];
/** Begins each paragraph, heading and item on a line of its own, which numbers them as Word does. */
const PARAGRAPH = /<(?=(?:p|h[1-6]|li|title)[ >])/g;
const OPTIONS = {
  transformDocument: (document: Part): Part => withOneTitle(withHeads(document)),
  styleMap: ["p[style-name='Title'] => title:fresh"],
  ignoreEmptyParagraphs: false,
  convertImage: images.imgElement(() => Promise.resolve({ src: '' })),
};

/**
 * The text of a Word document (Office Open XML), one paragraph, heading or item to a line. It may take any time and memory, so
 * `ReaderProcess` calls it. Throws `NotADocument`.
 */
export async function docxText(content: Uint8Array): Promise<DocumentText> {
  if (OLE.every((byte, at) => content[at] === byte)) throw new NotADocument('it is encrypted, or of Word before 2007: save it as .docx');
  const html = await htmlOf(content);
  boundText([html]);
  const { title, chunks } = htmlText(html.replace(PARAGRAPH, '\n<').trimStart());
  return { title, chunks };
}

async function htmlOf(content: Uint8Array): Promise<string> {
  try {
    const { value } = await convertToHtml({ buffer: Buffer.from(content) }, OPTIONS);
    return value;
  } catch (error) {
    throw new NotADocument('it is no Word document, or a broken one', { cause: error });
  }
}

/** A part of a document as `mammoth` reads it. */
interface Part {
  type: string;
  children?: Part[];
  value?: string;
  isHeader?: boolean;
  styleName?: string | null;
}

/** Only the first paragraph that is styled as a title is the document's; others are headings. */
function withOneTitle(document: Part): Part {
  const first = document.children?.find(({ styleName }) => styleName === 'Title');
  return {
    ...document,
    ...(document.children && {
      children: document.children.map((part) =>
        part.styleName === 'Title' && part !== first ? { ...part, styleName: 'Heading 1' } : part,
      ),
    }),
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

const textOf = ({ value, children = [] }: Part): string => value ?? children.map(textOf).join(' ').trim();
