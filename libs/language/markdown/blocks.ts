import { Block, type BlockKind, type Place } from './block';
import { newEnvironment } from './environment';
import { blockTokens, type Token } from './parser';
import { parserSource } from './source';

const TASK = /^\[[ xX]\][ \t\n]+(?=\S)/;
/** A text with this beginning is not empty, whatever its markup. */
const SURELY_TEXT = /^[*_`"'(]*[\p{L}\p{N}]/u;
/** Container markers and indentation before a table row. */
const CONTAINER_MARKERS = /[ \t>]*/y;

const CONTAINERS: Readonly<Record<string, BlockKind>> = {
  list_item_open: 'listItem',
  blockquote_open: 'quote',
  footnote_open: 'definition',
};
const CONTAINER_ENDS: ReadonlySet<string> = new Set(['list_item_close', 'blockquote_close', 'footnote_close']);

/**
 * The blocks of a Markdown document (CommonMark with the GitHub extensions) in order; YAML front matter is left out.
 * Time and depth are bounded for any input.
 */
export function parseBlocks(markdown: string): Block[] {
  const reader = new BlockReader(parserSource(markdown));
  return reader.read();
}

/** Turns the tokens of one document into blocks. */
class BlockReader {
  private readonly environment = newEnvironment();
  private readonly blocks: Block[] = [];
  /** The kind of a paragraph in each of the open containers. */
  private readonly containers: BlockKind[] = [];
  private readonly above: { title: string; depth: number }[] = [];
  private headings: readonly string[] = [];

  constructor(private readonly source: string) {}

  read(): Block[] {
    const tokens = blockTokens(this.source, this.environment);
    for (const [index, token] of tokens.entries()) this.readToken(token, index, tokens);
    return this.blocks;
  }

  private readToken(token: Token, index: number, tokens: readonly Token[]): void {
    const { type, content } = token;
    const container = CONTAINERS[type];
    if (container) this.containers.push(container);
    else if (CONTAINER_ENDS.has(type)) this.containers.pop();
    else if (type === 'inline' && token.map) {
      const opening = tokens[index - 1];
      if (opening?.type === 'heading_open') this.addHeading(opening, content);
      else this.addText(token);
    } else if (type === 'tr_open') this.addRow(token, tokens, index);
    else if (type === 'fence' || type === 'code_block') this.add('code', this.placeOf(token), [content]);
    else if (type === 'html_block') this.add('html', this.placeOf(token), [content]);
    else if (type === 'reference_definition') {
      const place = this.placeOf(token);
      this.add('definition', place, [this.source.slice(place.start, place.end)]);
    }
  }

  private addHeading(token: Token, content: string): void {
    const depth = Number(token.tag.slice(1));
    while ((this.above.at(-1)?.depth ?? 0) >= depth) this.above.pop();
    this.headings = this.above.map(({ title }) => title);
    const block = new Block('heading', this.placeOf(token), this.headings, depth, [content], this.environment);
    const title = block.text;
    if (title !== '') this.blocks.push(block);
    this.above.push({ title, depth });
    this.headings = [...this.headings, title];
  }

  private addText(token: Token): void {
    const kind = this.containers.at(-1) ?? 'paragraph';
    const place = this.placeOf(token);
    const box = kind === 'listItem' ? TASK.exec(token.content)?.[0].length : undefined;
    if (box === undefined) this.add(kind, place, [token.content]);
    else this.add(kind, { ...place, start: place.start + box }, [token.content.slice(box)]);
  }

  private addRow(token: Token, tokens: readonly Token[], index: number): void {
    const cells: string[] = [];
    for (let at = index + 1; tokens[at] && tokens[at]?.type !== 'tr_close'; at += 1) {
      if (tokens[at]?.type === 'inline') cells.push(tokens[at]?.content ?? '');
    }
    this.add(tokens[index - 1]?.type === 'thead_open' ? 'tableHeader' : 'tableRow', this.placeOf(token), cells);
  }

  /** Adds a block, unless it has no text. */
  private add(kind: BlockKind, place: Place, contents: readonly string[]): void {
    const block = new Block(kind, place, this.headings, 0, contents, this.environment);
    if (contents.some((content) => SURELY_TEXT.test(content)) || block.text !== '') this.blocks.push(block);
  }

  private placeOf({ map }: Token): Place {
    const [first, after] = map ?? [0, 1];
    const { starts, lineEnds } = this.environment;
    const start = starts[first] ?? this.startOfRow(first);
    // Leaves out blank lines at the end, which only code and HTML have.
    const end = start + this.source.slice(start, lineEnds[after - 1] ?? this.source.length).trimEnd().length;
    let last = after - 1;
    while (last > first && (lineEnds[last - 1] ?? 0) >= end) last -= 1;
    return { start, end, startLine: first + 1, endLine: last + 1 };
  }

  /** The offset of a table row; the parser only records block beginnings for the first row. */
  private startOfRow(line: number): number {
    CONTAINER_MARKERS.lastIndex = line === 0 ? 0 : (this.environment.lineEnds[line - 1] ?? 0) + 1;
    CONTAINER_MARKERS.test(this.source);
    return CONTAINER_MARKERS.lastIndex;
  }
}
