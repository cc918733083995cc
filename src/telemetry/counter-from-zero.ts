import { Counter, type CounterConfiguration } from 'prom-client';

/**
 * A counter whose series are all told as 0 from the start. Alert rules and dashboards look at increases, and a series that begins with its first event
 * shows none for it.
 * @param known the values that its labels can have; several if some of them only occur together
 */
export function counterFromZero<Label extends string>(
  { name, help, registers }: Required<Pick<CounterConfiguration<Label>, 'name' | 'help' | 'registers'>>,
  ...known: [Readonly<Record<Label, readonly string[]>>, ...Readonly<Record<Label, readonly string[]>>[]]
): Counter<Label> {
  const counter = new Counter<Label>({ name, help, labelNames: Object.keys(known[0]) as Label[], registers });
  for (const values of known) for (const labels of combinations(values)) counter.inc(labels, 0);
  return counter;
}

/** The members of a union of texts; the compiler sees to it that none is left out. */
export const membersOf = <Member extends string>(members: Readonly<Record<Member, true>>): readonly Member[] =>
  Object.keys(members) as Member[];

/** Every combination of the labels' values. */
function combinations<Label extends string>(values: Readonly<Record<Label, readonly string[]>>): Partial<Record<Label, string>>[] {
  const labels = Object.keys(values) as Label[];
  return labels.reduce<Partial<Record<Label, string>>[]>(
    (found, label) => found.flatMap((some) => values[label].map((value) => ({ ...some, [label]: value }))),
    [{}],
  );
}
