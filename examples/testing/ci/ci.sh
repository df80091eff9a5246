#!/bin/sh
# Tests in parts, for a CI without a file of its own here: ci.sh 1/3, ci.sh 2/3, ci.sh 3/3. Without a part, all of them.
# What failed leaves its tape in test-results.
set -eu
npm ci
npx playwright install --with-deps chromium
CI=true npx playwright test ${1:+--shard="$1"}
