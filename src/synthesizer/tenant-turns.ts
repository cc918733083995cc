import type { Delivery } from '@lib/messaging/transport';
import type { AgendaTable, Turn } from '@lib/store/agenda/agenda-table';
import { inTurn } from '@lib/store/postgres/in-turn';

/** In a queue no longer than this, a synthesis waits about as long as one of them takes, because they start as slots become free. */
const SHORT_QUEUE = 16;
/** While only one tenant's syntheses wait, ask this often whether another tenant's do, instead of for each of thousands. */
const ASK_AGAIN_MS = 20;
/**
 * Or after this many times the duration of the last query, which is slow while an old transaction keeps rows of finished syntheses, and slowest when
 * the database does not answer.
 */
const ASK_AGAIN_SHARE = 4;

/**
 * Decides whose synthesis starts next. Wake-ups come in the order in which syntheses became due, so every other tenant would wait behind a tenant
 * with thousands. If many wait, a wake-up only means that there is room, and the database, which knows everything that waits, chooses the tenant.
 */
export class TenantTurns {
  private behind = 0;
  private lastTenant = '';
  private askAgainAt = 0;
  private readonly ask: (jobId: string) => Promise<Turn | 'own' | null>;

  constructor(agenda: Pick<AgendaTable, 'takeTurn'>) {
    // One query at a time, because simultaneous ones would all return the same tenant.
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
   * @returns whose turn it is, or `own` for that of this wake-up where few wait, or the database does not say; null if its job is not due, or
   * somebody is at it
   */
  async next({ work: { jobId }, behind = this.behind }: Delivery): Promise<Turn | 'own' | null> {
    this.behind = behind;
    return behind <= SHORT_QUEUE ? 'own' : this.ask(jobId).catch(() => 'own' as const);
  }
}
