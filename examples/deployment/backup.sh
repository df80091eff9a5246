#!/bin/sh
# Copies the site that GANTRY_DATA names while it runs, restores the copy to try it, and then deletes copies older than two weeks:
#   sh backup.sh FOLDER
# The copy has no keys. Keep keys.json and site-key.pem of the data folder elsewhere, once.
set -eu
umask 077
gantry=$(dirname "$0")/node_modules/.bin/gantry
target=$1
copy=$target/$(date -u +%Y%m%dT%H%M%SZ)
tried=$target/.tried
"$gantry" backup "$copy"
rm -rf "$tried"
"$gantry" restore "$copy" --data "$tried" --keys "$GANTRY_DATA"
rm -rf "$tried"
find "$target" -mindepth 1 -maxdepth 1 -name '2*Z' -mtime +14 -exec rm -rf {} +
