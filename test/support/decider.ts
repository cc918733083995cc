/** Given / when / then for a pure decider. Everything is frozen, so that a decider that changes its input fails. */
export interface Decider<Command, Event, State> {
  initial: State;
  decide: (command: Command, state: State, at: string) => Event[];
  evolve: (state: State, event: Event, at: string) => State;
}

export const AT = '2026-11-21T10:00:00.000Z';

export const specificationOf =
  <Command, Event, State>({ initial, decide, evolve }: Decider<Command, Event, State>) =>
  (...history: Event[]) => {
    const state = history.reduce((folded, event) => frozen(evolve(folded, frozen(event), AT)), frozen(initial));
    return {
      state,
      when: (command: Command) => {
        const run = () => decide(frozen(command), state, AT);
        return {
          then: (...events: unknown[]) => expect(run()).toEqual(events),
          /** Types in order, where the rest is not the point. */
          thenTypes: (...types: string[]) => expect(run().map((event) => (event as { type: string }).type)).toEqual(types),
          thenNothing: () => expect(run()).toEqual([]),
          thenThrows: (code: string) => expect(run).toThrow(expect.objectContaining({ code }) as Error),
          events: run,
        };
      },
    };
  };

export function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) frozen(inner);
  }
  return value;
}
