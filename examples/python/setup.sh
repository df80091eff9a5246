#!/bin/sh
# Tells Gantry who the members are and who knows whom, and registers the gadgets. Run it again after a change.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p data
[ -s data/viewer-key ] || openssl rand -hex 32 > data/viewer-key
export GANTRY_URL="${GANTRY_URL:-http://localhost:8080}" GANTRY_VIEWER_KEY="$(cat data/viewer-key)"
/usr/bin/python3 -m flask world > data/world.json
node_modules/.bin/gantry import data/world.json
[ -d gadgets ] || cp -R node_modules/@gantry/cli/starters gadgets # to begin with: they are yours
node_modules/.bin/gantry app add gadgets/friends --update
node_modules/.bin/gantry app add gadgets/notes --update
