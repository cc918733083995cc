import { convertToHtml, images } from 'mammoth';

import { shownParts } from './docx-parts';
import { prepared } from './docx-shown';
import { htmlText } from './html-chunks';
import { boundText } from './packed-file';
import { NotADocument, type DocumentText } from './passages';

/** How files of Word before 2007 begin, and encrypted ones (OLE2). */
const OLE = [0xd0, 0xcf, 0x11, 0xe0];
/** Begins each paragraph, heading and item on a line of its own, which numbers them as Word does. */
const PARAGRAPH = /<(?=(?:p|h[1-6]|li|title)[ >])/g;
/** The mark of a footnote or an endnote, which would look like that of a source, and the way back from the note. */
const NOTE_MARK = /<sup><a href="#(?:foot|end)note-[^"]*"[^>]*>\[\d+\]<\/a><\/sup>| ?<a href="#(?:foot|end)note-ref-[^"]*">↑<\/a>/g;
/** They stand at the end of the document, under no heading of its text. */
const NOTES = /<ol><li id="(?:foot|end)note-/;

/**
 * The text of a Word document (Office Open XML), one paragraph, heading or item to a line. What Word does not show is left out. It may take any time
 * and memory, so `ReaderProcess` calls it. Throws `NotADocument`.
 */
export async function docxText(content: Uint8Array): Promise<DocumentText> {
  if (OLE.every((byte, at) => content[at] === byte)) throw new NotADocument('it is encrypted, or of Word before 2007: save it as .docx');
  const html = await htmlOf(content);
  boundText([html]);
  const { title, chunks } = htmlText(html.replace(NOTE_MARK, '').replace(NOTES, '<h1>Notes</h1>$&').replace(PARAGRAPH, '\n<').trimStart());
  return { title, chunks };
}

async function htmlOf(content: Uint8Array): Promise<string> {
  try {
    const { buffer, hiddenStyles } = prepared(content);
    const { value } = await convertToHtml(
      { buffer },
      {
        transformDocument: shownParts(hiddenStyles),
        styleMap: ["p[style-name='Title'] => title:fresh"],
        ignoreEmptyParagraphs: false,
        convertImage: images.imgElement(() => Promise.resolve({ src: '' })),
      },
    );
    return value;
  } catch (error) {
    throw new NotADocument('it is no Word document, or a broken one', { cause: error });
  }
}
