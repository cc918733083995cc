#!/bin/sh
# Puts a data folder together from a base backup and the archive, and says how PostgreSQL goes on to a time. Starts nothing:
#   restore.sh BACKUPS DATA 2026-11-22T13:05:00Z      as everything was then; or: latest, to the end of the archive
# Run it as the user that PostgreSQL runs as. docs/backup.md says what comes before and after.
set -eu

fail() {
  echo "restore: $1" >&2
  exit 1
}

[ $# -eq 3 ] || fail 'usage: restore.sh BACKUPS DATA TIME, the time as 2026-11-22T13:05:00Z (UTC) or latest'
backups=$1 data=$2 time=$3
case $backups in
/*) ;;
*) fail "$backups is no whole path: PostgreSQL reads the archive from another folder, so begin it with /" ;;
esac
case $backups in *[!A-Za-z0-9/._-]*) fail "$backups: name it with letters, digits and / . _ - alone, since it goes into a setting of PostgreSQL" ;; esac
[ -d "$backups/base" ] && [ -d "$backups/wal" ] || fail "$backups holds no base and wal: name the folder that base-backup.sh was given"
[ ! -e "$data" ] || [ -z "$(ls -A "$data")" ] || fail "$data is not empty: move what is in it away, above all its pg_wal, which may hold what the archive lacks"

until=99999999T999999Z
if [ "$time" != latest ]; then
  echo "$time" | grep -Eq '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?Z$' ||
    fail "$time is no time: write it in UTC as 2026-11-22T13:05:00Z, or latest"
  until=$(echo "$time" | sed 's/\.[0-9]*//' | tr -d ':-')
fi
base=
for each in "$backups"/base/[0-9]*Z; do
  name=$(basename "$each")
  # Names of one length, so the order of the text is that of the times.
  if [ -d "$each" ] && [ "$(printf '%s\n%s\n' "$name" "$until" | sort | head -n 1)" = "$name" ]; then base=$each; fi
done
[ -n "$base" ] || fail "no base backup in $backups/base was whole by $time: choose a later time ($(ls "$backups/base" | head -n 1) is the oldest)"

major=$(cat "$base/PG_VERSION")
if command -v postgres >/dev/null; then
  installed=$(postgres --version | sed 's/^[^0-9]*\([0-9]*\).*/\1/')
  [ "$installed" = "$major" ] || fail "the backup is of PostgreSQL $major and the installed one is $installed: put the programs of $major first in PATH"
fi
first=$(sed -n 's/^START WAL LOCATION:.*(file \([0-9A-F]*\))$/\1/p' "$base/backup_label")
[ -n "$first" ] || fail "$base/backup_label does not say where the backup begins: this is no base backup"

mkdir -p "$data"
cp -a "$base/." "$data/"
chmod 700 "$data"
# What an earlier restore wrote came along with the backup, and postgresql.conf may name a target too. Each is taken back by its name: PostgreSQL
# would stop there again, and give up whatever came later.
settings=$data/postgresql.auto.conf
touch "$settings"
kept=$(grep -Eiv '^[[:space:]]*(restore_command|recovery_target[a-z_]*|recovery_end_command|recovery_min_apply_delay)[[:space:]=]' "$settings" || true)
target=
# In numbers, since PostgreSQL reads no Z there.
if [ "$time" != latest ]; then target=$(echo "$time" | sed 's/T/ /; s/Z$/+00/'); fi
{
  printf '%s\n' "$kept"
  echo "restore_command = 'cp \"$backups/wal/%f\" \"%p\"'"
  echo "recovery_target_action = 'promote'"
  echo "recovery_target_timeline = 'latest'"
  for none in recovery_target recovery_target_lsn recovery_target_name recovery_target_xid; do echo "$none = ''"; done
  echo "recovery_target_time = '$target'"
} >"$settings"
: >"$data/recovery.signal"
echo "$data is made of $base and goes on to: $time"
echo 'Now start PostgreSQL on it, with no role of the service running. It is ready once `select pg_is_in_recovery()` says f.'
echo 'If it ends with "recovery ended before configured recovery target was reached", the archive has nothing that late: restore with latest.'
