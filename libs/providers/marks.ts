/** A part of a provider's Markdown that may refer to sources, or that must not be split by a mark. */
export type Token =
  | { kind: 'code'; start: number; end: number }
  /** `[1]`, `[2, 3]`, `[^4]`, `[cite: 5, 6]`, `[web:7]` or `【8†source】`. */
  | { kind: 'numbers'; start: number; end: number; numbers: number[] }
  /** `[[1]](url)` or `[1](url)`. */
  | { kind: 'linkedNumber'; start: number; end: number; number: number; url: string }
  /** `[label](url)`; an `aside` is a link alone in parentheses, and the parentheses are part of it. */
  | { kind: 'link'; start: number; end: number; url: string; aside: boolean };

const CODE = String.raw`(?<code>(?<!\x60)(?:\x60{3,}[^\x60]+\x60{3,}|\x60{1,2}(?!\x60)(?:[^\x60\n]|\n(?![ \t\r]*\n))+\x60{1,2}))`;
const TARGET = String.raw`\(\s{0,5}<?(?<url>(?:[^()\s<>]|\([^()\s<>]{0,500}\)){1,4000})>?(?:\s{1,5}"[^"\n]{0,500}")?\s{0,5}\)`;
const LINK = String.raw`(?<!\\)\[(?<label>\[\^?\d{1,5}\]|[^\][\n]{0,500})\]${TARGET}`;
const NUMBERS = String.raw`(?<!\\)\[(?<numbers>\^?\d{1,5}(?:\s?[,;]\s?\^?\d{1,5}){0,50})\]`;
const LENTICULAR = String.raw`【(?<lenticular>\d{1,5})[^】\n]{0,40}】`;
/** Citation marks of Gemini's deep research. */
const CITE = String.raw`[ \t]?\[cite:\s?(?<cite>\d{1,5}(?:,\s?\d{1,5}){0,50})\]`;
/** Marks of Perplexity's models, which name the tool whose result they mean; the number is that of the search result. */
const WEB = String.raw`[ \t]?(?<!\\)\[web:\s?(?<web>\d{1,5}(?:\s?[,;]\s?(?:web:\s?)?\d{1,5}){0,50})\](?!\()`;
const TOKEN = new RegExp([CODE, LINK, NUMBERS, CITE, WEB, LENTICULAR].join('|'), 'g');

/** The tokens in order, without overlaps. Linear time for any text. */
export function scanTokens(markdown: string): Token[] {
  return Array.from(markdown.matchAll(TOKEN), ({ index: start, 0: { length }, groups = {} }) => {
    const end = start + length;
    const { code, label, url } = groups;
    if (code !== undefined) return { kind: 'code', start, end };
    if (label === undefined || url === undefined) {
      const numbers = (groups.numbers ?? groups.cite ?? groups.web ?? groups.lenticular ?? '').split(/[,;]/).map(numberIn);
      return { kind: 'numbers', start, end, numbers };
    }
    if (/^\[?\^?\d+\]?$/.test(label)) return { kind: 'linkedNumber', start, end, number: numberIn(label), url };
    const aside = markdown[start - 1] === '(' && markdown[end] === ')';
    return aside ? { kind: 'link', start: start - 1, end: end + 1, url, aside } : { kind: 'link', start, end, url, aside };
  });
}

const numberIn = (text: string): number => Number(text.replace(/\D/g, ''));
