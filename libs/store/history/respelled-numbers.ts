/** A number that is written otherwise than RFC 8785 writes it. */
export interface Respelled {
  column: 'facts' | 'meta';
  name: string;
  /** As the database has it. */
  written: string;
  /** As its value is written, over which the event's hash is. */
  canonical: string;
}

/**
 * Only numbers with a fraction or many digits can be written in several ways: jsonb keeps no exponent and no sign of a zero. It writes a space or a bracket
 * before each. Nearly all events have no such number, and need no closer look.
 */
const SEVERAL_WAYS = /[ []-?(?:\d+\.|\d{16})/;
/** How jsonb writes a number that it got in RFC 8785 JSON: without an exponent. */
const PLAIN = new Intl.NumberFormat('en-US', { useGrouping: false, maximumFractionDigits: 100 });

/**
 * Somebody may have written 100.0 for 100, or digits behind it that are beyond the precision of RFC 8785 JSON. The hash of the event is the same, but SQL
 * computes with what is written.
 * @param text as the database writes jsonb
 */
export function respelledIn(column: Respelled['column'], text: string): Respelled | null {
  if (!SEVERAL_WAYS.test(text)) return null;
  let found: Respelled | null = null;
  const look = (name: string, value: unknown, { source = '' }: { source?: string }): unknown => {
    if (typeof value === 'number' && PLAIN.format(value) !== source) found ??= { column, name, written: source, canonical: String(value) };
    return value;
  };
  // The types of TypeScript lack the third parameter.
  JSON.parse(text, look as (name: string, value: unknown) => unknown);
  return found;
}
