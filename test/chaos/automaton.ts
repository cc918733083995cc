import { isFinalEvent, type StoredRow } from '../support/histories';

interface Step {
  /** `open`: an attempt runs; `ended`: completed, failed or skipped. */
  status: 'queued' | 'open' | 'ended';
  completed: boolean;
  attempts: number;
}

/**
 * The protocol of a job told a second time, by what an auditor can see: a model that shares no code with the service.
 * @returns the events that may not follow what came before them
 */
export function illegalTransitions(history: readonly StoredRow[]): string[] {
  const steps = new Map<string, Step>();
  let phase: 'new' | 'researching' | 'synthesizing' | 'over' = 'new';
  const plan = (entries: unknown): void => {
    for (const { stepId } of entries as { stepId: string }[]) steps.set(stepId, { status: 'queued', completed: false, attempts: 0 });
  };
  const allEnded = () => [...steps.values()].every(({ status }) => status === 'ended');

  return history.flatMap((event) => {
    const { type, facts, version, streamId } = event;
    const step = steps.get(String(facts.stepId));
    const attempt = Number(facts.attempt);
    const known = step !== undefined && attempt >= 1 && attempt <= step.attempts;
    const legal = isLegal(type);
    follow();
    return legal ? [] : [`${streamId}/${version} ${type} is no legal step of the protocol`];

    function isLegal(name: string): boolean {
      if (name === 'JobRequested') return phase === 'new';
      if (phase === 'new') return false;
      if (isFinalEvent(event)) return phase !== 'over' && allEnded() && (name !== 'JobCompleted' || phase === 'synthesizing');
      switch (name) {
        case 'StepStarted':
          return phase === 'researching' && step?.status === 'queued' && attempt === step.attempts + 1;
        case 'StepCompleted':
        case 'StepFailed':
          return phase === 'researching' && known && step.status !== 'ended';
        case 'StepAttemptLost':
          return phase === 'researching' && known && step.status === 'open' && attempt === step.attempts;
        case 'StepSkipped':
          return phase === 'researching' && step?.status === 'queued';
        case 'StepExternalIdRecorded':
        case 'StepResultLate':
          return known;
        case 'StepRunCancelled':
          return step !== undefined;
        case 'SynthesisStarted':
          return phase === 'researching' && allEnded() && [...steps.values()].some(({ completed }) => completed);
        case 'ExploreStarted':
        case 'TopicsPlanned':
          return phase === 'researching';
        case 'SynthesisClaimed':
        case 'SynthesisAttemptLost':
          return phase === 'synthesizing';
        case 'ContentErased':
          return phase === 'over';
        default:
          return name === 'SynthesisSettled' || phase !== 'over';
      }
    }

    function follow(): void {
      if (type === 'JobRequested') {
        phase = 'researching';
        plan(facts.plan);
      }
      if (type === 'TopicsPlanned') (facts.topics as { steps: unknown }[]).forEach((topic) => plan(topic.steps));
      if (type === 'SynthesisStarted') phase = 'synthesizing';
      if (isFinalEvent(event)) phase = 'over';
      if (!step) return;
      if (type === 'StepStarted') Object.assign(step, { status: 'open', attempts: attempt });
      if (type === 'StepCompleted') Object.assign(step, { status: 'ended', completed: true });
      if (type === 'StepSkipped') step.status = 'ended';
      if (type === 'StepFailed' || type === 'StepAttemptLost') step.status = facts.retry ? 'queued' : 'ended';
    }
  });
}
