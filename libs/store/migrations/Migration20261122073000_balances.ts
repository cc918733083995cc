import { Migration } from '@mikro-orm/migrations';

/**
 * Balances of tenants, and everything that moved them. A balance's row is locked by whoever takes from it, and nobody waits for it but an
 * operator; what ended jobs give back is a transaction that the row does not count yet.
 */
export class Migration20261122073000_balances extends Migration {
  override up(): void {
    this.addSql(`
      create table balance (
        tenant_id text collate "C" primary key,
        available_cents bigint not null check (available_cents >= 0),
        reserved_cents bigint not null
      ) with (fillfactor = 50)`);
    this.addSql(`
      create table balance_transaction (
        tenant_id text collate "C" not null,
        id text collate "C" not null,
        kind text not null,
        cents bigint not null,
        reserved_cents bigint not null,
        job_id text collate "C",
        reference text,
        created_at timestamptz not null,
        counted bool not null,
        primary key (tenant_id, id)
      )`);
    this.addSql(
      `create unique index balance_transaction_by_reference on balance_transaction (tenant_id, reference) where reference is not null`,
    );
    this.addSql(`create index balance_transaction_uncounted on balance_transaction (tenant_id, id) where not counted`);
    this.addCounting();
    this.addReserving();
    this.addChanging();
  }

  /** Of each tenant at most so many at once. Returns the tenants of whom more may be left. Their rows must be locked. */
  private addCounting(): void {
    this.addSql(`
      create function count_settlements(tenants text[], most int) returns text[]
      language plpgsql volatile as $$
      declare
        unfinished text[];
      begin
        -- By their places, since a plan that joins them by their keys was a thousand times slower before the first statistics.
        with fresh as (
            update balance_transaction set counted = true where ctid = any (array(
              select oldest.ctid from unnest(tenants) as tenant (id), lateral (
                select ctid from balance_transaction where tenant_id = tenant.id and not counted order by id limit most) as oldest))
              returning tenant_id, cents, reserved_cents),
          sums as (
            select tenant_id, sum(cents) as cents, sum(reserved_cents) as reserved_cents, count(*) as many from fresh group by tenant_id),
          changed as (
            update balance set available_cents = balance.available_cents + sums.cents,
                reserved_cents = balance.reserved_cents + sums.reserved_cents
              from sums where balance.tenant_id = sums.tenant_id)
          select array_agg(tenant_id) filter (where many >= most) into unfinished from sums;
        return coalesce(unfinished, '{}');
      end $$`);
  }

  /**
   * Takes reservations from balances, of each thread all or none. What is not covered is refused, and what else its thread does is set aside
   * and its requests are not recorded; so is whatever needs a balance that somebody else has locked, or that is not counted up.
   */
  private addReserving(): void {
    this.addSql(`
      create function reserve_balances(
        tenants text[], ids text[], jobs text[], amounts bigint[], times bigint[], threads int[], set_aside int[],
        request_digests bytea[], request_threads int[],
        out unfunded int[], out locked int[], out refused int[], out balances float8[])
      language plpgsql volatile as $$
      declare
        mine text[];
        unfinished text[];
        one record;
        tenant text;
        thread int;
        thread_fits bool;
        available bigint;
        in_thread bigint;
      begin
        unfunded := '{}';
        locked := '{}';
        refused := '{}';
        balances := '{}';
        select coalesce(array_agg(tenant_id), '{}') into mine from (
          select tenant_id from balance where tenant_id = any (tenants) order by tenant_id for no key update skip locked) as free;
        unfinished := count_settlements(mine, 1000);
        for one in
          select given.*, sum(given.cents) over (partition by given.thread_index) as needed, balance.available_cents,
              balance.tenant_id is not null and given.tenant_id <> all (mine) as is_locked
            from unnest(tenants, amounts, threads) with ordinality as given (tenant_id, cents, thread_index, place)
            left join balance on balance.tenant_id = given.tenant_id
            where given.thread_index <> all (set_aside)
            order by given.tenant_id, given.thread_index, given.place
        loop
          if one.is_locked then
            locked := locked || one.thread_index;
            continue;
          end if;
          if one.tenant_id is distinct from tenant then
            tenant := one.tenant_id;
            available := coalesce(one.available_cents, 0);
            thread := null;
          end if;
          if one.thread_index is distinct from thread then
            thread := one.thread_index;
            thread_fits := one.needed <= available;
            in_thread := available;
            if thread_fits then
              available := available - one.needed;
            elsif tenant = any (unfinished) then
              locked := locked || thread;
            else
              unfunded := unfunded || thread;
            end if;
          end if;
          if not thread_fits and thread = any (unfunded) then
            if one.cents > in_thread then
              refused := refused || one.place::int;
              balances := balances || in_thread::float8;
            else
              in_thread := in_thread - one.cents;
            end if;
          end if;
        end loop;
        insert into balance_transaction (tenant_id, id, kind, cents, reserved_cents, job_id, created_at, counted)
          select tenant_id, id, 'reservation', -cents, cents, job_id, timestamptz 'epoch' + at * interval '1 millisecond', true
          from unnest(tenants, ids, jobs, amounts, times, threads) as given (tenant_id, id, job_id, cents, at, thread_index)
          where thread_index <> all (set_aside || locked || unfunded);
        update balance set available_cents = available_cents - given.cents, reserved_cents = reserved_cents + given.cents
          from (select tenant_id, sum(cents) as cents from unnest(tenants, amounts, threads) as given (tenant_id, cents, thread_index)
            where thread_index <> all (set_aside || locked || unfunded) group by tenant_id) as given
          where balance.tenant_id = given.tenant_id;
        delete from keyed_request where digest in (
          select digest from unnest(request_digests, request_threads) as given (digest, thread_index)
          where thread_index = any (locked || unfunded));
      end $$`);
  }

  /** An operator's: of those with one reference only the first moves anything. */
  private addChanging(): void {
    this.addSql(`
      create function change_balance(
        tenant text, new_id text, new_kind text, change bigint, new_reference text, largest bigint,
        out outcome text, out available float8, out reserved float8)
      language plpgsql volatile as $$
      declare
        known record;
      begin
        insert into balance (tenant_id, available_cents, reserved_cents) values (tenant, 0, 0) on conflict do nothing;
        perform from balance where tenant_id = tenant for no key update;
        while cardinality(count_settlements(array[tenant], 10000)) > 0 loop
        end loop;
        select kind, cents into known from balance_transaction where tenant_id = tenant and reference = new_reference;
        if found then
          outcome := case when known.kind = new_kind and known.cents = change then 'repeated' else 'reference_reused' end;
        else
          update balance set available_cents = available_cents + change where tenant_id = tenant
            and available_cents + change >= 0 and available_cents + reserved_cents + change <= largest;
          outcome := case when found then 'recorded' when change < 0 then 'insufficient' else 'too_large' end;
        end if;
        if outcome = 'recorded' then
          insert into balance_transaction (tenant_id, id, kind, cents, reserved_cents, reference, created_at, counted)
            values (tenant, new_id, new_kind, change, 0, new_reference, clock_timestamp(), true);
        end if;
        select available_cents, reserved_cents into available, reserved from balance where tenant_id = tenant;
      end $$`);
  }

  override down(): void {
    throw new Error('there is no way back: restore a backup');
  }
}
