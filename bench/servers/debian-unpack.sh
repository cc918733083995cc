#!/bin/sh
# Unpacks a package of Debian into a folder: debian-unpack.sh PACKAGE SUITE FOLDER. It comes through this machine's own apt, which checks the
# signatures; root is not needed, nothing is installed, and dependencies are not fetched.
set -eu

package=$1 suite=$2 folder=$3
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
mirror=$(sh "$here/debian-mirror.sh")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$folder"
: > "$work/status"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" > "$work/sources.list"
set -- -qq -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferencesparts=/dev/null \
  -o Dir::Etc::preferences=/dev/null -o Dir::State::lists="$work/lists" -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" \
  -o APT::Sandbox::User="$(id -un)" -o APT::Default-Release= -o Acquire::Languages=none -o Debug::NoLocking=1
apt-get "$@" update >&2
(cd "$work" && apt-get "$@" download "$package" >&2)
dpkg-deb -x "$work/$package"_*.deb "$folder"
