import { codePoints } from '@lib/domain/code-points';
import { isBlank } from '@lib/domain/blank';
import { isId, type IdKind } from '@lib/domain/ids';
import { invalidRequest, type Violation } from './problems';
import { quoted } from './quoted';

/** Query parameters as the router gives them: a repeated one is a list. */
export type Query = Readonly<Record<string, string | string[] | undefined>>;

const INSTANT = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/i;
const UNSTORABLE = /\0|\p{Surrogate}/u;

/** Reads the parameters of a query one by one, and then refuses them all at once if any of them is wrong. */
export class QueryValues {
  private readonly violations: Violation[] = [];

  constructor(private readonly query: Query) {}

  isGiven(name: string): boolean {
    return this.query[name] !== undefined;
  }

  flag(name: string): boolean {
    return this.oneOf(name, ['true', 'false']) === 'true';
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    return this.read(name, 'not_allowed', `must be one of ${values.join(', ')}`, (text) => values.find((value) => value === text));
  }

  id(name: string, kind: IdKind): string | undefined {
    const remedy = `must be ${kind}_ and 26 characters, as the service returned it`;
    return this.read(name, 'invalid_id', remedy, (text) => (isId(kind, text) ? text : undefined));
  }

  instant(name: string): Date | undefined {
    const remedy = 'must be an RFC 3339 time such as 2026-11-21T09:30:00Z; send the + of an offset as %2B';
    return this.read(name, 'invalid_time', remedy, parseInstant);
  }

  /** Text that is not blank. */
  text(name: string, maxCharacters: number): string | undefined {
    const given = this.query[name];
    const remedy =
      typeof given === 'string' && UNSTORABLE.test(given)
        ? 'must not contain the character NUL (U+0000) or half of a surrogate pair'
        : `must have 1 to ${maxCharacters} characters and not be blank`;
    return this.read(name, 'invalid_text', remedy, (text) =>
      !isBlank(text) && codePoints(text) <= maxCharacters && !UNSTORABLE.test(text) ? text : undefined,
    );
  }

  /** A required value. If it is absent, `check` throws. */
  require<Value>(name: string, code: string, remedy: string, parse: (text: string) => Value | undefined): Value {
    if (this.query[name] === undefined)
      this.violations.push({ pointer: `/${name}`, code: 'required', message: `${name} is missing: it ${remedy}.` });
    return this.read(name, code, remedy, parse) as Value;
  }

  /** @param parse undefined for a text that is wrong */
  read<Value>(name: string, code: string, remedy: string, parse: (text: string) => Value | undefined): Value | undefined {
    const given = this.query[name];
    if (given === undefined) return undefined;
    const value = typeof given === 'string' ? parse(given) : undefined;
    if (value !== undefined) return value;
    const found = typeof given === 'string' ? quoted(given) : `given ${given.length} times`;
    this.violations.push({
      pointer: `/${name}`,
      code: typeof given === 'string' ? code : 'repeated',
      message: `${name} is ${found}: it ${remedy}.`,
    });
    return undefined;
  }

  /** @throws Problem invalid_request with every violation of what was read */
  check(others: readonly Violation[] = []): void {
    const all = [...this.violations, ...others];
    if (all.length > 0) throw invalidRequest(all);
  }
}

/** @returns undefined for what is no RFC 3339 time */
export function parseInstant(text: string): Date | undefined {
  const day = INSTANT.exec(text)?.[1];
  const time = new Date(day !== undefined && isInCalendar(day) ? text.toUpperCase() : NaN);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** Date takes the 30th of February for the 2nd of March. */
function isInCalendar(day: string): boolean {
  const time = new Date(day);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day);
}
