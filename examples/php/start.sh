#!/bin/sh
# Runs the site, Gantry beside it and nginx before both, until Ctrl-C or until one of them ends.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p data/sessions data/nginx
[ -s data/viewer-key ] || openssl rand -hex 32 > data/viewer-key

export GANTRY_URL="${GANTRY_URL:-http://localhost:8080}" GANTRY_DATA=data/gantry
export GANTRY_VIEWER_KEY="$(cat data/viewer-key)" GANTRY_SIGN_IN_URL=/sign-in GANTRY_TRUSTED_PROXIES=127.0.0.1
gantry=node_modules/.bin/gantry
php world.php > data/world.json
$gantry import data/world.json
$gantry app add gadgets/friends --update
$gantry app add gadgets/notes --update

running=
trap 'trap - EXIT; kill $running 2>/dev/null; wait' EXIT
trap 'exit 0' INT TERM HUP
php -S 127.0.0.1:"${SITE_PORT:-8000}" -t public public/index.php & running=$!
$gantry serve --port "${GANTRY_PORT:-4400}" & running="$running $!"
[ "$(id -u)" -ne 0 ] || as='user root;' # nginx as root would take another user, who cannot enter data
nginx -p . -c nginx.conf -g "${as:-}" & running="$running $!"
wait $!
