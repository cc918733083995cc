import { TABLE_WRITES } from './table-writes';

type Name = keyof typeof TABLE_WRITES;

/** Each table write has a bit in the mask that identifies a statement; the names are in the order of the bits. */
export const NAMES = Object.keys(TABLE_WRITES) as Name[];
/** Table writes that must touch as many rows as they are given. They run first and in this order, which is the same in every process. */
const COUNTED: { name: Name; counted: string }[] = [
  { name: 'events', counted: 'count(*)' },
  { name: 'agendaRemoved', counted: 'count(*) filter (where ended)' },
];

const texts = new Map<number, string>();

/** Types of the parameters of `lock_or_set_aside`. */
const LOCKS = ['timestamptz', 'text[]', 'int4[]', 'bytea[]', 'int4[]', 'text[]', 'int4[]', 'text[]', 'text[]', 'text[]', 'int4[]'];
/** Types of the parameters of `record_requests`. */
const REQUESTS = ['bytea[]', 'bytea[]', 'text[]', 'int4[]', 'int4[]'];
/** Types of the parameters of `reserve_balances`, apart from the threads set aside and the requests. */
const RESERVATIONS = ['text[]', 'text[]', 'text[]', 'int8[]', 'int8[]', 'int4[]'];
/** Types of the parameters of `check_limits`, apart from the same two. */
const LIMITS = ['text[]', 'text[]', 'int8[]', 'int4[]', 'int8[]', 'int8[]', 'int4[]'];
export const WITH_REQUESTS = 1 << NAMES.length;
export const WITH_RESERVATIONS = 2 << NAMES.length;
export const WITH_LIMITS = 4 << NAMES.length;

/**
 * The statement that runs the table writes whose bits are set in `mask`. Before it writes, it takes these steps. Each may set threads aside: then
 * nothing of them is written, and everything of the others.
 *
 * 1. `lock_or_set_aside` locks streams that are continued, keys that must still be there, and agenda entries that are removed. It sets aside a thread
 *    that has moved on, is locked by others or was deleted.
 * 2. `record_requests` records requests that may be repeated. It sets aside, as moved on, the thread of a request that was recorded before, or that
 *    another process is about to record.
 * 3. `check_limits` sets aside a thread with a new job for which a limit of the tenant or key has no room.
 * 4. `reserve_balances` takes what new jobs reserve, and sets aside a thread with a job that its balance does not cover.
 *
 * Steps without rows are left out.
 */
export function appendStatement(mask: number): string {
  const known = texts.get(mask);
  if (known) return known;
  let parameter = 0;
  const given = (types: string[]) => types.map((type) => `$${++parameter}::${type}`).join(', ');
  const locks = given(LOCKS);
  const hasRequests = (mask & WITH_REQUESTS) !== 0;
  const hasReservations = (mask & WITH_RESERVATIONS) !== 0;
  const requests = hasRequests ? given(REQUESTS) : null;
  const hasLimits = (mask & WITH_LIMITS) !== 0;
  const limits = hasLimits ? given(LIMITS) : null;
  const aside = asideOf({ locks, requests, limits, reservations: hasReservations ? given(RESERVATIONS) : null });
  const unwritten = `moved || locked || deleted${hasLimits ? ' || beyond' : ''}${hasReservations ? ' || unfunded' : ''}`;
  const used = NAMES.filter((_, index) => mask & (1 << index));
  const queries = used.map((name) => {
    const columns = [...TABLE_WRITES[name].columns.map((column) => [column.name, column.type] as const), ['thread_index', 'int4'] as const];
    const arrays = given(columns.map(([, type]) => `${type}[]`));
    const names = columns.map(([column]) => column).join(', ');
    return `given_${name} as (
      select * from unnest(${arrays}) as given (${names}) where thread_index <> all ((select ${unwritten} from aside)::int4[])),
    ${name} as (${TABLE_WRITES[name].sql(`given_${name}`)})`;
  });
  const [events, leases] = COUNTED.map(({ name, counted }) =>
    used.includes(name) ? `(select ${counted} from ${name}), (select ${counted} from given_${name})::int4` : '0, 0',
  );
  // These table writes call functions, and PostgreSQL skips a query whose result is not asked for.
  const erased = used.filter((name) => name === 'erasedThreads' || name === 'erasedJobs' || name === 'limitedJobs');
  const whole = `with ${[aside, ...queries].join(',\n')}
    select require_counts(${events}, 0, 0, ${leases}), statement_timestamp() as arrived, moved, locked, deleted,
      ${used.includes('agendaAdded') ? `(select array_agg(job_id || '/' || ref) from agendaAdded where waiting)` : 'null'} as waiting${erased.map((name) => `, (select count(*) from ${name})`).join('')}${hasRequests ? ', under_way, repeated' : ''}${hasLimits ? `, ${LIMITED}` : ''}${hasReservations ? ', unfunded, refused, balances' : ''} from aside`;
  texts.set(mask, whole);
  return whole;
}

const asideWithRequests = (name: string, locks: string, requests: string): string =>
  `locked_rows as materialized (select * from lock_or_set_aside(${locks})),
    asked as materialized (select asked.* from locked_rows, record_requests(${requests}, moved || locked || deleted) as asked),
    ${name} as materialized (select moved || asked.aside as moved, locked, deleted, under_way, repeated from locked_rows, asked)`;

/** The columns of `check_limits`, except for the one that says what is locked. */
const LIMITED = 'beyond, refused_jobs, by_cents, used, near, near_cents';

interface Guards {
  locks: string;
  requests: string | null;
  limits: string | null;
  reservations: string | null;
}

function asideOf({ locks, requests, limits, reservations }: Guards): string {
  const [digests, , , , threads] = requests?.split(', ') ?? [`'{}'`, '', '', '', `'{}'`];
  const first = limits || reservations ? 'known' : 'aside';
  const queries = [
    requests ? asideWithRequests(first, locks, requests) : `${first} as materialized (select * from lock_or_set_aside(${locks}))`,
  ];
  const kept = `moved, deleted${requests ? ', under_way, repeated' : ''}`;
  if (limits)
    queries.push(
      `checked as materialized (
        select checked.* from known, check_limits(${limits}, moved || known.locked || deleted, ${digests}, ${threads}) as checked)`,
      `${reservations ? 'allowed' : 'aside'} as materialized (
        select ${kept}, known.locked || checked.locked as locked, ${LIMITED} from known, checked)`,
    );
  const before = limits ? 'allowed' : 'known';
  if (reservations)
    queries.push(
      `reserved as materialized (
        select reserved.* from ${before}, reserve_balances(${reservations}, moved || ${before}.locked || deleted${limits ? ' || beyond' : ''}, ${digests}, ${threads}) as reserved)`,
      `aside as materialized (
        select ${kept}, ${before}.locked || reserved.locked as locked${limits ? `, ${LIMITED}` : ''}, unfunded, refused, balances from ${before}, reserved)`,
    );
  return queries.join(',\n');
}
