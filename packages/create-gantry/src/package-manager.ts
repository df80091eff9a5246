/** Known package managers, by the name in their user agent. */
const known = ['npm', 'pnpm', 'yarn', 'bun'] as const;

export interface PackageManager {
  readonly name: (typeof known)[number];
  readonly version?: string;
}

/** Returns the package manager that runs this process, by its user agent; npm by default. */
export function findPackageManager({ npm_config_user_agent: agent = '' }: NodeJS.ProcessEnv): PackageManager {
  const [, product, version] = /^(\w+)\/(\d[\w.+-]*)/.exec(agent) ?? [];
  const name = known.find((one) => one === product) ?? 'npm';
  return { name, ...(name === product && version && { version }) };
}

/** Replaces npm's commands in a text by those of another package manager. */
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
