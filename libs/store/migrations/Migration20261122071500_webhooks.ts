import { Migration } from '@mikro-orm/migrations';

/**
 * Webhooks of tenants and what is to be delivered to them. A trigger writes the deliveries in the statement that appends the event, whichever
 * build appends it. Without foreign keys to the webhook, so that nobody who appends waits for somebody who changes or removes it.
 */
export class Migration20261122071500_webhooks extends Migration {
  override up(): void {
    this.addTables();
    this.addDeliveries();
    this.eraseDeliveries();
  }

  override down(): void {
    throw new Error('there is no way back: restore a backup');
  }

  private addTables(): void {
    this.addSql(`
      create table webhook (
        id text primary key,
        tenant_id text not null references tenant (id),
        event_types text[] not null,
        enabled boolean not null,
        disabled_reason text null,
        disabled_at timestamptz null,
        failing_since timestamptz null,
        sealed bytea not null,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      )`);
    this.addSql(`create index webhook_by_tenant on webhook (tenant_id, id)`);
    this.addSql(`
      create table webhook_delivery (
        webhook_id text not null,
        event_id text not null,
        type text not null,
        thread_id text null,
        job_id text null,
        occurred_at timestamptz not null,
        status text not null default 'pending',
        attempts int not null default 0,
        failures int not null default 0,
        due_at timestamptz null,
        attempted_at timestamptz null,
        response_status int null,
        error text null,
        ended_at timestamptz null,
        primary key (webhook_id, event_id)
      )`);
    this.addSql(`create index webhook_delivery_by_due on webhook_delivery (webhook_id, due_at) where due_at is not null`);
    this.addSql(`create index webhook_delivery_by_end on webhook_delivery (ended_at) where ended_at is not null`);
    this.addSql(`create index webhook_delivery_by_thread on webhook_delivery (thread_id)`);
  }

  /**
   * Runs when the statement has written everything: of a job that was erased in it there is no row, and nobody is told. One query for all that
   * is asked, since each takes longer than what it finds.
   */
  private addDeliveries(): void {
    const insert = (type: string, jobId: string) => `
          insert into webhook_delivery (webhook_id, event_id, type, thread_id, job_id, occurred_at, due_at)
            select webhook.id, new.event_id, ${type}, told.thread_id, ${jobId}, (new.meta ->> 'occurredAt')::timestamptz, clock_timestamp()`;
    this.addSql(`
      create function add_webhook_deliveries() returns trigger language plpgsql as $$
      declare
        job_told text := case new.type when 'JobCompleted' then 'job.completed' when 'JobFailed' then 'job.failed'
          when 'JobCancelled' then 'job.cancelled' end;
      begin
        if job_told is not null then${insert('job_told', 'told.id')}
            from job as told join webhook on webhook.tenant_id = told.tenant_id
            where told.id = new.stream_id and enabled and job_told = any (event_types);
        else${insert(`'thread.deleted'`, 'null')}
            from (select stream_id as thread_id, facts ->> 'tenantId' as tenant_id from event
                where stream_id = new.stream_id and version = 1) as told
              join webhook on webhook.tenant_id = told.tenant_id
            where enabled and 'thread.deleted' = any (event_types);
        end if;
        return null;
      end $$`);
    this.addSql(`
      create trigger event_told after insert on event for each row
        when (new.type in ('JobCompleted', 'JobFailed', 'JobCancelled', 'ThreadDeleted'))
        execute function add_webhook_deliveries()`);
  }

  /** What was to be told of a deleted thread's jobs goes with their rest; that the thread was deleted stays to be told. */
  private eraseDeliveries(): void {
    this.addSql(`
      create or replace function erase_piece_of_thread(erased_thread text, most int) returns int
      language plpgsql volatile security definer set search_path from current as $$
      declare
        messages int;
        events int;
        deliveries int;
      begin
        perform set_config('research_threads.erasing', 'on', true);
        delete from message where id in (select id from message where thread_id = erased_thread order by version limit most);
        get diagnostics messages = row_count;
        update event set sealed = null where stream_id = erased_thread and version in (
          select version from event where stream_id = erased_thread and sealed is not null order by version limit most);
        get diagnostics events = row_count;
        delete from webhook_delivery where (webhook_id, event_id) in (
          select webhook_id, event_id from webhook_delivery where thread_id = erased_thread and job_id is not null
          order by webhook_id, event_id limit most for update);
        get diagnostics deliveries = row_count;
        perform set_config('research_threads.erasing', 'off', true);
        return messages + events + deliveries;
      end $$`);
  }
}
