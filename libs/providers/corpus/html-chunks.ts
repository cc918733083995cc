import { Parser } from 'htmlparser2';

import { shortChunk, type Chunk } from './passages';

const INVISIBLE = new Set(['script', 'style', 'template', 'noscript', 'nav', 'svg', 'head', 'iframe', 'object', 'select', 'button']);
const INLINE = new Set(
  'a abbr b bdi bdo cite code data dfn em font i img ins kbd label mark q s samp small span strong sub sup time tt u var wbr'.split(' '),
);
const HEADING = /^h([1-6])$/;
const LONGEST_TITLE = 500;

export interface HtmlText {
  title: string | undefined;
  chunks: Chunk[];
}

/** The readable text of an HTML page: one chunk per block element, without invisible parts. */
export function htmlText(html: string): HtmlText {
  const reader = new HtmlReader(html);
  const parser = new Parser({
    onopentagname: (name) => reader.open(name),
    onclosetag: (name) => reader.close(name),
    ontext: (text) => reader.text(text, parser.startIndex, parser.endIndex),
  });
  parser.end(html);
  reader.flush();
  return reader;
}

class HtmlReader implements HtmlText {
  title: string | undefined;
  readonly chunks: Chunk[] = [];
  private readonly above: { title: string; depth: number }[] = [];
  private headings: readonly string[] = [];
  private readonly lineStarts: number[];
  private invisible = 0;
  private inTitle = false;
  private words = '';
  private start = 0;
  private end = 0;

  constructor(html: string) {
    this.lineStarts = [0, ...Array.from(html.matchAll(/\n/g), ({ index }) => index + 1)];
  }

  open(name: string): void {
    if (name === 'title') this.inTitle = true;
    if (INVISIBLE.has(name)) this.invisible += 1;
    if (!INLINE.has(name)) this.flush();
  }

  close(name: string): void {
    if (name === 'title') this.inTitle = false;
    if (INVISIBLE.has(name)) this.invisible = Math.max(0, this.invisible - 1);
    const depth = HEADING.exec(name)?.[1];
    if (depth) this.heading(Number(depth));
    else if (!INLINE.has(name)) this.flush();
  }

  text(text: string, start: number, end: number): void {
    if (this.inTitle) this.title = `${this.title ?? ''}${text}`.replace(/\s+/g, ' ').trim().slice(0, LONGEST_TITLE) || undefined;
    if (this.invisible > 0 || (text.trim() === '' && this.words === '')) return;
    if (this.words === '') this.start = start + text.length - text.trimStart().length;
    if (text.trim() !== '') this.end = end - (text.length - text.trimEnd().length);
    this.words += text;
  }

  flush(): void {
    const text = shortChunk(this.words.replace(/\s+/g, ' ').trim());
    this.words = '';
    if (text === '') return;
    this.chunks.push({ headings: this.headings, text, startLine: this.lineOf(this.start), endLine: this.lineOf(this.end) });
  }

  private heading(depth: number): void {
    const title = this.words.replace(/\s+/g, ' ').trim().slice(0, LONGEST_TITLE);
    this.words = '';
    if (title === '') return;
    while ((this.above.at(-1)?.depth ?? 0) >= depth) this.above.pop();
    this.above.push({ title, depth });
    this.headings = this.above.map((heading) => heading.title);
  }

  /** Line number of an offset, from 1. */
  private lineOf(offset: number): number {
    let [low, high] = [0, this.lineStarts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }
}
