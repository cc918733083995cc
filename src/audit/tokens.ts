/** Injection token of whether there is a log of events: it is off at `CHECKPOINT_MS=0`. */
export const KEEPS_LOG = Symbol('keeps log');
