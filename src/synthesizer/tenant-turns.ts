import type { Delivery } from '@lib/messaging/transport';
import type { AgendaTable, Turn } from '@lib/store/agenda/agenda-table';
import { inTurn } from '@lib/store/postgres/in-turn';

/** With at most this many others queued behind a wake-up, turns are not needed: each waits for about one other, since slots become free. */
const SHORT_QUEUE = 16;
/** While only one tenant's syntheses wait, ask this often whether another tenant's do, instead of for each of thousands. */
const ASK_AGAIN_MS = 20;
/**
 * Ask no sooner than this many times the duration of the last answer. Answers slow down while an old transaction keeps the rows of finished
 * syntheses, and most when the database does not answer.
 */
const ASK_AGAIN_SHARE = 4;

/**
 * Decides whose synthesis begins next. Wake-ups come in the order in which syntheses became due, so other tenants would wait behind all of a tenant's
 * thousands. When many wait, a wake-up only means that a slot is free; the database, which knows all waiting syntheses, picks the tenant.
 */
export class TenantTurns {
  private behind = 0;
  private lastTenant = '';
  private askAgainAt = 0;
  private readonly ask: (jobId: string) => Promise<Turn | 'own' | null>;

  constructor(agenda: Pick<AgendaTable, 'takeTurn'>) {
    // One query at a time: concurrent ones would all get the same tenant.
    this.ask = inTurn(async (jobId: string) => {
      if (performance.now() < this.askAgainAt) return 'own';
      const askedAt = performance.now();
      const turn = await agenda.takeTurn(jobId, this.lastTenant).catch(() => 'own' as const);
      const answeredAt = performance.now();
      if (turn !== null && turn !== 'own') this.lastTenant = turn.tenantId;
      if (turn === 'own' || (turn?.jobId === jobId && !turn.othersWait))
        this.askAgainAt = answeredAt + Math.max(ASK_AGAIN_MS, (answeredAt - askedAt) * ASK_AGAIN_SHARE);
      return turn;
    });
  }

  /**
   * @returns whose turn it is; `own` for this wake-up's job, if few wait or the database does not say; null if that job is not due or somebody
   * already works on it
   */
  async next({ work: { jobId }, behind = this.behind }: Delivery): Promise<Turn | 'own' | null> {
    this.behind = behind;
    return behind <= SHORT_QUEUE ? 'own' : this.ask(jobId).catch(() => 'own' as const);
  }
}
