import { collapseWhiteSpace } from '../white-space';
import type { Environment } from './environment';
import { piecesOf, plainText, withoutTags, type Piece } from './inline';

export type BlockKind = 'heading' | 'paragraph' | 'listItem' | 'tableHeader' | 'tableRow' | 'code' | 'quote' | 'html' | 'definition';

/** A part of a document: UTF-16 offsets, `end` exclusive; lines both inclusive, counted from 1. */
export interface Place {
  start: number;
  end: number;
  startLine: number;
  endLine: number;
}

const LINK_DEFINITION = /^\[([^\]]*)\]:\s*(?:<([^>\n]*)>|(\S+))([\s\S]*)$/;

/** A stretch of a Markdown document that reads as one unit: a heading, a paragraph of a list item, one row of a table … */
export class Block implements Place {
  readonly start: number;
  readonly end: number;
  readonly startLine: number;
  readonly endLine: number;
  private readText: string | undefined;

  constructor(
    readonly kind: BlockKind,
    place: Place,
    /** Titles of the headings above, outermost first. */
    readonly headings: readonly string[],
    /** 1 to 6 for a heading, otherwise 0. */
    readonly depth: number,
    /** In Markdown, without the markers of containers; for a table row, one content per cell. */
    private readonly contents: readonly string[],
    private readonly environment: Environment,
  ) {
    this.start = place.start;
    this.end = place.end;
    this.startLine = place.startLine;
    this.endLine = place.endLine;
  }

  /** Plain text: inline markup removed, white space collapsed (not in code), table cells joined by ` | `. Computed on first use. */
  get text(): string {
    return (this.readText ??= this.read());
  }

  /** A part of it as a block of its own, below the same headings. */
  part(kind: BlockKind, place: Place, contents: readonly string[]): Block {
    return new Block(kind, place, this.headings, 0, contents, this.environment);
  }

  /** The content of the block as runs of text, code and HTML. */
  get pieces(): Piece[] {
    return this.contents.flatMap((content) => piecesOf(content, this.environment));
  }

  /** The cells of a table row as plain text. */
  get cells(): string[] {
    return this.contents.map((cell) => plainText(cell, this.environment));
  }

  private read(): string {
    const [content = ''] = this.contents;
    if (this.kind === 'code') return content.replace(/\n$/, '');
    if (this.kind === 'html') return collapseWhiteSpace(withoutTags(content));
    const definition = this.kind === 'definition' ? LINK_DEFINITION.exec(content) : null;
    if (definition) {
      const [, label, bracketed, address, rest = ''] = definition;
      const title = rest
        .trim()
        .replace(/^["'(]/, '')
        .replace(/["')]$/, '');
      return collapseWhiteSpace([label, title, bracketed ?? address].filter(Boolean).join(' '));
    }
    const { cells } = this;
    while (cells.length > 1 && cells.at(-1) === '') cells.pop();
    return cells.join(' | ').trim();
  }
}
