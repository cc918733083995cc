#!/bin/sh
# Puts a data folder together from a base backup and the archive, and says how PostgreSQL goes on to a time. Starts nothing:
#   restore.sh BACKUPS DATA 2026-11-22T13:05:00Z      as everything was then; or: latest, to the end of the archive
#   restore.sh BACKUPS DATA TIME TIMELINE             the time as of this timeline: each restore begins a new one
# Run it as the user that PostgreSQL runs as. docs/backup.md says what comes before and after.
set -eu

fail() {
  echo "restore: $1" >&2
  exit 1
}

[ $# -eq 3 ] || [ $# -eq 4 ] || fail 'usage: restore.sh BACKUPS DATA TIME [TIMELINE], the time as 2026-11-22T13:05:00Z (UTC) or latest'
backups=$1 data=$2 time=$3 timeline=${4:-}
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
case $timeline in *[!0-9]* | 0*) fail "$timeline is no timeline: write its number, as 2" ;; esac

# What the label of a base backup says: its timeline, and where it begins in the write-ahead log, as 16 digits that sort.
timeline_of() { printf '%d' "0x$(sed -n 's/^START WAL LOCATION:.*(file \([0-9A-F]\{8\}\)[0-9A-F]*)$/\1/p' "$1/backup_label")"; }
beginning_of() { sed -n 's/^START WAL LOCATION: \([0-9A-F]*\)\/\([0-9A-F]*\) (file .*$/0x\1 0x\2/p' "$1/backup_label" | xargs printf '%08X%08X'; }
# Of two texts of one length.
is_first() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort | head -n 1)" = "$1" ]; }
# Whether timeline $2 is that of the backup $1, or left it after the backup began.
leads_to() {
  own=$(timeline_of "$1") history=$backups/wal/$(printf '%08X' "$2").history
  [ "$own" != "$2" ] || return 0
  [ -f "$history" ] || return 1
  left=$(sed -n "s/^$own[[:space:]]*\([0-9A-F]*\)\/\([0-9A-F]*\).*/0x\1 0x\2/p" "$history")
  [ -n "$left" ] && is_first "$(beginning_of "$1")" "$(echo "$left" | xargs printf '%08X%08X')"
}

newest=1
for each in "$backups"/wal/[0-9A-F]*.history "$backups"/base/[0-9]*Z; do
  case $each in
  *.history) number=$(printf '%d' "0x$(basename "$each" .history | tr -cd 0-9A-F)") ;;
  *) number=$(timeline_of "$each" 2>/dev/null) || continue ;;
  esac
  if [ -e "$each" ] && [ "$number" -gt "$newest" ]; then newest=$number; fi
done
[ -z "$timeline" ] || [ "$timeline" -le "$newest" ] || fail "the archive has no timeline $timeline: $newest is its newest one"
if [ "$time" = latest ]; then timeline=${timeline:-$newest}; fi

base=
for each in "$backups"/base/[0-9]*Z; do
  name=$(basename "$each")
  if [ -d "$each" ] && is_first "$name" "$until" && { [ -z "$timeline" ] || leads_to "$each" "$timeline"; }; then base=$each; fi
done
[ -n "$base" ] || ls "$backups/base" | grep -q . || fail "$backups/base holds no base backup: make one with base-backup.sh"
[ -n "$base" ] ||
  fail "no base backup in $backups/base was whole by $time${timeline:+ and leads to timeline $timeline}: choose a later time ($(ls "$backups/base" | head -n 1) is the oldest)"
first=$(sed -n 's/^START WAL LOCATION:.*(file \([0-9A-F]*\))$/\1/p' "$base/backup_label")
[ -n "$first" ] || fail "$base/backup_label does not say where the backup begins: this is no base backup"
if [ -z "$timeline" ]; then
  # What was written after a restore is not older than a backup that was made after it.
  timeline=$(timeline_of "$base")
  [ "$timeline" = "$newest" ] ||
    fail "since $(basename "$base"), which is of timeline $timeline, something was restored or a standby took over: the archive has timelines to $newest. Each begins where the one before was left, so say as a fourth argument which one you mean: $timeline for what was before that, $newest for what came after"
fi

major=$(cat "$base/PG_VERSION")
if command -v postgres >/dev/null; then
  installed=$(postgres --version | sed 's/^[^0-9]*\([0-9]*\).*/\1/')
  [ "$installed" = "$major" ] || fail "the backup is of PostgreSQL $major and the installed one is $installed: put the programs of $major first in PATH"
fi

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
  echo "recovery_target_timeline = '$timeline'"
  for none in recovery_target recovery_target_lsn recovery_target_name recovery_target_xid; do echo "$none = ''"; done
  echo "recovery_target_time = '$target'"
} >"$settings"
: >"$data/recovery.signal"
echo "$data is made of $base and goes on to: $time, on timeline $timeline"
echo 'Now start PostgreSQL on it, with no role of the service running. It is ready once `select pg_is_in_recovery()` says f.'
echo 'If it ends with "recovery ended before configured recovery target was reached", the archive has nothing that late: restore with latest.'
