import { NotADocument } from './passages';

/** A file whose content is packed, so that a few hundred bytes may inflate to gigabytes. */
export interface PackedFile {
  format: 'pdf' | 'docx' | 'xlsx';
  content: Uint8Array;
}

/** The format of a packed file by the end of its name, in lower case; undefined for any other. */
export function packedFormatOf(extension: string): PackedFile['format'] | undefined {
  switch (extension) {
    case '.pdf':
      return 'pdf';
    case '.docx':
      return 'docx';
    case '.xlsx':
      return 'xlsx';
    default:
      return undefined;
  }
}

/** Half as much again as a PDF of 2000 dense pages has. */
const MAX_TEXT_LENGTH = 16_000_000;

/** Throws `NotADocument` if the texts of a file are too long together. */
export function boundText(texts: readonly string[]): void {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length > MAX_TEXT_LENGTH) throw new NotADocument(`it has more than ${MAX_TEXT_LENGTH} characters of text`);
}
