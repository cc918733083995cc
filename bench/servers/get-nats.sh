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
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/unpacked" "$out"
: > "$work/status"

if ! mirror=$(sh "$root/bench/servers/debian-mirror.sh"); then
  echo 'get-nats: no Debian archive in apt'\''s sources: install nats-server 2.12.3 or newer and set NATS_SERVER_BIN to it' >&2
  exit 1
fi

for suite in sid trixie bookworm; do
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" > "$work/sources.list"
  set -- -qq -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferencesparts=/dev/null \
    -o Dir::Etc::preferences=/dev/null -o Dir::State::lists="$work/lists" -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" \
    -o APT::Sandbox::User="$(id -un)" -o APT::Default-Release= -o Acquire::Languages=none -o Debug::NoLocking=1
  rm -rf "$work"/nats-server_*.deb "$work/unpacked"
  if apt-get "$@" update >&2 && (cd "$work" && apt-get "$@" download nats-server >&2) &&
    dpkg-deb -x "$work"/nats-server_*.deb "$work/unpacked" && [ -n "$(version_of "$work/unpacked/usr/sbin/nats-server")" ]; then
    # Moved into place in one step, so that another run never sees half a file.
    install -m 755 "$work/unpacked/usr/sbin/nats-server" "$out/nats-server.$$"
    mv -f "$out/nats-server.$$" "$out/nats-server"
    report "$out/nats-server"
    exit
  fi
  echo "get-nats: WARNING: no usable nats-server in Debian $suite" >&2
done
echo 'get-nats: no nats-server could be had: install 2.12.3 or newer and set NATS_SERVER_BIN to it' >&2
exit 1
