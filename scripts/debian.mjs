// Installs the missing Debian packages of an example without starting their services.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

/** Files that prove an installed package, also on systems without dpkg. */
const shownBy = {
  'php-cli': ['php'],
  'php-sqlite3': ['php', '-r', 'exit((int) !extension_loaded("pdo_sqlite"));'],
  nginx: ['/usr/sbin/nginx'],
  'python3-flask': ['/usr/bin/python3', '-c', 'import flask'],
  caddy: ['caddy'],
};

/**
 * Installs the missing packages with apt, as root or by sudo without a password.
 *
 * @returns `undefined` on success; otherwise the packages still missing and the reason.
 */
export async function installDebian(packages) {
  const missing = packages.filter((name) => !isInstalled(name));
  if (missing.length === 0) return undefined;
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  if (!existsSync('/usr/bin/apt-get')) return { missing, why: 'there is no apt-get here' };
  if (asRoot.length > 0 && spawnSync('sudo', ['-n', 'true']).status !== 0) {
    return { missing, why: 'this is not root, and sudo is absent or asks for a password' };
  }
  console.error(`Installing ${missing.join(' ')} with apt-get (once, about half a minute) …`);
  const startedMs = Date.now();
  const code = await run([...asRoot, 'sh', '-c', script, 'sh', ...missing]);
  const still = missing.filter((name) => !isInstalled(name));
  if (still.length > 0) return { missing: still, why: reasons[code] ?? `apt-get ended with code ${code}` };
  console.error(`Installed in ${Math.round((Date.now() - startedMs) / 1000)} s.`);
  return undefined;
}

/** Returns a message with the missing packages and the command that installs them. */
export function missingPackages({ missing, why }) {
  return `Missing Debian packages: ${missing.join(' ')} (${why}).
Install them yourself: sudo apt-get update && sudo apt-get install --no-install-recommends ${missing.join(' ')}`;
}

function isInstalled(name) {
  const listed = spawnSync('dpkg-query', ['-W', '-f', `\${db:Status-Status}`, name], { encoding: 'utf8' });
  if (listed.stdout === 'installed') return true;
  const [program, ...args] = shownBy[name] ?? [];
  if (program === undefined) return false;
  return spawnSync(program, args.length > 0 ? args : ['-v'], { timeout: 60_000 }).status === 0;
}

const reasons = {
  3: '/usr/sbin/policy-rc.d of this machine lets packages start services',
  4: 'apt-get update failed twice: see above',
  5: 'apt-get install failed twice: see above',
};

// Debian's packages run /usr/sbin/policy-rc.d before they start a service; 101 forbids it. A file
// of the administrator's is consulted, never replaced. Services are also kept from starting at
// boot. The trap of this one script removes the file in any case.
const script = String.raw`
policy=/usr/sbin/policy-rc.d
if [ -e "$policy" ]; then
  "$policy" nginx start >/dev/null 2>&1
  [ $? -eq 101 ] || exit 3
else
  trap 'rm -f "$policy"' EXIT
  trap 'exit 130' INT TERM HUP
  (set -C; printf '#!/bin/sh\nexit 101\n' >"$policy") || exit 3
  chmod 755 "$policy"
fi
export DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1
twice() { "$@" >"$log" 2>&1 || "$@" >"$log" 2>&1 || { tail -n 20 "$log" >&2; return 1; }; }
log=$(mktemp)
echo '  apt-get update …' >&2
twice apt-get -q -o DPkg::Lock::Timeout=120 update || { rm -f "$log"; exit 4; }
echo "  apt-get install $* …" >&2
twice apt-get -q -y --no-install-recommends -o DPkg::Lock::Timeout=120 \
  -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold install "$@" || { rm -f "$log"; exit 5; }
rm -f "$log"
for name in "$@"; do
  case $name in nginx | caddy) ! command -v systemctl >/dev/null || systemctl --quiet disable "$name" 2>/dev/null || : ;; esac
done
`;

// Not spawnSync: a signal must reach the script, whose trap cleans up.
function run([program, ...args]) {
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const pass = (signal) => child.kill(signal);
  for (const signal of signals) process.on(signal, pass);
  return new Promise((resolve) => {
    child.on('error', () => resolve(-1));
    child.on('exit', (code) => resolve(code ?? -1));
  }).finally(() => {
    for (const signal of signals) process.off(signal, pass);
  });
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const packages = argv.slice(2);
  if (packages.length === 0 || packages.some((name) => !/^[a-z\d][a-z\d+.-]+$/.test(name))) {
    console.error('Usage: node scripts/debian.mjs PACKAGE …');
    process.exit(1);
  }
  const problem = await installDebian(packages);
  if (problem) console.error(missingPackages(problem));
  process.exit(problem ? 1 : 0);
}
