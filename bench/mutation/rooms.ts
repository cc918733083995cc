/** Rooms that are mutated, each with the specs that look at it. */
export const ROOMS: Readonly<Record<string, readonly RegExp[]>> = {
  'libs/domain': [/test\/domain\//],
  'libs/store': [/test\/(store|access|cancel)\//, /test\/saga\/sweeper/, /test\/synthesizer\/[a-z-]+\.spec/],
  // Those two take minutes, and what they look at has quicker specs.
  'src/saga': [/test\/(saga\/(?!turns|outage)|cancel\/)/, /test\/worker\/(worker|recording)/, /test\/store\/agenda/],
  'src/worker': [/test\/(worker|cancel)\//, /test\/saga\/serve-saga/],
  'src/synthesizer': [/test\/synthesizer\/([a-z-]+\.spec|system\/model-synthesis)/, /test\/worker\/worker/],
};

/** Has no behaviour of its own: the schema's history, and the classes that only describe responses. */
export const LEFT_ALONE = /\/migrations\/|\.view\.ts$/;
