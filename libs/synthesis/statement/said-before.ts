import type { Headings } from '../subject/heading';
import type { Statement } from './statement';

/** The statements of a report so far. Below other headings the same words mean something else. */
export class SaidBefore {
  private readonly quoted: ReadonlySet<string>;
  private readonly below = new Map<string, Set<string>>();
  /** Cached, because most statements have the same headings as the one before. */
  private last: { headings: Headings | null; said: Set<string> } | null = null;

  constructor(quotations: readonly Statement[]) {
    this.quoted = new Set(quotations.map(({ wording }) => wording));
  }

  isRepeated({ headings, leansOn, wording }: Statement): boolean {
    const key = leansOn === null ? wording : `${leansOn}\n${wording}`;
    if (this.last?.headings !== headings || this.last === null) this.last = { headings, said: this.saidBelow(headings?.key ?? '') };
    if (this.last.said.has(key) || this.quoted.has(key)) return true;
    this.last.said.add(key);
    return false;
  }

  private saidBelow(place: string): Set<string> {
    const said = this.below.get(place) ?? new Set<string>();
    this.below.set(place, said);
    return said;
  }
}
