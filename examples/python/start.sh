#!/bin/sh
# Runs the site, Gantry beside it and Caddy before both, until Ctrl-C.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p data
[ -s data/viewer-key ] || openssl rand -hex 32 > data/viewer-key

export GANTRY_URL="${GANTRY_URL:-http://localhost:8080}" GANTRY_VIEWER_KEY="$(cat data/viewer-key)"
export GANTRY_SIGN_IN_URL=/sign-in GANTRY_TRUSTED_PROXIES=127.0.0.1
export XDG_DATA_HOME="$PWD/data" XDG_CONFIG_HOME="$PWD/data" # where Caddy writes
running=
trap 'trap - EXIT; kill $running 2>/dev/null; wait' EXIT
trap 'exit 0' INT TERM HUP
/usr/bin/python3 -m flask run --port "${SITE_PORT:-8000}" & running=$!
node_modules/.bin/gantry serve --port "${GANTRY_PORT:-4400}" & running="$running $!"
caddy run --config Caddyfile & running="$running $!"
wait $!
