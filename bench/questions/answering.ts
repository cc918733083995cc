import { ADAPTERS, createProviders } from '@lib/providers/registry';
import { research } from '@lib/providers/research';
import type { ResearchProvider } from '@lib/providers/research-provider';
import { readProvidersFile } from '@lib/settings/providers-file';
import type { ProviderId } from '@lib/domain/vocabulary';
import type { Synthesis, SynthesisStep } from '@lib/synthesis/synthesis';
import { synthesize } from '@lib/synthesis/synthesize';

const [MODE, TIER] = ['fast', 'M'] as const;
const LIMITS = { reservedMicros: 0, deadlineMs: 600_000, maxResponseBytes: 16_000_000 };

/** Answers questions as a job of the defaults does that finds no key: its providers over the documents, then the synthesis. */
export async function answering(corpusDir: string | undefined, cacheFolder: string): Promise<(query: string) => Promise<Synthesis>> {
  const { providers, defaults } = readProvidersFile(undefined, ADAPTERS, {});
  const log = { info: () => undefined, warn: () => undefined };
  const opened = await createProviders(providers, {}, { corpusDir, cacheFolder, log });
  const asked = defaults.preference.slice(0, defaults.count[TIER]).flatMap((name): [ProviderId, ResearchProvider][] => {
    const provider = opened.get(name);
    return provider ? [[name, provider]] : [];
  });
  return async (query) => {
    const steps: SynthesisStep[] = [];
    for (const [name, provider] of asked) steps.push(await stepOf(name, provider, query));
    return synthesize({ query, mode: MODE, tier: TIER, steps });
  };
}

async function stepOf(name: ProviderId, provider: ResearchProvider, query: string): Promise<SynthesisStep> {
  const { signal } = new AbortController();
  const asked = { stepId: `step-${name}`, attempt: 1, provider: name, model: null, query, brief: null, context: null, mode: MODE };
  const { report } = await research(provider, { ...asked, limits: LIMITS, signal }, { externalId: null, started: async () => undefined });
  const rest = { status: 'completed', errorMessage: null, failure: null, truncated: false } as const;
  return { stepId: asked.stepId, provider: name, reportMarkdown: report.markdown, citations: report.citations, ...rest };
}

const PLACE = /^corpus:\/(.+?)#/;

/** The document of a citation's address. */
export const documentOf = (url: string): string | undefined => {
  const path = PLACE.exec(url)?.[1];
  return path === undefined ? undefined : decodeURIComponent(path);
};
