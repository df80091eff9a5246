#!/bin/sh
# Runs the site, Gantry beside it and Caddy before both, until Ctrl-C or until Caddy ends.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p data
[ -s data/viewer-key ] || openssl rand -hex 32 > data/viewer-key

export GANTRY_URL="${GANTRY_URL:-http://localhost:8080}" GANTRY_DATA=data/gantry
export GANTRY_VIEWER_KEY="$(cat data/viewer-key)" GANTRY_SIGN_IN_URL=/sign-in GANTRY_TRUSTED_PROXIES=127.0.0.1
gantry=node_modules/.bin/gantry
flask='/usr/bin/python3 -m flask'
$flask world > data/world.json
$gantry import data/world.json
$gantry app add gadgets/friends --update
$gantry app add gadgets/notes --update

running=
trap 'trap - EXIT; kill $running 2>/dev/null; wait' EXIT
trap 'exit 0' INT TERM HUP
$flask run --port "${SITE_PORT:-8000}" & running=$!
$gantry serve --port "${GANTRY_PORT:-4400}" & running="$running $!"
XDG_DATA_HOME=data XDG_CONFIG_HOME=data caddy run --config Caddyfile --adapter caddyfile & running="$running $!"
wait $!
