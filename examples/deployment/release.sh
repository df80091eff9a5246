#!/bin/sh
# Installs this folder as a release of its own, and makes it the current one in one step:
#   sudo sh release.sh && sudo systemctl reload gantry
# The release before stays: point /opt/gantry/current at it and reload, and it is back.
set -eu
umask 022 # the service reads it as a user of its own
root=${GANTRY_ROOT:-/opt/gantry}
name=$(date -u +%Y%m%dT%H%M%SZ)-$$
release=$root/releases/$name
mkdir -p "$release"
cp package.json package-lock.json backup.sh "$release"
if [ -d tarballs ]; then cp -R tarballs "$release"; fi
cd "$release"
npm ci --omit=dev --no-audit --no-fund
node_modules/.bin/gantry --help >/dev/null # it runs on this machine
ln -s "releases/$name" "$root/next"
mv -T "$root/next" "$root/current"
echo "$root/current is $name"
