import type { ProviderId } from '@lib/domain/vocabulary';
import { usersConfiguration } from '@lib/messaging/nats-permissions';

const HEAD = `# Users of a nats-server for research-threads: each role may do what its work needs and nothing else, and a worker only what is its providers'.
# Append it to the server's configuration, or include it there. Set the password of each user in the variable that is named here, or leave the
# user out. Made by \`research nats-users\`, which takes a --prefix for deployments with a NATS_PREFIX.
`;

export function natsUsersCommand({ prefix, worker }: { prefix: string; worker?: ProviderId[][] }): void {
  process.stdout.write(HEAD + usersConfiguration(prefix === '' ? '' : `${prefix}.`, worker));
}
