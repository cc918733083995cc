import type { ResearchProvider, ResearchReport } from '@lib/providers/research-provider';

export const REPORT: ResearchReport = {
  markdown: 'Wren rotates its files daily [1].',
  citations: [source({})],
  charge: { micros: 1200, provenance: 'reported' },
  model: 'wren-1',
};

export function source(changes: object) {
  const citation = { index: 1, url: 'https://wren.example/logs', title: 'Logs', snippet: null, startIndex: 0, endIndex: 32 };
  return { ...citation, publishedAt: null, domain: null, ...changes };
}

export interface FakeProvider extends ResearchProvider {
  calls: string[];
}

/** A provider of which a test says how it behaves; it notes the calls that reach it. */
export function fakeProvider(behaviour: Partial<ResearchProvider>): FakeProvider {
  const calls: string[] = [];
  return {
    calls,
    submit: async (request, started) => {
      calls.push('submit');
      return behaviour.submit ? behaviour.submit(request, started) : { state: 'finished', raw: '{}' };
    },
    poll: async (externalId, request) => {
      calls.push(`poll ${externalId}`);
      return behaviour.poll ? behaviour.poll(externalId, request) : { state: 'finished', raw: '{}' };
    },
    cancel: async (externalId) => {
      calls.push(`cancel ${externalId}`);
      return behaviour.cancel?.(externalId);
    },
    parse: behaviour.parse ?? (() => REPORT),
  };
}
