#!/bin/sh
# Lets schemathesis, which others wrote, make requests from the contract and hold every answer against it: make fuzz [SECONDS=120].
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-120}
tools=.cache/fuzz
if [ ! -x "$tools/bin/schemathesis" ]; then
  command -v python3 >/dev/null || { echo 'Nothing was fuzzed: this machine has no python3.' >&2; exit 1; }
  if ! { python3 -m venv "$tools" && "$tools/bin/pip" install --quiet schemathesis==4.32.5; }; then
    echo 'Nothing was fuzzed: pip could not install schemathesis; is PyPI reached from here?' >&2
    exit 1
  fi
fi

folder=$(mktemp -d)
PORT=0 DATA_DIR="$folder/data" node dist/src/main.js all >"$folder/log" 2>&1 &
service=$!
trap 'kill "$service"; wait "$service" || true; rm -rf "$folder"' EXIT
while ! grep -q '"address":' "$folder/log"; do
  kill -0 "$service" || { cat "$folder/log" >&2; exit 1; }
  sleep 1
done
address=$(sed -n 's/.*"address":"\([^"]*\)".*/\1/p' "$folder/log" | head -1)

# Left out are the two checks of what the contract leaves to the service: a larger limit is lowered, and lists of values in requests may grow.
"$tools/bin/schemathesis" run openapi/openapi.json --url "$address" --header "Authorization: Bearer $(cat "$folder/data/api-key")" \
  --exclude-checks positive_data_acceptance,negative_data_rejection --max-time "$seconds" --continue-on-failure --request-timeout 40
