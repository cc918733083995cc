#!/bin/sh
# Copies a finished piece of PostgreSQL's write-ahead log into the archive. For postgresql.conf:
#   archive_mode = on
#   archive_timeout = 60
#   archive_command = 'sh /path/to/archive-wal.sh "%p" /path/to/backups/wal'
# Ends with 0 only once the copy is on the disk: until then PostgreSQL keeps the piece and tries again.
set -eu

fail() {
  echo "archive-wal: $1" >&2
  exit 1
}

[ $# -eq 2 ] || fail 'usage: archive-wal.sh PIECE ARCHIVE'
piece=$1 archive=$2
[ -r "$piece" ] || fail "$piece cannot be read: run this as the user of PostgreSQL, in its data folder"
[ -d "$archive" ] && [ -w "$archive" ] || fail "$archive is no folder that $(id -un) can write to: make it, or mount it"

copy=$archive/$(basename "$piece")
if [ -e "$copy" ]; then
  # After a crash PostgreSQL archives what it archived before, and whoever did so may have died before the copy was on the disk.
  if cmp -s "$piece" "$copy"; then
    sync "$copy" "$archive"
    exit 0
  fi
  fail "$copy is there with other content: another cluster archives to this folder, so give each a folder of its own"
fi
partial=$archive/.$(basename "$piece").$$
trap 'rm -f "$partial"' EXIT
dd if="$piece" of="$partial" bs=1M conv=fsync 2>/dev/null || fail "$copy could not be written: is $archive full?"
mv "$partial" "$copy"
sync "$archive"
