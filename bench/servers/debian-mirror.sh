#!/bin/sh
# Prints the address of the first Debian archive that this machine's apt already uses. Its security archive holds too little.
set -eu

mirror=$(apt-get indextargets --format '$(REPO_URI) $(ORIGIN) $(LABEL)' 'Created-By: Packages' 2>/dev/null |
  awk '$2 == "Debian" && $3 == "Debian" { print $1; exit }')
if [ -z "$mirror" ]; then
  mirror=$(sed -n 's/^URIs:[[:space:]]*\([^[:space:]]*\).*/\1/p; s/^deb[[:space:]]\{1,\}\(\[[^]]*\][[:space:]]*\)\{0,1\}\([^[:space:]]*\).*/\2/p' \
    /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list /etc/apt/sources.list 2>/dev/null | grep -m 1 '/debian/\{0,1\}$' || true)
fi
[ -n "$mirror" ] || exit 1
echo "$mirror"
