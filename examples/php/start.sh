#!/bin/sh
# Runs the site, Gantry beside it and nginx before both, until Ctrl-C.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p data/sessions data/nginx
[ -s data/viewer-key ] || openssl rand -hex 32 > data/viewer-key

export GANTRY_URL="${GANTRY_URL:-http://localhost:8080}" GANTRY_VIEWER_KEY="$(cat data/viewer-key)"
export GANTRY_SIGN_IN_URL=/sign-in GANTRY_TRUSTED_PROXIES=127.0.0.1
running=
trap 'trap - EXIT; kill $running 2>/dev/null; wait' EXIT
trap 'exit 0' INT TERM HUP
php -S 127.0.0.1:"${SITE_PORT:-8000}" -t public public/index.php & running=$!
node_modules/.bin/gantry serve --port "${GANTRY_PORT:-4400}" & running="$running $!"
[ "$(id -u)" -ne 0 ] || as='user root;' # or nginx takes another user, who may not enter data
nginx -p . -c nginx.conf -g "${as:-}" & running="$running $!"
wait $!
