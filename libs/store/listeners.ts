/** Subscribers. They must not throw: one that does causes a process warning, and the others are still called. */
export interface Listeners<Told> {
  add: (listener: (told: Told) => void) => void;
  tell: (told: Told) => void;
}

export function listeners<Told>(): Listeners<Told> {
  const all: ((told: Told) => void)[] = [];
  const tellOne = (listener: (told: Told) => void, told: Told): void => {
    try {
      listener(told);
    } catch (error) {
      // The event is already stored, so it must not seem to have failed.
      process.emitWarning(`A listener threw: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  };
  return { add: (listener) => void all.push(listener), tell: (told) => all.forEach((listener) => tellOne(listener, told)) };
}
