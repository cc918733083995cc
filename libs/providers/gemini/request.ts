import { configuredModel } from '../configured-model';
import { promptText } from '../prompt';
import type { ResearchRequest } from '../research-provider';
import type { CreateInteraction } from './wire';

/**
 * The body that starts a deep-research run. For these agents the API takes no limits and no effort, so the reservation has to cover
 * the agent's worst case.
 */
export function createInteraction(request: ResearchRequest): CreateInteraction {
  return {
    agent: configuredModel(request),
    input: promptText(request),
    background: true,
    store: true,
    agent_config: { type: 'deep-research', thinking_summaries: 'none', visualization: 'off', collaborative_planning: false },
    labels: { step: request.stepId, attempt: String(request.attempt) },
  };
}
