import MarkdownIt from 'markdown-it';
import { bold, dim, italic, link, wrapped } from './terminal-text';

type Token = MarkdownIt.Token;

/** Where the report's sources lead; null for an address that cannot be opened from here. */
export type AddressOf = (url: string) => string | null;

const MARK = /\[(\d{1,6})\]/g;
const MAX_NAME_LENGTH = 48;
const WIDEST = 100;

const parser = new MarkdownIt({ html: false, linkify: false });

interface Source {
  name: string;
  address: string | null;
}

/** A report in Markdown as it is read on a terminal: headings and emphasis are shown, marks and sources are short names that link. */
export function terminalReport(markdown: string, columns: number, addressOf: AddressOf = (url) => url): string {
  const tokens = parser.parse(markdown, {});
  const sources = sourcesIn(tokens, addressOf);
  return new Renderer(Math.min(columns, WIDEST), sources, addressOf).render(tokens);
}

/** The list of sources says what each mark stands for: `[1] [title](address)`. */
function sourcesIn(tokens: readonly Token[], addressOf: AddressOf): Map<string, Source> {
  const sources = new Map<string, Source>();
  for (const { children } of tokens) {
    const [mark, opening] = children ?? [];
    const number = /^\[(\d{1,6})\] $/.exec(mark?.content ?? '')?.[1];
    const url = opening?.type === 'link_open' ? opening.attrGet('href') : null;
    if (number !== undefined && url) sources.set(number, { name: shortName(String(url)), address: addressOf(String(url)) });
  }
  return sources;
}

/** For a page its host; for a document its file name with the folder or package that it belongs to, because many are called README.md. */
export function shortName(address: string): string {
  const url = URL.parse(address);
  const readable = url?.hostname ? decoded(url.hostname.replace(/^www\./, '')) : documentName(decoded(url?.pathname ?? address));
  return readable.length > MAX_NAME_LENGTH ? `${readable.slice(0, MAX_NAME_LENGTH - 1).toWellFormed()}…` : readable;
}

function documentName(path: string): string {
  const [, top, file = ''] = /^\/?(?:((?:@[^/]*\/)?[^/]+)\/)?(?:.*\/)?([^/]*)$/.exec(path) ?? [];
  return top === undefined ? file : `${top}: ${file}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text).replace(/\p{C}/gu, '');
  } catch {
    return text;
  }
}

class Renderer {
  private readonly blocks: string[] = [];
  /** Of each list that is open: its bullet, or the number of its next item. */
  private readonly lists: (number | '•')[] = [];
  private bullet = '';
  private columnsOfTable: string[] = [];
  private isHead = false;
  private cell = 0;

  constructor(
    private readonly width: number,
    private readonly sources: ReadonlyMap<string, Source>,
    private readonly addressOf: AddressOf,
  ) {}

  render(tokens: readonly Token[]): string {
    tokens.forEach((token, place) => this.block(token, tokens[place - 1]));
    return this.blocks
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
  }

  private block(token: Token, before: Token | undefined): void {
    const { type } = token;
    if (type === 'bullet_list_open') this.lists.push('•');
    else if (type === 'ordered_list_open') this.lists.push(Number(token.attrGet('start') ?? 1));
    else if (type === 'bullet_list_close' || type === 'ordered_list_close') this.endList();
    else if (type === 'list_item_open') this.beginItem();
    else if (type === 'thead_open' || type === 'tbody_open') this.isHead = type === 'thead_open';
    else if (type === 'tr_open') this.cell = 0;
    else if (type === 'tr_close' || type === 'table_close') this.blocks.push('');
    else if (type === 'fence' || type === 'code_block')
      this.say(dim(token.content.trimEnd().replaceAll('\n', `\n${this.indent()}`)), false);
    else if (type === 'hr') this.blocks.push(dim('─'.repeat(Math.min(this.width, 20))), '');
    else if (type === 'inline') this.inline(token, before?.type ?? '');
  }

  private inline(token: Token, parent: string): void {
    const text = this.text(token.children ?? []);
    if (parent === 'heading_open') this.blocks.push('', bold(text), '');
    else if (parent === 'th_open') this.columnsOfTable[this.cell++] = text;
    else if (parent === 'td_open') this.say(`${dim(`${this.columnsOfTable[this.cell++] ?? ''}:`)} ${text}`);
    else this.say(text);
    if (parent === 'paragraph_open' && this.lists.length === 0) this.blocks.push('');
  }

  private say(text: string, wraps = true): void {
    const indent = this.indent();
    const first = this.bullet === '' ? indent : indent.slice(0, -this.bullet.length) + this.bullet;
    this.bullet = '';
    this.blocks.push(first + (wraps ? wrapped(text, this.width, indent) : text));
  }

  private indent(): string {
    return '   '.repeat(this.lists.length);
  }

  private beginItem(): void {
    const list = this.lists.at(-1) ?? '•';
    if (typeof list === 'number') this.lists[this.lists.length - 1] = list + 1;
    this.bullet = (typeof list === 'number' ? `${list}. ` : list).padEnd(3);
  }

  private endList(): void {
    this.lists.pop();
    if (this.lists.length === 0) this.blocks.push('');
  }

  private text(children: readonly Token[]): string {
    const parts: string[] = [];
    const open: { from: number; wrap: (text: string) => string }[] = [];
    const begin = (wrap: (text: string) => string) => open.push({ from: parts.length, wrap });
    for (const child of children) {
      if (child.type === 'strong_open') begin(bold);
      else if (child.type === 'em_open') begin(italic);
      else if (child.type === 'link_open') begin(this.linkTo(String(child.attrGet('href') ?? '')));
      else if (child.type.endsWith('_close')) {
        const { from, wrap } = open.pop() ?? { from: parts.length, wrap: (text: string) => text };
        parts.push(wrap(parts.splice(from).join('')));
      } else if (child.type === 'softbreak') parts.push(' ');
      else if (child.type === 'hardbreak') parts.push('\n');
      else if (child.type === 'code_inline') parts.push(dim(child.content));
      else if (child.type === 'text') parts.push(this.marked(child.content));
      else parts.push(child.content);
    }
    return parts.join('');
  }

  private linkTo(url: string): (text: string) => string {
    const address = this.addressOf(url);
    return (text) => (address === null ? text : link(text, address));
  }

  /** Marks of sources as their short names. */
  private marked(text: string): string {
    return text.replace(MARK, (mark, number: string) => {
      const source = this.sources.get(number);
      if (!source) return mark;
      return dim(`[${source.address === null ? source.name : link(source.name, source.address)}]`);
    });
  }
}
