import { NotADocument } from './passages';

/** The part of a page, from its beginning, in which a declared encoding is looked for. */
const DECLARED_WITHIN = 2048;
/** A page that can be read as ASCII up to its declaration of UTF-16 is not in UTF-16, so that declaration is ignored. */
const DECLARED = /<meta\b[^>]{0,200}\bcharset\s*=\s*["']?\s*(?!utf-?16)([\w:.-]{2,40})/i;
/** How many bytes are examined to recognize UTF-16 without a byte order mark. */
const SAMPLE = 4096;
/** In Latin text of UTF-16 nearly every second byte is 0. */
const MOSTLY = 0.7;
/** The largest share of characters beyond ASCII in Western European text in Windows-1252. */
const MAX_BEYOND_ASCII = 0.25;
/** Never found in such text: control characters, and symbols inside a word. */
const IS_NO_TEXT = /[\0-\x08\x0E-\x1A\x1C-\x1F\x7F-\x9F]|\p{L}[¡-©¬®-³¶¸¹¼-¿×÷]\p{Ll}/u;
/** UTF-8 sequences of two or more bytes, read as Windows-1252: they show that the file is damaged UTF-8. */
const IS_UTF_8 = /[ÃÂ][\u0080-\u00BF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€|ï¿½/;

/** The text of a file in any of the usual encodings. Throws `NotADocument`. */
export function decode(content: Buffer, isHtml: boolean): string {
  const utf16 = utf16Of(content);
  if (utf16) return decoded(content, utf16) ?? refuse(`it is no ${utf16.toUpperCase()}, as it seems to be`);
  if (content.includes(0)) return refuse('it is binary');
  return decoded(content, 'utf-8') ?? (isHtml ? declared(content) : undefined) ?? western(content) ?? refuse('it is not UTF-8');
}

function refuse(reason: string): never {
  throw new NotADocument(reason);
}

function decoded(content: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
}

/** Recognized by its byte order mark, or by the positions of the zero bytes in Latin text. */
function utf16Of(content: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (content[0] === 0xff && content[1] === 0xfe) return 'utf-16le';
  if (content[0] === 0xfe && content[1] === 0xff) return 'utf-16be';
  const sample = content.subarray(0, SAMPLE);
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros.map((count) => count / (sample.length / 2 || 1));
  if (content.length % 2 === 1) return undefined;
  if (even === 0 && odd >= MOSTLY) return 'utf-16le';
  return odd === 0 && even >= MOSTLY ? 'utf-16be' : undefined;
}

/** Decodes a page by the encoding that it declares. */
function declared(content: Buffer): string | undefined {
  const [, name] = DECLARED.exec(content.toString('latin1', 0, DECLARED_WITHIN)) ?? [];
  return name === undefined ? undefined : decoded(content, name.toLowerCase());
}

/** Tries Windows-1252, a superset of Latin-1: many programs from before UTF-8 write it without declaring it. Only a plausible result is accepted. */
function western(content: Buffer): string | undefined {
  const text = decoded(content, 'windows-1252');
  if (text === undefined || IS_NO_TEXT.test(text) || IS_UTF_8.test(text)) return undefined;
  const beyond = text.match(/[\u0080-\uFFFF]/g)?.length ?? 0;
  return beyond <= MAX_BEYOND_ASCII * text.length ? text : undefined;
}
