/** Rooms that are mutated, each with the specs that look at it. */
export const ROOMS: Readonly<Record<string, readonly RegExp[]>> = {
  'libs/domain': [
    /test\/domain\//,
    /test\/(providers\/checked-report|webhooks\/schedule|audit\/tenant-automaton|access\/key-history|store\/limits)/,
  ],
  // Beside its own specs those of the routes that read what only a running service asks for, as far as it runs in their process.
  'libs/store': [
    /test\/(store\/(?!long-threads|oldest-postgres|memory)|(access|cancel|webhooks|claims|jobs|account|deletions)\/)/,
    /test\/audit\/(audit-|past-jobs|sequencer|tampering-with-the-log)/,
    /test\/system\/(history|thread-pages|delete-thread|repetition|ledger-command)/,
    /test\/saga\/(sweeper|saga)\.spec/,
  ],
  // The specs that are left out take minutes, and what they look at has quicker ones.
  'src/saga': [/test\/(saga\/(?!turns|outage)|cancel\/)/, /test\/worker\/(worker|recording|limits)/, /test\/store\/agenda/],
  'src/worker': [/test\/(worker|cancel)\//, /test\/saga\/serve-saga/],
  'src/synthesizer': [/test\/synthesizer\/[a-z-]+\.spec/, /test\/worker\/worker/],
};

/** Has no behaviour of its own: the schema's history, and the classes that only describe responses. */
export const LEFT_ALONE = /\/migrations\/|\.view\.ts$/;
