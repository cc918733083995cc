#!/bin/sh
# Puts a nats-server into the folder given (default .cache/nats) and prints its path as the last line.
# It comes out of Debian's archive through this machine's own apt, which checks the signatures; root is not needed.
# NATS_SERVER_BIN names a server to use instead. Safe to run several times at once.
set -eu

wanted=2.12.3
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
out=${1:-$root/.cache/nats}

version_of() { "$1" --version 2>/dev/null | sed -n 's/^nats-server: v\([0-9.]*\).*/\1/p'; }

# Says loudly when the server is older than what production needs.
report() {
  version=$(version_of "$1")
  if [ -z "$version" ]; then
    echo "get-nats: $1 does not run as a nats-server" >&2
    return 1
  fi
  if [ "$(printf '%s\n%s\n' "$wanted" "$version" | sort -V | head -n 1)" != "$wanted" ]; then
    echo "get-nats: WARNING: nats-server $version is older than $wanted; tests that need the newer one may fail" >&2
  fi
  echo "$1"
}

if [ -n "${NATS_SERVER_BIN:-}" ]; then
  report "$NATS_SERVER_BIN"
  exit
fi
if [ -x "$out/nats-server" ]; then
  report "$out/nats-server"
  exit
fi

if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
  echo 'get-nats: no apt on this machine: install nats-server 2.12.3 or newer and set NATS_SERVER_BIN to it' >&2
  exit 1
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
mkdir -p "$out"

if ! sh "$root/bench/servers/debian-mirror.sh" >/dev/null; then
  echo 'get-nats: no Debian archive in apt'\''s sources: install nats-server 2.12.3 or newer and set NATS_SERVER_BIN to it' >&2
  exit 1
fi

for suite in sid trixie bookworm; do
  if sh "$root/bench/servers/debian-unpack.sh" nats-server "$suite" "$work/$suite" &&
    [ -n "$(version_of "$work/$suite/usr/sbin/nats-server")" ]; then
    # Moved into place in one step, so that another run never sees half a file.
    install -m 755 "$work/$suite/usr/sbin/nats-server" "$out/nats-server.$$"
    mv -f "$out/nats-server.$$" "$out/nats-server"
    report "$out/nats-server"
    exit
  fi
  echo "get-nats: WARNING: no usable nats-server in Debian $suite" >&2
done
echo 'get-nats: no nats-server could be had: install 2.12.3 or newer and set NATS_SERVER_BIN to it' >&2
exit 1
