import type { AuditedEvent } from './audited-event';

type Told = Pick<AuditedEvent, 'streamId' | 'version' | 'type' | 'facts'>;

interface Step {
  /** `open`: an attempt runs; `ended`: completed, failed or skipped. */
  status: 'queued' | 'open' | 'ended';
  completed: boolean;
  attempts: number;
}

/** An independent second implementation of a job's protocol, limited to what an auditor can see: it shares no code with the decider. */
export class JobAutomaton {
  private readonly steps = new Map<string, Step>();
  /** Steps that another job tries again. */
  private readonly askedAgain = new Set<string>();
  private phase: 'new' | 'researching' | 'synthesizing' | 'over' = 'new';

  /** Follows an event. @returns whether the event may follow the earlier ones */
  take(event: Told): boolean {
    const legal = this.isLegal(event);
    this.follow(event);
    return legal;
  }

  /** Whether it has begun and has no final event. */
  isOpen(): boolean {
    return this.phase === 'researching' || this.phase === 'synthesizing';
  }

  private isLegal({ version, type, facts }: Told): boolean {
    if (type === 'JobRequested') return this.phase === 'new';
    if (this.phase === 'new') return false;
    if (isFinal(type)) return this.phase !== 'over' && this.allEnded() && (type !== 'JobCompleted' || this.phase === 'synthesizing');
    const step = this.steps.get(String(facts.stepId));
    const attempt = Number(facts.attempt);
    const known = step !== undefined && attempt >= 1 && attempt <= step.attempts;
    switch (type) {
      case 'BalanceReserved':
        return version === 2;
      case 'StepStarted':
        return this.phase === 'researching' && step?.status === 'queued' && attempt === step.attempts + 1;
      case 'StepCompleted':
      case 'StepFailed':
        return this.phase === 'researching' && known && step.status !== 'ended';
      case 'StepAttemptLost':
        return this.phase === 'researching' && known && step.status === 'open' && attempt === step.attempts;
      case 'StepSkipped':
        return this.phase === 'researching' && step?.status === 'queued';
      case 'StepRedriven':
        return this.phase === 'researching' && step?.status === 'ended' && !step.completed;
      case 'StepExternalIdRecorded':
      case 'StepResultLate':
        return known;
      case 'StepRunCancelled':
        return step !== undefined;
      case 'SynthesisStarted':
        return this.phase === 'researching' && this.allEnded() && [...this.steps.values()].some(({ completed }) => completed);
      case 'ExploreStarted':
      case 'TopicsPlanned':
        return this.phase === 'researching';
      case 'SynthesisClaimed':
      case 'SynthesisAttemptLost':
        return this.phase === 'synthesizing';
      case 'ContentErased':
        return this.phase === 'over';
      case 'JobRedriven':
        return this.phase === 'over' && this.mayBeAskedAgain(facts.stepIds as string[]);
      default:
        return type === 'SynthesisSettled' || this.phase !== 'over';
    }
  }

  private follow({ type, facts }: Told): void {
    if (type === 'JobRequested') {
      this.phase = 'researching';
      this.plan(facts.plan);
    }
    if (type === 'TopicsPlanned') (facts.topics as { steps: unknown }[]).forEach((topic) => this.plan(topic.steps));
    if (type === 'SynthesisStarted') this.phase = 'synthesizing';
    if (isFinal(type)) this.phase = 'over';
    if (type === 'JobRedriven') for (const stepId of facts.stepIds as string[]) this.askedAgain.add(stepId);
    const step = this.steps.get(String(facts.stepId));
    if (!step) return;
    if (type === 'StepStarted') Object.assign(step, { status: 'open', attempts: Number(facts.attempt) });
    if (type === 'StepCompleted') Object.assign(step, { status: 'ended', completed: true });
    if (type === 'StepRedriven') step.status = 'queued';
    if (type === 'StepSkipped') step.status = 'ended';
    if (type === 'StepFailed' || type === 'StepAttemptLost') step.status = facts.retry ? 'queued' : 'ended';
  }

  private plan(entries: unknown): void {
    for (const { stepId } of entries as { stepId: string }[]) this.steps.set(stepId, { status: 'queued', completed: false, attempts: 0 });
  }

  /** Names each step at most once, and no step that has a report. */
  private mayBeAskedAgain(stepIds: readonly string[]): boolean {
    return stepIds.length > 0 && stepIds.every((stepId) => this.steps.get(stepId)?.completed === false && !this.askedAgain.has(stepId));
  }

  private allEnded(): boolean {
    return [...this.steps.values()].every(({ status }) => status === 'ended');
  }
}

const isFinal = (type: string): boolean => type === 'JobCompleted' || type === 'JobFailed' || type === 'JobCancelled';
