import { ADAPTERS, KEY_VARIABLES } from '@lib/providers/registry';
import { readEnv } from '@lib/settings/read-env';
import { resolveAuto } from '@lib/settings/resolve-auto';

/** Prints the providers file with every `auto` decided by the keys of this environment. Contains no keys. */
export async function resolveProvidersCommand(): Promise<void> {
  const env = readEnv(process.env, KEY_VARIABLES);
  process.stdout.write(`# Made by \`research resolve-providers\`.\n${resolveAuto(env.PROVIDERS_FILE, ADAPTERS, env.providerKeys)}`);
}
