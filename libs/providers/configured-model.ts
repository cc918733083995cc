import { ProviderError, type ResearchRequest } from './research-provider';

/** The model or agent that the job was planned with. @throws ProviderError `invalid_request`, uncharged, if none is configured */
export function configuredModel({ model, provider }: ResearchRequest): string {
  if (model !== null) return model;
  const message = `No model is configured for ${provider}: name one as its model in the providers file`;
  throw new ProviderError('invalid_request', message, { runEnded: true, charge: { micros: 0, provenance: 'computed' } });
}
