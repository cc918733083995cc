/** Rooms to mutate, each with the specs that test it. */
export const ROOMS: Readonly<Record<string, readonly RegExp[]>> = {
  'libs/domain': [
    /test\/domain\//,
    /test\/(providers\/checked-report|webhooks\/schedule|audit\/tenant-automaton|access\/key-history|store\/limits)/,
  ],
  // Beside its own specs those that look at the store in their own process. What starts the service breaks none of its code here.
  'libs/store': [
    /test\/(store\/(?!long-threads|oldest-postgres|memory)|access\/|cancel\/|deletions\/|live\/job-changes)/,
    /test\/(webhooks\/(deliver|webhook-changes)|audit\/(sequencer|tampering|checkpointer|bundle)|saga\/(sweeper|saga|retention|skeletons|replica|admission)\.)/,
    /test\/(settings\/database-url|attacks\/(database-tls|other-tenant-rows))/,
  ],
  // The specs that are left out take minutes, and what they look at has quicker ones.
  'src/saga': [/test\/(saga\/(?!turns|outage)|cancel\/)/, /test\/worker\/(worker|recording|limits)/, /test\/store\/agenda/],
  'src/worker': [/test\/(worker|cancel)\//, /test\/(saga\/saga-server|dispatch\/capacity)/],
  'src/synthesizer': [/test\/synthesizer\/[a-z-]+\.spec/, /test\/worker\/worker/],
};

/** Has no behaviour of its own: the schema's history, and the classes that only describe responses. */
export const LEFT_ALONE = /\/migrations\/|\.view\.ts$/;
