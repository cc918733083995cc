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

name=$(basename "$piece")
copy=$archive/$name

# After a crash PostgreSQL archives what it archived before, and whoever did so may have died before the copy was on the disk.
end_with_copy() {
  cmp -s "$piece" "$copy" || fail "$copy is there with other content: another cluster archives to this folder, so give each a folder of its own"
  sync "$copy" "$archive"
  exit 0
}

# What a killed try of this piece left is no use to anybody. If that try still runs, it does not find its file and fails.
rm -f "$archive/.$name."*
[ ! -e "$copy" ] || end_with_copy
# A name of its own, also among machines: nobody else's unfinished file can take the place of this one.
partial=$(mktemp -u "$archive/.$name.XXXXXXXX")
trap 'rm -f "$partial"' EXIT
# PostgreSQL passes on the signals that it gets, and this shell would end by them without the line above.
trap 'exit 1' HUP INT QUIT TERM
dd if="$piece" of="$partial" bs=1M conv=excl,fsync 2>/dev/null || fail "$copy could not be written: is $archive full?"
mv -n "$partial" "$copy" || [ -e "$partial" ]
# It was not moved, since somebody else's copy came first.
[ ! -e "$partial" ] || end_with_copy
sync "$archive"
