import { readFileSync } from 'node:fs';

/** Returns the version of this package, which all packages of a release share. */
export function cliVersion(): string {
  const file = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}
