#!/bin/sh
# Keeps the newest COUNT base backups, and of the archive what they need: drop-old-backups.sh BACKUPS COUNT
# What was deleted in the service dies in the backups only with this: keep no more than the time that you promise.
set -eu

fail() {
  echo "drop-old-backups: $1" >&2
  exit 1
}

[ $# -eq 2 ] || fail 'usage: drop-old-backups.sh BACKUPS COUNT'
backups=$1 count=$2
case $count in '' | 0* | *[!0-9]*) fail "\"$count\" is no number of backups to keep: at least 1" ;; esac
[ -d "$backups/base" ] && [ -d "$backups/wal" ] || fail "$backups holds no base and wal: name the folder that base-backup.sh was given"
command -v pg_archivecleanup >/dev/null || fail 'pg_archivecleanup is not installed: it comes with PostgreSQL (Debian: postgresql-client)'

ls -r "$backups/base" | grep -E '^[0-9]{8}T[0-9]{6}Z$' | tail -n +$((count + 1)) | while read -r name; do
  # A backup that is half gone must not be found by its name.
  mv "$backups/base/$name" "$backups/base/.dropped-$name"
  echo "dropped $backups/base/$name"
done
rm -rf "$backups"/base/.dropped-*
kept=$(ls "$backups/base" | grep -E '^[0-9]{8}T[0-9]{6}Z$') || fail "there is no base backup in $backups/base: nothing was dropped"
pieces=$(for name in $kept; do
  piece=$(sed -n 's/^START WAL LOCATION:.*(file \([0-9A-F]*\))$/\1/p' "$backups/base/$name/backup_label")
  [ -n "$piece" ] || fail "$backups/base/$name/backup_label does not say where the backup begins: the archive was left as it is"
  echo "$piece"
done)
# After a restore to an earlier moment, an older backup of the timeline that was left may begin further on in the log than a newer one.
# pg_archivecleanup ignores the timeline, the first eight digits; so the earliest piece is looked for without it too.
pg_archivecleanup "$backups/wal" "$(echo "$pieces" | LC_ALL=C sort -k 1.9 | head -n 1)"
# What a killed archive-wal.sh left of a piece that nobody archives again, as after a takeover. It costs only room.
digit='[0-9A-F]'
LC_ALL=C find "$backups/wal" -maxdepth 1 -type f -name ".$digit$digit$digit$digit$digit$digit$digit$digit*.?*" -mtime +0 -exec rm -f {} + ||
  echo "drop-old-backups: what a killed archive-wal.sh left in $backups/wal could not be removed: see above" >&2
