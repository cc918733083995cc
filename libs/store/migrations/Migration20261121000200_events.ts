import { Migration } from '@mikro-orm/migrations';

/** The event store, the views that are projected with it, and the agenda. Sealed bytes do not compress, so they are kept as they are. */
export class Migration20261121000200_events extends Migration {
  override up(): void {
    this.addSql(`
      create table thread_key (
        thread_id text collate "C" primary key,
        kek_id text not null,
        wrapped bytea not null
      )`);
    this.addSql(`
      create table event (
        stream_id text collate "C" not null,
        version int not null check (version > 0),
        event_id text collate "C" not null unique,
        type text not null,
        schema_version int not null,
        facts jsonb not null,
        meta jsonb not null,
        sealed bytea,
        sealed_sha256 bytea,
        prev_hash bytea not null,
        hash bytea not null,
        tx xid8 not null default pg_current_xact_id(),
        position bigint generated always as identity,
        primary key (stream_id, version)
      )`);
    this.addSql('alter table event alter column sealed set storage external');
    this.addSql(`create unique index event_one_final on event (stream_id) where type in ('JobCompleted', 'JobFailed', 'JobCancelled')`);
    this.addSql(`
      create table thread (
        id text collate "C" primary key,
        tenant_id text not null,
        created_at timestamptz not null,
        updated_at timestamptz not null
      )`);
    this.addSql(`create index thread_by_tenant on thread (tenant_id, created_at desc, id desc)`);
    this.addSql(`
      create table message (
        id text collate "C" primary key,
        tenant_id text not null,
        thread_id text collate "C" not null,
        version int not null,
        role text not null,
        created_at timestamptz not null
      )`);
    this.addSql(`create unique index message_by_thread on message (thread_id, version)`);
    this.addSql(`
      create table job (
        id text collate "C" primary key,
        tenant_id text not null,
        thread_id text collate "C" not null,
        parent_job_id text,
        version int not null,
        status text not null,
        budget_tier text not null,
        budget_cap_cents int not null,
        created_at timestamptz not null,
        completed_at timestamptz,
        cost_cents int not null,
        steps jsonb not null,
        document bytea
      ) with (fillfactor = 70)`);
    this.addSql('alter table job alter column document set storage external');
    this.addSql(`create index job_by_thread on job (thread_id, created_at, id)`);
    this.addSql(`
      create table agenda (
        job_id text collate "C" not null,
        kind text collate "C" not null,
        ref text collate "C" not null,
        step_id text,
        attempt int,
        provider text,
        due_at timestamptz not null,
        look_at timestamptz not null,
        tries int not null default 0,
        primary key (job_id, kind, ref)
      )`);
    this.addSql(`create index agenda_by_look on agenda (look_at)`);
    this.addGuards();
  }

  /** Conditions of an append that only the database can check; a violated one aborts the whole statement. */
  private addGuards(): void {
    this.addSql(`
      create function require_counts(appended bigint, expected_events int, keys_held bigint, expected_keys int, leases_ended bigint, expected_leases int)
      returns void language plpgsql as $$
      begin
        if appended <> expected_events then
          raise exception 'appended % of % events', appended, expected_events using errcode = '40001';
        end if;
        if keys_held <> expected_keys then
          raise exception 'a thread was deleted' using errcode = 'RT001';
        end if;
        if leases_ended <> expected_leases then
          raise exception 'a lease was renewed' using errcode = 'RT002';
        end if;
      end $$`);
    this.addSql(`
      create function refuse_event_change() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' and coalesce(current_setting('research_threads.erasing', true), '') = 'on' then
          return null;
        end if;
        raise exception 'events are insert-only: % is refused', tg_op using errcode = 'RT003';
      end $$`);
    this.addSql(
      `create trigger event_insert_only before update or delete or truncate on event for each statement execute function refuse_event_change()`,
    );
    this.addSql(`
      create function refuse_more_than_erasure() returns trigger language plpgsql as $$
      begin
        old.sealed := null;
        if new is distinct from old then
          raise exception 'events are insert-only: an erasure takes the sealed bytes and nothing else' using errcode = 'RT003';
        end if;
        return new;
      end $$`);
    this.addSql(`create trigger event_erasure_only before update on event for each row execute function refuse_more_than_erasure()`);
    this.addSql(`
      create function erase_thread(erased_thread text, erased_streams text[]) returns void
      language plpgsql security definer set search_path from current as $$
      begin
        perform set_config('research_threads.erasing', 'on', true);
        delete from thread_key where thread_id = erased_thread;
        update event set sealed = null where stream_id = any (erased_streams) and sealed is not null;
        delete from message where thread_id = erased_thread;
        delete from job where thread_id = erased_thread;
        delete from thread where id = erased_thread;
        delete from agenda where job_id = any (erased_streams);
        perform set_config('research_threads.erasing', 'off', true);
      end $$`);
  }

  override down(): void {
    throw new Error('the event store has no way back: restore a backup');
  }
}
