import { messageOfError } from '@lib/domain/message-of-error';
import { NO_JETSTREAM } from '@lib/messaging/nats-failures';
import { inspectNats, NatsUnusable, type NatsServer } from '@lib/messaging/nats-inspection';
import { streamRemedy } from '@lib/messaging/nats-work-stream';
import { inboxPrefix } from '@lib/messaging/subjects';
import { MIN_PAYLOAD_BYTES } from '@lib/messaging/transport';
import type { Env } from '@lib/settings/env';
import { isEverything, needsNats, partyOf, type Role } from '../roles';
import { ok, problem, warning, type Check } from './check';

export async function checkNats(
  { NATS_URL: url, NATS_PREFIX: prefix, WORKER_PROVIDERS: providers, natsLogin: login }: Env,
  roles: ReadonlySet<Role>,
): Promise<Check[]> {
  if (!url) {
    if (isEverything(roles)) return [ok('nats', 'in memory: NATS_URL is not set')];
    return [problem('nats', 'NATS_URL is not set', 'Set NATS_URL: roles that run apart speak over NATS.')];
  }
  try {
    const subjectPrefix = prefix === '' ? '' : `${prefix}.`;
    const inbox = inboxPrefix(subjectPrefix, partyOf(roles, providers));
    const server = await inspectNats({ url, login, name: 'doctor', inbox }, subjectPrefix);
    const jetStream = [checkJetStream(server, roles), ...checkWorkStream(server), ...checkConsumers(server)];
    return [checkVersion(server), ...jetStream, ...checkPrefix(server, prefix), checkPayload(server)];
  } catch (error) {
    if (error instanceof NatsUnusable) return [unusable('nats', error.failure.what, error.failure.remedy, roles)];
    return [problem('nats', messageOfError(error), 'Check NATS_URL, and that its server runs.')];
  }
}

/** A role that does without NATS must not be kept from starting while it is away. */
function unusable(name: string, what: string, remedy: string, roles: ReadonlySet<Role>): Check {
  if (needsNats(roles)) return problem(name, what, remedy);
  return warning(name, `${what}; these roles do without it for a while`, remedy);
}

function checkVersion({ version, age, oldestSafe }: NatsServer): Check {
  if (age === 'ok') return ok('nats', `nats-server ${version}`);
  const remedy = `Update it to ${oldestSafe} or newer.`;
  if (age === 'unsafe') return warning('nats', `nats-server ${version} loses messages in known cases`, remedy);
  return problem('nats', `nats-server ${version} is refused by every role`, remedy);
}

function checkJetStream({ hasJetStream }: NatsServer, roles: ReadonlySet<Role>): Check {
  if (!hasJetStream) return unusable('jetstream', 'it is not enabled', NO_JETSTREAM.remedy, roles);
  return ok('jetstream', 'enabled; clients cannot see sync_interval: look for "sync_always": true in GET :8222/jsz?config=true');
}

/** Some 200 entries. */
const LITTLE_ROOM_BYTES = 64 * 1024;
const FEW_ENTRIES = 200;

/** Without the stream no job runs, and every role is ready all the same. */
function checkWorkStream({ workStream: stream }: NatsServer): Check[] {
  if (stream === null) return [];
  const name = 'work stream';
  const remedy = streamRemedy(stream.name);
  if (stream.isSealed) return [problem(name, `${stream.name} is sealed and takes no entry, so no job runs`, remedy)];
  if (stream.roomBytes >= LITTLE_ROOM_BYTES && stream.roomEntries >= FEW_ENTRIES) return [ok(name, `${stream.name} takes entries`)];
  const room = stream.roomEntries < FEW_ENTRIES ? `${stream.roomEntries} entries` : `${stream.roomBytes} bytes`;
  return [warning(name, `${stream.name} has room for ${room} more, and then no job runs`, remedy)];
}

/** A paused consumer hands no work over, and every role is ready all the same. */
function checkConsumers({ workStream, pausedConsumers }: NatsServer): Check[] {
  return pausedConsumers.map(({ name, until }) =>
    problem(
      'work queue',
      `its consumer ${name} is paused until ${until}, so nothing of that queue is done`,
      `Let it go on: nats consumer resume ${workStream?.name} ${name}`,
    ),
  );
}

/** A role with another prefix than the others hears nothing and is not heard, without any error. */
function checkPrefix({ prefixes }: NatsServer, own: string): Check[] {
  if (prefixes.length === 0) return [];
  const name = 'nats prefix';
  const others = prefixes
    .filter((prefix) => prefix !== own)
    .map(shownPrefix)
    .join(', ');
  if (prefixes.includes(own)) return [ok(name, `${shownPrefix(own)}${others === '' ? '' : `; there are also queues of ${others}`}`)];
  const detail = `there are no queues of ${shownPrefix(own)} yet, but of ${others}`;
  return [warning(name, detail, 'Set NATS_PREFIX alike for all roles of a deployment; a new deployment beside others may ignore this.')];
}

const shownPrefix = (prefix: string): string => (prefix === '' ? 'the empty prefix' : prefix);

function checkPayload({ maxPayloadBytes }: NatsServer): Check {
  const detail = `a message can have ${maxPayloadBytes} bytes`;
  if (maxPayloadBytes >= MIN_PAYLOAD_BYTES) return ok('max_payload', detail);
  return warning(
    'max_payload',
    `${detail}: long reports will be cut, and long questions fail`,
    `Set max_payload of nats-server to ${MIN_PAYLOAD_BYTES} or more.`,
  );
}
