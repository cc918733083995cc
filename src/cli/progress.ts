import { Listr, ListrLogger, ProcessOutput, type ListrTask } from 'listr2';
import { isFinalEvent, type JobEvent } from '@lib/domain/job/events';
import type { EventView } from '@lib/store/views/event.view';

/** How one provider's step ended, according to the events. */
type Told = 'completed' | 'failed' | 'skipped';

interface Plan {
  stepId: string;
  provider: string;
}

/** The job goes on; how it ends is not seen here any more. */
const UNFOLLOWED = 'no longer followed';

/** How long a step that could begin is waited for before it is said that nobody begins it. */
const UNTAKEN_MS = 60_000;

/** Shows each provider and the synthesis on standard error until the job is final: live on a terminal, as plain lines elsewhere. */
export async function showProgress(events: AsyncIterable<EventView>, untakenMs = UNTAKEN_MS): Promise<void> {
  const follower = new Follower(events);
  const requested = await follower.until((event) => event);
  if (requested === null) return follower.ended;
  const { plan, mode } = requested.facts as { plan: Plan[]; mode: string };
  const endOfStep = ({ stepId }: Plan) => follower.until(({ type, facts }) => (facts.stepId === stepId ? endOf(type, facts) : null));
  const tasks: ListrTask[] = plan.map((step, place) => ({
    title: step.provider,
    task: async (_, task) => {
      const { stepId, provider } = step;
      const taken = follower.until(({ facts }) => facts.stepId === stepId || null);
      const before = mode === 'methodical' ? plan[place - 1] : undefined;
      const mayBegin = before ? endOfStep(before) : Promise.resolve();
      const tell = (): void => void (task.output = `no worker has taken ${provider} yet: does one run that serves it?`);
      void mayBegin.then(async () => {
        const telling = setTimeout(tell, untakenMs);
        await taken;
        clearTimeout(telling);
      });
      const ended = await endOfStep(step);
      task.title = `${provider} ${ended?.told ?? UNFOLLOWED}`;
      if (ended === null || ended.told === 'skipped') task.skip(task.title);
      if (ended?.told === 'failed') throw new Error(ended.why);
    },
  }));
  tasks.push({
    title: 'synthesis',
    task: async (_, task) => {
      const type = await follower.until((event) => (isFinalEvent(event.type) ? event.type : null));
      if (type === 'JobCompleted') return;
      if (type === null) return task.skip(`synthesis ${UNFOLLOWED}`);
      if (type === 'JobCancelled') return task.skip('no synthesis: the job was cancelled');
      throw new Error('the job failed');
    },
  });
  // Standard output is for the answer only.
  const logger = new ListrLogger({ useIcons: true, processOutput: new ProcessOutput(process.stderr, process.stderr) });
  await new Listr(tasks, {
    concurrent: true,
    exitOnError: false,
    // Listr's own listener would end the process before the service is stopped.
    registerSignalListeners: false,
    renderer: process.stderr.isTTY ? 'default' : 'simple',
    rendererOptions: { logger },
    fallbackRenderer: 'simple',
    fallbackRendererOptions: { logger },
  }).run();
  await follower.ended;
}

/** What each type of event says about the end of its step. */
const OUTCOMES: Record<JobEvent['type'], Told | 'failed unless retried' | null> = {
  JobRequested: null,
  BalanceReserved: null,
  StepSkipped: 'skipped',
  StepStarted: null,
  StepExternalIdRecorded: null,
  StepRetryRedirected: null,
  StepRedriven: null,
  StepCompleted: 'completed',
  StepFailed: 'failed unless retried',
  StepAttemptLost: 'failed unless retried',
  StepResultLate: null,
  StepRunCancelled: null,
  DeadlineReached: null,
  ExploreStarted: null,
  TopicsPlanned: null,
  SynthesisStarted: null,
  SynthesisClaimed: null,
  SynthesisAttemptLost: null,
  SynthesisSettled: null,
  JobCompleted: null,
  JobFailed: null,
  JobCancelled: null,
  JobRedriven: null,
  ContentErased: null,
};

/** How a step ended, and for one that failed why: the class of its failure, which is no content. */
function endOf(type: string, facts: Record<string, unknown>): { told: Told; why: string } | null {
  const told = outcomeOf(type, facts);
  return told === null ? null : { told, why: typeof facts.failure === 'string' ? facts.failure : 'lost with its worker' };
}

/** Ignores unknown types of events, which a newer service may send. */
function outcomeOf(type: string, facts: Record<string, unknown>): Told | null {
  const outcome = (OUTCOMES as Partial<Record<string, Told | 'failed unless retried' | null>>)[type] ?? null;
  if (outcome !== 'failed unless retried') return outcome;
  return facts.retry === null ? 'failed' : null;
}

/** Hands each event to all tasks that wait for one. */
class Follower {
  private readonly events: EventView[] = [];
  private arrival = Promise.withResolvers<void>();
  private isOver = false;

  /** Rejects if the events cannot be followed to their end. */
  readonly ended: Promise<void>;

  constructor(source: AsyncIterable<EventView>) {
    this.ended = this.follow(source);
    this.ended.catch(() => undefined);
  }

  /** Waits for the first event for which `tell` returns something; null if no more events come. */
  async until<Said>(tell: (event: EventView) => Said | null): Promise<Said | null> {
    for (;;) {
      for (const event of this.events) {
        const said = tell(event);
        if (said !== null) return said;
      }
      if (this.isOver) return null;
      await this.arrival.promise;
    }
  }

  private async follow(source: AsyncIterable<EventView>): Promise<void> {
    try {
      for await (const event of source) {
        this.events.push(event);
        const { resolve } = this.arrival;
        this.arrival = Promise.withResolvers();
        resolve();
      }
    } finally {
      this.isOver = true;
      this.arrival.resolve();
    }
  }
}
