/** Programs that install packages, by which the found one is known. */
const known = ['npm', 'pnpm', 'yarn', 'bun'] as const;

/** The program that installs packages, and how its commands are written. */
export interface PackageManager {
  readonly name: (typeof known)[number];
  /** Its version, where it said so. */
  readonly version?: string;
}

/** Finds the package manager that runs this process by what it says of itself; npm where none does. */
export function findPackageManager({ npm_config_user_agent: agent = '' }: NodeJS.ProcessEnv): PackageManager {
  const [, given, version] = /^(\w+)\/(\d[\w.+-]*)/.exec(agent) ?? [];
  const name = known.find((one) => one === given) ?? 'npm';
  return { name, ...(name === given && version && { version }) };
}

/** Replaces commands of npm in a text by those of another package manager. */
export function withCommandsOf({ name }: PackageManager, text: string): string {
  if (name === 'npm') return text;
  const { run, exec, install } = commands[name];
  return text
    .replace(/\bnpm run (?=[a-z])/g, `${run} `)
    .replace(/\bnpm test\b/g, `${run} test`)
    .replace(/\bnpm ci\b/g, install)
    .replace(/\bnpm install\b/g, `${name} install`)
    .replace(/\bnpx @gantry\/cli\b/g, `${exec} gantry`)
    .replace(/\bnpx (?=[a-z])/g, `${exec} `)
    .replace(/(?<=\brun dev) -- /g, ' '); // only npm needs the two dashes; pnpm passes them on
}

const commands = {
  pnpm: { run: 'pnpm run', exec: 'pnpm exec', install: 'pnpm install --frozen-lockfile' },
  yarn: { run: 'yarn run', exec: 'yarn exec', install: 'yarn install --frozen-lockfile' },
  bun: { run: 'bun run', exec: 'bunx', install: 'bun install --frozen-lockfile' },
} as const;
