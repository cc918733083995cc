import { ID_KINDS, type IdKind } from '@lib/domain/ids';
import { newId } from '@lib/store/new-id';

/**
 * Step ids are not replaced, because nothing looks them up outside their job: content that names no other id is then the same in all copies and is
 * packed once.
 */
const COPIED_KINDS = ID_KINDS.filter((kind) => kind !== 'stp');
const VARIABLE = new RegExp(`(?:${COPIED_KINDS.join('|')})_[0-9a-z]{26}|\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z`, 'g');

/** The ids and times of a history, each once, in the order in which they were met. */
export class Variables {
  private readonly places = new Map<string, number>();

  placeOf(variable: string): number {
    const known = this.places.get(variable) ?? this.places.size;
    this.places.set(variable, known);
    return known;
  }

  /** @returns for each of them a new id, or the time `shiftMs` later */
  anew(shiftMs: number): string[] {
    return [...this.places.keys()].map((variable) =>
      variable.includes('_') ? newId(variable.slice(0, 3) as IdKind) : new Date(Date.parse(variable) + shiftMs).toISOString(),
    );
  }
}

/** A text cut at each id and time, to be put together with others. */
export class CutText {
  private readonly pieces: string[];
  private readonly places: number[];

  constructor(text: string, variables: Variables) {
    this.pieces = text.split(VARIABLE);
    this.places = (text.match(VARIABLE) ?? []).map((variable) => variables.placeOf(variable));
  }

  get isFixed(): boolean {
    return this.places.length === 0;
  }

  filled(values: readonly string[]): string {
    let text = this.pieces[0] as string;
    for (let at = 0; at < this.places.length; at += 1)
      text += (values[this.places[at] as number] as string) + (this.pieces[at + 1] as string);
    return text;
  }
}
