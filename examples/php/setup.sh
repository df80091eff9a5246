#!/bin/sh
# Tells Gantry who the members are and who knows whom, and registers the gadgets. Run it again after a change.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p data
php world.php > data/world.json
node_modules/.bin/gantry import data/world.json
[ -d gadgets ] || cp -R node_modules/@gantry/cli/starters gadgets # to begin with: they are yours
node_modules/.bin/gantry app add gadgets/friends --update
node_modules/.bin/gantry app add gadgets/notes --update
