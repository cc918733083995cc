#!/bin/sh
# Makes a base backup of a running PostgreSQL in BACKUPS/base, beside the archive of its write-ahead log in BACKUPS/wal:
#   DATABASE_URL=postgres://backup:…@db/postgres base-backup.sh BACKUPS
# Needs a role with REPLICATION and what PostgreSQL's own packages bring: psql and pg_basebackup, not older than the server. Also flock.
# Ends with 0 only once the archive has all that the backup needs, for which it waits ARCHIVE_WAIT_SECONDS (300) at most.
# A signal ends it with 128 and the signal's number, and what it had written is removed: after SIGKILL, or a crash of the machine, by the next backup.
set -eu

fail() {
  echo "base-backup: $1" >&2
  exit 1
}

[ $# -eq 1 ] || fail 'usage: DATABASE_URL=postgres://… base-backup.sh BACKUPS'
backups=$1
seconds=${ARCHIVE_WAIT_SECONDS-300}
case $seconds in '' | *[!0-9]*) fail "ARCHIVE_WAIT_SECONDS is \"$seconds\": give a number of seconds" ;; esac
[ -n "${DATABASE_URL-}" ] || fail 'set DATABASE_URL to the server, with a role that has REPLICATION'
for program in psql pg_basebackup; do
  command -v "$program" >/dev/null || fail "$program is not installed: it comes with PostgreSQL (Debian: postgresql-client)"
done
command -v flock >/dev/null || fail 'flock is not installed: it comes with util-linux'
[ -d "$backups" ] && [ -w "$backups" ] || fail "$backups is no folder that $(id -un) can write to: make it, or mount it"
[ -d "$backups/wal" ] || fail "$backups/wal is missing: make it and let archive_command fill it (archive-wal.sh says how)"

ask() {
  psql --no-psqlrc --no-password --quiet --tuples-only --no-align --dbname "$DATABASE_URL" --command "$1" || fail 'the server did not answer: see above'
}
[ "$(ask 'select pg_is_in_recovery()')" = f ] || fail 'the server is a standby, which archives nothing of its own: set DATABASE_URL to the primary'
mode=$(ask 'show archive_mode')
[ "$mode" != off ] || fail 'the server archives nothing: set archive_mode and archive_command (archive-wal.sh says how) and restart it'
is_stuck=$(ask 'select coalesce(last_failed_time > coalesce(last_archived_time, to_timestamp(0)), false) from pg_stat_archiver')
[ "$is_stuck" = f ] || fail 'the server could not archive its write-ahead log the last time, and its log says why: mend that first, since a base backup alone reaches no later time'

mkdir -p "$backups/base"
# pg_basebackup inherits the lock, so it holds off the next backup even where it has outlived this script.
lock=$backups/.base-backup.lock
[ ! -e "$lock" ] || [ -w "$lock" ] || fail "$lock cannot be written by $(id -un): it is of another user, who made the last backup; remove it"
exec 9>"$lock"
flock --nonblock 9 || {
  [ $? -ne 1 ] || fail "another backup is being made in $backups/base: wait for it, or end it (fuser $lock names its processes)"
  fail "$lock cannot be locked: see above; the file system of $backups has to know locks"
}
rm -rf "$backups/base"/.unfinished-*
partial=$backups/base/.unfinished-$$
running=
# Whoever stops this, as a scheduler at its end of patience does, tells it alone.
stop() {
  trap '' HUP INT TERM
  if [ -n "$running" ]; then
    kill "$running" 2>/dev/null || true
    wait "$running" || true
  fi
  exit "$1"
}
trap 'rm -rf "$partial"' EXIT
trap 'stop 129' HUP
trap 'stop 130' INT
trap 'stop 143' TERM
# Runs a program that takes long: a shell hears no signal before a program in the foreground has ended.
beside() {
  "$@" &
  running=$!
  code=0
  wait "$running" || code=$?
  running=
  return "$code"
}
last=
beside pg_basebackup --dbname "$DATABASE_URL" --no-password --pgdata "$partial" --checkpoint fast --wal-method stream ||
  fail 'pg_basebackup failed: see above. The role needs REPLICATION, and pg_hba.conf a line for it with the database "replication"'
if command -v pg_verifybackup >/dev/null; then beside pg_verifybackup --quiet "$partial" || fail 'what was written is not what the server sent: see above'; fi

# At its end the backup switched to the next piece of the log, and the server archives a record that says which piece was its last.
begin=$(grep '^START WAL LOCATION:' "$partial/backup_label") || fail "$partial/backup_label does not say where the backup begins"
first=$(echo "$begin" | sed 's/^.*(file \([0-9A-F]*\))$/\1/')
until record=$(grep -lsFx "$begin" "$backups/wal/$first".*.backup) &&
  last=$(sed -n 's/^STOP WAL LOCATION:.*(file \([0-9A-F]*\))$/\1/p' "$record") && [ -e "$backups/wal/$last" ]; do
  [ "$seconds" -gt 0 ] || fail "the archive stands still or is far behind: $backups/wal lacks ${last:-what the server wrote since $first}, and a base backup alone reaches no later time. See archive_command and the server's log, and mend that; where it only needs longer, set ARCHIVE_WAIT_SECONDS"
  seconds=$((seconds - 1))
  sleep 1 9>&-
done

# Whoever restores a time needs a backup that was whole by then.
name=$(ask "select to_char(clock_timestamp() at time zone 'UTC' + interval '1 second', 'YYYYMMDD\"T\"HH24MISS\"Z\"')")
[ ! -e "$backups/base/$name" ] || fail "$backups/base/$name is there already: another backup ended in this second"
mv "$partial" "$backups/base/$name"
sync "$backups/base"
echo "$backups/base/$name"
