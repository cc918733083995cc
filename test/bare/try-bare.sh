#!/bin/sh
# Tries the README's first command where nothing is installed but what it asks for: in a small root of Debian 13, and in one of
# Debian 12 with the oldest Node that the README promises. Each takes a fresh clone of this repository's last commit, as an ordinary
# user. Root is not needed where user namespaces are allowed. Takes the names of the trials; without any it does both.
set -eu

question='How does Fastify handle an error thrown in a hook or a handler?'
oldest_node=20.0.0
packages=ca-certificates,git,make,nodejs,npm
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
[ $# -gt 0 ] || set -- debian-13 debian-12
asked="$*"

nothing_tried() {
  echo "try-bare: not tried are $asked: $1" >&2
  exit 1
}
command -v mmdebstrap >/dev/null || nothing_tried 'mmdebstrap is missing, install it with apt-get install mmdebstrap'
mirror=$(sh "$root/bench/servers/debian-mirror.sh") || nothing_tried 'no Debian archive in the sources of this machine'\''s apt'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
git clone --quiet --no-local "$root" "$work/clone"
[ -z "$(git -C "$root" status --porcelain)" ] || echo 'try-bare: WARNING: what is not committed is not tried' >&2
echo "try-bare: $(git -C "$work/clone" log -1 --format='%h %s')"

# What npm needs to reach its registry from this machine goes along, and no credentials.
{
  echo "export npm_config_registry='$(npm config get registry 2>/dev/null)'"
  env | sed -n "s/^\(\(https\{0,1\}\|no\)_proxy\|\(HTTPS\{0,1\}\|NO\)_PROXY\)=\(.*\)/export \1='\4'/p"
} > "$work/network"
authorities=$(npm config get cafile 2>/dev/null)
[ -f "$authorities" ] || authorities=${NODE_EXTRA_CA_CERTS:-}
: > "$work/authorities.crt"
if [ -f "$authorities" ]; then
  cat "$authorities" > "$work/authorities.crt"
  echo 'export npm_config_cafile=/trial/authorities.crt NODE_EXTRA_CA_CERTS=/trial/authorities.crt' >> "$work/network"
fi

# Runs inside of the small root: $1 the Node to bring along, empty for the one of the distribution.
cat > "$work/inside.sh" <<'INSIDE'
set -eu
. /trial/network
if [ -n "${1:-}" ]; then
  npm install --silent --no-audit --no-fund --prefix /opt/node "node-linux-$(dpkg --print-architecture | sed s/amd64/x64/)@$1"
  export PATH="$(echo /opt/node/node_modules/node-linux-*/bin):$PATH"
fi
useradd --create-home --shell /bin/bash somebody
mv /trial/clone /home/somebody/research
chown -R somebody: /home/somebody
echo "try-bare: node $(node -v), npm $(npm -v)"
cd /home/somebody/research
runuser -u somebody -- env HOME=/home/somebody make ask Q="$QUESTION"
INSIDE

failed=''
for trial; do
  case $trial in
    debian-13) suite=trixie node='' ;;
    debian-12) suite=bookworm node=$oldest_node ;;
    *) nothing_tried "there is no trial $trial, only debian-13 and debian-12" ;;
  esac
  log=$work/$trial.log
  echo "try-bare: $trial …"
  # The trial is a hook of mmdebstrap, which removes the root afterwards. Only what it prints comes out of a user namespace.
  if mmdebstrap --quiet --variant=minbase --format=null --include="$packages" \
    --customize-hook='mkdir "$1/trial"' \
    --customize-hook="copy-in $work/clone $work/network $work/authorities.crt $work/inside.sh /trial" \
    --customize-hook="chroot \"\$1\" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 QUESTION='$question' sh /trial/inside.sh $node && echo 'try-bare: answered' || echo 'try-bare: not answered'" \
    "$suite" - "deb $mirror $suite main" > "$log" 2>&1 && grep -q '^try-bare: answered$' "$log"; then
    grep '^try-bare: node' "$log"
    echo "try-bare: $trial answered"
  else
    failed="$failed $trial"
    tail -n 40 "$log" >&2
    grep -q '^try-bare: not answered$' "$log" && end='did not answer' || end='was not tried: its root could not be made, see above'
    echo "try-bare: $trial $end" >&2
  fi
done
[ -z "$failed" ]
