import { mark } from './generated-file.ts';

/** The port of `gantry serve` beside a site in another language. */
export const gantryPort = 4400;

/** Returns the settings file of the site and `gantry serve`, with the key that they share. */
export function envFile({
  url,
  data,
  key,
}: {
  readonly url: string;
  readonly data: string;
  readonly key: string;
}): string {
  return `# ${mark}. Settings of Gantry and the key that it shares with the site: not for git, not for the web.
GANTRY_URL=${url}
GANTRY_DATA="${data}"
GANTRY_VIEWER_KEY=${key}
GANTRY_TRUSTED_PROXIES=127.0.0.1
PORT=${gantryPort}
# Where members sign in, a path of the site:
# GANTRY_SIGN_IN_URL=/sign-in
`;
}
