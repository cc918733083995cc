/** Rooms that are mutated, each with the specs that look at it. */
export const ROOMS: Readonly<Record<string, readonly RegExp[]>> = {
  'libs/domain': [/test\/domain\//],
  'libs/store': [/test\/(store|access|cancel)\//, /test\/saga\/(sweeper|saga)\.spec/, /test\/synthesizer\/[a-z-]+\.spec/],
  // The specs that are left out take minutes, and what they look at has quicker ones.
  'src/saga': [/test\/(saga\/(?!turns|outage)|cancel\/)/, /test\/worker\/(worker|recording|limits)/, /test\/store\/agenda/],
  'src/worker': [/test\/(worker|cancel)\//, /test\/saga\/serve-saga/],
  'src/synthesizer': [/test\/synthesizer\/[a-z-]+\.spec/, /test\/worker\/worker/],
};

/** Has no behaviour of its own: the schema's history, and the classes that only describe responses. */
export const LEFT_ALONE = /\/migrations\/|\.view\.ts$/;
