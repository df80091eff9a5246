import { UsageError } from '@gantry/server';
import type { CommandLine } from '../command.ts';
import { askHidden } from '../terminal/read-secret.ts';
import { siteAddress } from './site-address.ts';
import { createSiteClient, type RegistryClient } from './site-client.ts';

export const siteFlags = { site: { type: 'string' } } as const;

type Line = Pick<CommandLine<typeof siteFlags>, 'values' | 'env'>;

/** Returns the site that a command line names, by `--site` or GANTRY_SITE. */
export function siteOf({ values, env }: Line): string | undefined {
  const site = values.site ?? (env.GANTRY_SITE || undefined);
  return site === undefined ? undefined : siteAddress(site);
}

/**
 * Opens the registry of a site. The key comes from GANTRY_KEY or the terminal, never from flags,
 * which every user of the machine can read.
 *
 * @throws UsageError without a site or a key.
 */
export async function openSite(line: Line): Promise<RegistryClient & { readonly site: string }> {
  const site = siteOf(line);
  if (site === undefined) throw new UsageError('Name the site with --site https://… or in GANTRY_SITE.');
  const key = line.env.GANTRY_KEY || (await askKey(site));
  if (!/^[\w.-]{1,200}$/.test(key))
    throw new UsageError('GANTRY_KEY is no key of Gantry: it comes from gantry keys add.');
  return { site, ...createSiteClient({ site, key }) };
}

async function askKey(site: string): Promise<string> {
  if (process.stdin.isTTY) return (await askHidden(`Key for ${site}: `)).trim();
  throw new UsageError(`Put the key for ${site} into GANTRY_KEY. The site's owner makes it: gantry keys add --app ID.`);
}
