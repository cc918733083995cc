import { Migration } from '@mikro-orm/migrations';

/**
 * Requests that their clients may repeat, by a keyed digest of what names them and one of their body. The append records them in the
 * statement that does what they ask for.
 */
export class Migration20261122050000_keyed_requests extends Migration {
  override up(): void {
    this.addSql(`
      create table keyed_request (
        digest bytea primary key,
        body_digest bytea not null,
        stream_id text collate "C" not null,
        version int not null,
        expires_at timestamptz not null
      )`);
    this.addSql(`create index keyed_request_by_expiry on keyed_request (expires_at)`);
    this.addSql(`
      create function record_requests(
        digests bytea[], body_digests bytea[], stream_ids text[], versions int[], threads int[], set_aside int[],
        out aside int[], out under_way int[], out repeated int[])
      language plpgsql volatile as $$
      declare
        mine int[];
      begin
        -- Held until the commit, and never waited for.
        mine := array(select place::int from unnest(digests, threads) with ordinality as given (digest, thread_index, place)
          where thread_index <> all (set_aside)
            and pg_try_advisory_xact_lock(('x' || encode(substr(digest, 1, 8), 'hex'))::bit(64)::bigint));
        under_way := array(select place::int from unnest(threads) with ordinality as given (thread_index, place)
          where thread_index <> all (set_aside) and place <> all (mine));
        -- A query of its own, so that it sees what was committed before the locks were taken.
        repeated := array(select place::int from unnest(digests) with ordinality as given (digest, place)
          where place = any (mine) and exists (
            select from keyed_request where keyed_request.digest = given.digest and expires_at > clock_timestamp()));
        aside := array(select thread_index from unnest(threads) with ordinality as given (thread_index, place)
          where place = any (under_way || repeated));
        insert into keyed_request (digest, body_digest, stream_id, version, expires_at)
          select given.digest, given.body_digest, given.stream_id, given.version, clock_timestamp() + interval '24 hours'
          from unnest(digests, body_digests, stream_ids, versions, threads) with ordinality
            as given (digest, body_digest, stream_id, version, thread_index, place)
          where place = any (mine) and thread_index <> all (aside)
          on conflict (digest) do update set body_digest = excluded.body_digest, stream_id = excluded.stream_id,
            version = excluded.version, expires_at = excluded.expires_at;
      end $$`);
  }

  override down(): void {
    throw new Error('there is no way back: restore a backup');
  }
}
