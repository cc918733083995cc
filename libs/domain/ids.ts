/** Prefixes of the identifiers: thread, message, job, step, event, webhook, transaction of a balance. */
export const ID_KINDS = ['thr', 'msg', 'job', 'stp', 'evt', 'whk', 'txn'] as const;
export type IdKind = (typeof ID_KINDS)[number];

/** A UUIDv7 in TypeID's encoding: 26 lower-case characters of Crockford's base32, the first at most 7 (128 bits). */
const SUFFIX = '[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}';
const PATTERNS: Readonly<Record<IdKind, RegExp>> = {
  thr: new RegExp(`^thr_${SUFFIX}$`),
  msg: new RegExp(`^msg_${SUFFIX}$`),
  job: new RegExp(`^job_${SUFFIX}$`),
  stp: new RegExp(`^stp_${SUFFIX}$`),
  evt: new RegExp(`^evt_${SUFFIX}$`),
  whk: new RegExp(`^whk_${SUFFIX}$`),
  txn: new RegExp(`^txn_${SUFFIX}$`),
};

/** Whether the text has the form of an identifier of that kind. Does not check whether the thing exists. */
export function isId(kind: IdKind, text: string): boolean {
  return PATTERNS[kind].test(text);
}

/** The pattern of an identifier, for the OpenAPI document. */
export function idPattern(kind: IdKind): string {
  return PATTERNS[kind].source;
}
