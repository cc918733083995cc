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
  code=0
  said=$(cmp "$piece" "$copy" 2>&1) || code=$?
  # A higher code says that they could not be compared.
  [ $code -ne 1 ] || fail "$copy is there with other content: another cluster archives to this folder, so give each a folder of its own"
  [ $code -eq 0 ] || fail "$copy is there and could not be compared with $piece: $said"
  sync "$copy" "$archive"
  exit 0
}

# What a killed try of this piece left is no use to anybody. If that try still runs, it does not find its file and fails.
rm -f "$archive/.$name."* || true
[ ! -e "$copy" ] || end_with_copy
# A name of its own, also among machines: nobody else's unfinished file can take the place of this one.
partial=$(mktemp -u "$archive/.$name.XXXXXXXX")
trap 'rm -f "$partial"' EXIT
# PostgreSQL passes on the signals that it gets, and this shell would end by them without the line above.
trap 'exit 1' HUP INT QUIT TERM
# With -C the shell makes the file, and fails if it is there.
said=$({ set -C && dd if="$piece" bs=1024k conv=fsync >"$partial"; } 2>&1) || fail "$copy could not be written: $said"
# Unlike mv, a link never replaces what came meanwhile.
said=$(ln "$partial" "$copy" 2>&1) || {
  # Somebody else's copy came first.
  [ ! -e "$copy" ] || end_with_copy
  fail "$copy could not be put in place: $said"
}
rm -f "$partial" || true
sync "$archive"
