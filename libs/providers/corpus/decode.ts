import { NotADocument } from './passages';

/** How far a page is searched for what it says of its encoding. */
const DECLARED_WITHIN = 2048;
/** What it is if it says UTF-16 in ASCII nobody knows. */
const DECLARED = /<meta\b[^>]{0,200}\bcharset\s*=\s*["']?\s*(?!utf-?16)([\w:.-]{2,40})/i;
/** Bytes that tell UTF-16 without a byte order mark. */
const SAMPLE = 4096;
/** In Latin text of UTF-16 nearly every second byte is 0. */
const MOSTLY = 0.7;
/** Characters that text of Western Europe in Windows-1252 has beyond ASCII at most. */
const MAX_BEYOND_ASCII = 0.25;
/** Nowhere in such text: control characters, and signs within a word. */
const IS_NO_TEXT = /[\0-\x08\x0E-\x1A\x1C-\x1F\x7F-\x9F]|\p{L}[¡-©¬®-³¶¸¹¼-¿×÷]\p{Ll}/u;
/** Two or more bytes of UTF-8, read as Windows-1252: the file is damaged UTF-8. */
const IS_UTF_8 = /[ÃÂ][\u0080-\u00BF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€|ï¿½/;

/** The text of a file, in whichever of the usual encodings. Throws `NotADocument`. */
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

/** By its byte order mark, or by where the zeros of Latin text are. */
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

/** A page in the encoding that it names. */
function declared(content: Buffer): string | undefined {
  const [, name] = DECLARED.exec(content.toString('latin1', 0, DECLARED_WITHIN)) ?? [];
  return name === undefined ? undefined : decoded(content, name.toLowerCase());
}

/** Windows-1252, which holds Latin-1, where that gives text: many programs of the time before UTF-8 write it, and nothing in a file tells it. */
function western(content: Buffer): string | undefined {
  const text = decoded(content, 'windows-1252');
  if (text === undefined || IS_NO_TEXT.test(text) || IS_UTF_8.test(text)) return undefined;
  const beyond = text.match(/[\u0080-\uFFFF]/g)?.length ?? 0;
  return beyond <= MAX_BEYOND_ASCII * text.length ? text : undefined;
}
