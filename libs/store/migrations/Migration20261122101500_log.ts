import { Migration } from '@mikro-orm/migrations';

/** The log of all events, its Merkle tree and its signed checkpoints. Appends gain a column with a default, and an index to find what is not in the log yet. */
export class Migration20261122101500_log extends Migration {
  override up(): void {
    // In two steps: a default that came with the column would date the events of before, and rewrite the table.
    this.addSql('alter table event add column appended_at timestamptz');
    this.addSql('alter table event alter column appended_at set default clock_timestamp()');
    this.addSql('create index event_by_position on event (position)');
    this.addSql(`
      create table log_entry (
        index bigint primary key,
        stream_id text collate "C" not null,
        version int not null,
        leaf_hash bytea not null,
        unique (stream_id, version)
      )`);
    this.addSql(`
      create table log_node (
        level int not null,
        index bigint not null,
        hash bytea not null,
        primary key (level, index)
      )`);
    this.addSql(`
      create table log_head (
        size bigint not null,
        epoch text not null,
        floor bigint not null,
        mark bigint not null,
        mark_xmax xid8 not null
      )`);
    this.addSql(`create unique index log_head_one on log_head ((true))`);
    this.addSql(`insert into log_head values (0, '', 0, 0, '0')`);
    this.addSql(`
      create table log_origin (
        number int primary key,
        origin text not null unique,
        cluster text not null,
        size bigint not null,
        predecessor text,
        opened_at timestamptz not null default clock_timestamp()
      )`);
    this.addSql(`
      create table checkpoint_key (
        name text not null,
        key_id text not null,
        public_key bytea not null,
        first_used_at timestamptz not null default clock_timestamp(),
        primary key (name, key_id)
      )`);
    this.addSql(`
      create table checkpoint (
        origin text not null,
        size bigint not null,
        note text not null,
        signed_at timestamptz not null,
        primary key (origin, size)
      )`);
    this.addSql(`
      create table checkpoint_cosignature (
        origin text not null,
        size bigint not null,
        witness text not null,
        line text not null,
        received_at timestamptz not null default clock_timestamp(),
        primary key (origin, size, witness)
      )`);
    // The api proves to a tenant where its events stand, and need not see the ids of other tenants' streams for that.
    this.addSql(`
      create function place_in_log(stream text, event_version int) returns bigint language plpgsql stable as $$
      begin
        return (select index from log_entry where stream_id = stream and version = event_version);
      end $$`);
    this.addSql(`
      do $$
      begin
        execute format('alter function place_in_log(text, int) security definer set search_path = %I, pg_temp', current_schema());
      end $$`);
  }

  override down(): void {
    throw new Error('there is no way back: a log that was published goes on');
  }
}
