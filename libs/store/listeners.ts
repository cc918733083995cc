/** Whoever wants to be told of something. Listeners must not throw. */
export interface Listeners<Told> {
  add: (listener: (told: Told) => void) => void;
  tell: (told: Told) => void;
}

export function listeners<Told>(): Listeners<Told> {
  const all: ((told: Told) => void)[] = [];
  return { add: (listener) => void all.push(listener), tell: (told) => all.forEach((listener) => listener(told)) };
}
