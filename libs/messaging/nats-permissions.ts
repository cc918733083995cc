import { PROVIDERS, type ProviderId } from '@lib/domain/vocabulary';
import { CUT_OFF_SUBJECT } from './cut-off-processes';
import {
  ANY_JOB_CHANGED,
  API_WELL_SUBJECT,
  consumerName,
  CONTENT_ERASED_SUBJECT,
  HEARTBEAT_TO_ALL,
  heartbeatToAllSubject,
  inboxPrefix,
  LIMITS_TAKEN_SUBJECT,
  queueSubject,
  SAGA_SUBJECTS,
  sagaSubject,
  STEPS_WAIT_SUBJECT,
  streamName,
  type SagaCall,
  type WorkQueue,
} from './subjects';
import { WORKER_LIMITS_SUBJECT, workerLimitsSubject } from './worker-limits';

/** The parties that the broker distinguishes: a role in its own process, or a worker of these providers. */
export type Party = 'api' | 'saga' | 'synthesizer' | 'webhooks' | { worker: readonly ProviderId[] };

/** What a NATS user may do; everything else is refused. */
export interface Permissions {
  publish: string[];
  subscribe: string[];
}

const CALLS = Object.keys(SAGA_SUBJECTS) as SagaCall[];
const STEPS = queueSubject({ kind: 'step', provider: '*' });
const CANCELLATIONS = queueSubject({ kind: 'cancel', provider: '*' });
/** What every role with a database tells: of its commits, and that it has lost the database. */
const TELLS = [STEPS_WAIT_SUBJECT, ANY_JOB_CHANGED, CONTENT_ERASED_SUBJECT, CUT_OFF_SUBJECT];
/** Workers of the previous release announce themselves on the subject without a provider. */
const LIMITS = [workerLimitsSubject('*'), WORKER_LIMITS_SUBJECT];
/** Every role with a database listens to these. */
const TOLD = [CONTENT_ERASED_SUBJECT, ...LIMITS];

/** The name of a party: replies to it come below a subject of that name. */
export function partyName(party: Party): string {
  if (typeof party === 'string') return party;
  return `worker.${party.worker.length === PROVIDERS.length ? 'all' : party.worker.join('+')}`;
}

/** @param subjectPrefix ends in a dot, or is empty */
export function permissionsOf(party: Party, subjectPrefix: string): Permissions {
  const { own, api, queues } = listOf(party);
  const stream = streamName(subjectPrefix);
  const { publish, subscribe } = own;
  return {
    publish: [
      '$JS.API.INFO',
      ...publish.map((subject) => subjectPrefix + subject),
      ...api.map((call) => `$JS.API.STREAM.${call}.${stream}`),
      ...queues.flatMap((queue) => consuming(queue, stream, subjectPrefix)),
      // Replies to requests, which come from workers; and for `research doctor saga`, whether a consumer is paused.
      ...(party === 'saga' ? [`${inboxPrefix(subjectPrefix, 'worker')}.>`, `$JS.API.CONSUMER.INFO.${stream}.*`] : []),
    ],
    subscribe: [`${inboxPrefix(subjectPrefix, partyName(party))}.>`, ...subscribe.map((subject) => subjectPrefix + subject)],
  };
}

interface List {
  own: Permissions;
  /** What the party may do with the stream. */
  api: string[];
  /** Where the party takes work from. */
  queues: WorkQueue[];
}

function listOf(party: Party): List {
  switch (party) {
    case 'api':
      return {
        own: {
          publish: [...TELLS, STEPS, CANCELLATIONS, LIMITS_TAKEN_SUBJECT, API_WELL_SUBJECT],
          subscribe: [ANY_JOB_CHANGED, ...TOLD, LIMITS_TAKEN_SUBJECT, API_WELL_SUBJECT],
        },
        api: [],
        queues: [],
      };
    case 'saga': {
      const queues = [
        STEPS,
        CANCELLATIONS,
        ...[{ kind: 'explore' }, { kind: 'synthesis' }].map((queue) => queueSubject(queue as WorkQueue)),
      ];
      const asked = [
        ...CALLS.flatMap((call) => [SAGA_SUBJECTS[call], sagaSubject(call, '*')]),
        HEARTBEAT_TO_ALL,
        heartbeatToAllSubject('*'),
      ];
      // The last for `research status`, which runs beside a saga.
      const own = { publish: [...TELLS, ...queues], subscribe: [...asked, STEPS_WAIT_SUBJECT, ...TOLD, CUT_OFF_SUBJECT] };
      return { own, api: ['CREATE', 'INFO', 'UPDATE'], queues: [] };
    }
    case 'synthesizer': {
      const queues: WorkQueue[] = [{ kind: 'explore' }, { kind: 'synthesis' }];
      const publish = [...TELLS, STEPS, CANCELLATIONS, ...queues.map(queueSubject)];
      return { own: { publish, subscribe: TOLD }, api: [], queues };
    }
    case 'webhooks':
      return { own: { publish: TELLS, subscribe: TOLD }, api: [], queues: [] };
    default:
      return workerList(party.worker);
  }
}

function workerList(providers: readonly ProviderId[]): List {
  const asks = (provider: ProviderId) => [...CALLS.map((call) => sagaSubject(call, provider)), heartbeatToAllSubject(provider)];
  const publish = providers.flatMap((provider) => [...asks(provider), workerLimitsSubject(provider)]);
  const queues = providers.flatMap((provider): WorkQueue[] => [
    { kind: 'step', provider },
    { kind: 'cancel', provider },
  ]);
  return { own: { publish, subscribe: [] }, api: [], queues };
}

/** Only its own consumer with its own filter: the server checks the name and the filter of a request against its subject. */
function consuming(queue: WorkQueue, stream: string, subjectPrefix: string): string[] {
  const consumer = consumerName(queue);
  return [
    `$JS.API.CONSUMER.CREATE.${stream}.${consumer}.${subjectPrefix}${queueSubject(queue)}`,
    `$JS.API.CONSUMER.INFO.${stream}.${consumer}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`,
    `$JS.ACK.${stream}.${consumer}.>`,
  ];
}

/** Workers for all providers, and one for each provider. */
const WORKERS: readonly (readonly ProviderId[])[] = [PROVIDERS, ...PROVIDERS.map((provider) => [provider])];

/** Part of a nats-server's configuration: a user for each role, where workers of different providers are different ones. */
export function usersConfiguration(subjectPrefix: string, workers = WORKERS): string {
  const parties: Party[] = ['api', 'saga', 'synthesizer', 'webhooks', ...workers.map((worker) => ({ worker }))];
  const users = parties.map((party) => userOf(party, subjectPrefix));
  return `authorization {\n  users: [\n${users.join('')}  ]\n}\n`;
}

/** `worker-provider-a` */
const userName = (party: Party): string => partyName(party).replace('.', '-');
/** The variable with its password: `NATS_PASSWORD_WORKER_PROVIDER_A`. */
const passwordVariable = (party: Party): string =>
  `NATS_PASSWORD_${userName(party)
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, '_')}`;

function userOf(party: Party, subjectPrefix: string): string {
  const { publish, subscribe } = permissionsOf(party, subjectPrefix);
  const list = (subjects: readonly string[]) => subjects.map((subject) => `          ${JSON.stringify(subject)}\n`).join('');
  return [
    `    {\n      user: ${JSON.stringify(userName(party))}, password: $${passwordVariable(party)}\n      permissions {\n`,
    `        publish: { allow: [\n${list(publish)}        ] }\n`,
    `        subscribe: { allow: [\n${list(subscribe)}        ] }\n      }\n    }\n`,
  ].join('');
}
