/**
 * Loaded into every process of a chaos run by `NODE_OPTIONS=--require`, and only by tests: lets the nemesis set its clock, block its event
 * loop and use up its memory. (libfaketime would set the clock too, but must be installed.)
 */
const RealDate = Date;
let aheadMs = Number(process.env.CLOCK_AHEAD_MS ?? 0);
const now = () => RealDate.now() + aheadMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});

const hoard = [];
const orders = {
  clock: (milliseconds) => {
    aheadMs = milliseconds;
    return new Date().toISOString();
  },
  block: (milliseconds) => {
    const began = performance.now();
    while (performance.now() - began < milliseconds);
    return performance.now() - began;
  },
  /** Objects of the heap until its limit ends the process; between the pieces it does its work. */
  hoard: () => {
    setInterval(() => hoard.push(Array.from({ length: 200_000 }, (_, place) => ({ place }))), 5);
    return 0;
  },
};

if (process.channel) {
  process.on('message', ({ order, value }) => process.send(orders[order](value)));
  // Listening must not keep a process alive that wants to end.
  process.channel.unref();
}
