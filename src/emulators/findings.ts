/** Invented findings that a run reports. They say that they are emulated, and agree and differ among the APIs so that a synthesis has work. */

export interface Source {
  url: string;
  title: string;
  snippet: string;
}

export interface Span {
  /** UTF-16 units of the text; the end is exclusive. */
  start: number;
  end: number;
}

export interface WrittenCitation {
  number: number;
  source: Source;
  /** The sentence that the source backs, without its mark. */
  statement: Span;
  /** Where the mark stands; empty and at the statement's end where there is none. */
  mark: Span;
}

export interface Written {
  text: string;
  citations: WrittenCitation[];
}

export interface Statement {
  text: string;
  source: Source | null;
}

/** Four ways to write one page, two videos that differ in their query alone, and a page of each API's own. */
const SHARED: readonly (readonly [sentence: string, url: string, title: string])[] = [
  ['The Wren log service was released in 2021 and rotates its files daily.', 'https://www.wren.example/logs/', 'Wren logs'],
  [
    'Wren keeps 14 rotated files – “naïve” setups 🚢 keep all of them.',
    'http://wren.example/logs?utm_source=emulator',
    'Wren logs (shared)',
  ],
  [
    'A talk from 2022 shows the rotation of 40 GB within 3 minutes.',
    'https://www.youtube.com/watch?v=aaaaaaaaaaa',
    'Rotating logs at scale',
  ],
  ['Another talk from 2023 measured 55 GB within 3 minutes.', 'https://www.youtube.com/watch?v=bbbbbbbbbbb', 'Rotating logs, a year later'],
];

/** Sources of a run that was not told another number. */
export const PREPARED_SOURCES = SHARED.length + 1;

export function statementsFor(api: string, question: string, sources: number): Statement[] {
  const own = { url: `https://${api}.example/findings`, title: `Findings of ${api}`, snippet: `What ${api} found` };
  const statements: Statement[] = SHARED.map(([text, url, title]) => ({ text, source: { url, title, snippet: text } }));
  statements.push({ text: `The emulated ${api} counted ${question.length} characters in the question.`, source: own });
  for (let number = statements.length + 1; number <= sources; number += 1) {
    const source = { url: `https://source-${number}.example/page`, title: `Source ${number}`, snippet: `Passage ${number}` };
    statements.push({ text: `Finding ${number} is backed by a page of its own.`, source });
  }
  return statements.map((statement, position) => (position < sources ? statement : { ...statement, source: null }));
}

export function write(statements: readonly Statement[], mark: (number: number, source: Source) => string): Written {
  let text = '# Emulated answer\n\n';
  const citations: WrittenCitation[] = [];
  for (const { text: sentence, source } of statements) {
    const statement = { start: text.length, end: text.length + sentence.length };
    text += sentence;
    if (source) {
      const written = mark(citations.length + 1, source);
      citations.push({ number: citations.length + 1, source, statement, mark: { start: text.length, end: text.length + written.length } });
      text += written;
    }
    text += '\n\n';
  }
  return { text, citations };
}
