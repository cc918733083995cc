import pino from 'pino';
import { messageOfError } from '@lib/domain/message-of-error';
import type { ErrorClass, ProviderId } from '@lib/domain/vocabulary';
import { createProviders } from '@lib/providers/registry';
import { ProviderError, type ResearchProvider } from '@lib/providers/research-provider';
import type { Env } from '@lib/settings/env';
import { missingKey } from '@lib/settings/provider-keys';
import type { ProviderSettings } from '@lib/settings/provider-settings';
import type { ProvidersFile } from '@lib/settings/providers-file';
import { ok, problem, warning, type Check, type Clock, type Findings } from './check';

const ANSWER_MS = 10_000;
/** Average error of a time in whole seconds. */
const HALF_SECOND_MS = 500;

/** Makes a free call to each API in use. Returns the clock that differs most. */
export async function checkApis(served: ProvidersFile['providers'], env: Env): Promise<Findings> {
  const askable = env.WORKER_PROVIDERS.filter((provider) => {
    const { key } = served[provider];
    return key !== null && missingKey(key, env.providerKeys) === undefined;
  });
  const configured = Object.fromEntries(askable.map((provider) => [provider, served[provider]]));
  const surroundings = { corpusDir: env.CORPUS_DIR, cacheFolder: null, log: pino({ enabled: false }) };
  const providers = await createProviders(configured, env.providerKeys, surroundings);
  const asked = await Promise.all([...providers].map(([provider, api]) => ask(provider, served[provider], api)));
  const clocks = asked.flatMap(({ clock }) => clock ?? []).toSorted((a, b) => Math.abs(b.aheadMs) - Math.abs(a.aheadMs));
  return { checks: asked.map(({ check }) => check), clocks: clocks.slice(0, 1) };
}

async function ask(
  provider: ProviderId,
  settings: ProviderSettings,
  api: ResearchProvider,
): Promise<{ check: Check; clock?: Clock | undefined }> {
  const name = `${provider} live`;
  const sentAt = Date.now();
  try {
    const told = await api.check?.(settings.model, AbortSignal.timeout(ANSWER_MS));
    const answeredAt = Date.now();
    const aheadMs = told ? told.getTime() + HALF_SECOND_MS - (sentAt + answeredAt) / 2 : null;
    const taken = settings.key?.optional ? 'it answers' : 'the key works';
    return {
      check: ok(name, `${settings.adapter}: ${taken} (${answeredAt - sentAt} ms)`),
      clock: aheadMs === null ? undefined : { name: provider, aheadMs },
    };
  } catch (error) {
    const errorClass = error instanceof ProviderError ? error.errorClass : 'timeout';
    const detail = error instanceof ProviderError ? error.message : `no answer within ${ANSWER_MS / 1000} s (${messageOfError(error)})`;
    // These are only warnings: the key works, and the provider will recover.
    const tell = errorClass === 'rate_limited' || errorClass === 'overloaded' ? warning : problem;
    return { check: tell(name, `${settings.adapter}: ${detail}`, remedyFor(errorClass, settings)) };
  }
}

function remedyFor(errorClass: ErrorClass, { adapter, key, model, options }: ProviderSettings): string {
  switch (errorClass) {
    case 'auth':
      return `Set ${key?.name} to a key that is in force and may use this API.`;
    case 'quota':
      return `Look at the balance of the account that ${key?.name} belongs to.`;
    case 'lost':
    case 'model_gone':
      return `Is ${model} still offered? Name another model, with its prices, in the providers file.`;
    case 'rate_limited':
    case 'overloaded':
      return 'Ask again later.';
    default:
      return `Check the way to ${'baseUrl' in options ? String(options.baseUrl) : adapter}: name service, proxy, firewall.`;
  }
}
