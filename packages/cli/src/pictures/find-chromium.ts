import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SocialError } from '@gantry/wire';

const programs = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

const elsewhere: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
    (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
  ),
  win32: ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'].flatMap((path) =>
    ['C:/Program Files', 'C:/Program Files (x86)'].map((folder) => `${folder}/${path}`),
  ),
};

/**
 * Finds a Chromium: `GANTRY_CHROMIUM`, that of the project's Playwright, or one of the system.
 *
 * @param folder The author's project.
 * @throws SocialError NOT_FOUND with the command that installs one.
 */
export async function findChromium(folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  const named = env.GANTRY_CHROMIUM;
  if (named) {
    if (existsSync(named)) return named;
    throw new SocialError('NOT_FOUND', `GANTRY_CHROMIUM names ${named}, and there is no such file.`);
  }
  const found =
    (await ofPlaywright(folder)) ?? onPath(env) ?? elsewhere[process.platform]?.find((path) => existsSync(path));
  if (found) return found;
  throw new SocialError(
    'NOT_FOUND',
    'No Chromium was found. Install one with: npx playwright install chromium\nOr name one: GANTRY_CHROMIUM=/path/to/chromium gantry pictures',
  );
}

interface Playwright {
  readonly chromium?: { executablePath(): string };
}

/** Returns the browser of the Playwright in the author's project, if it has one. */
async function ofPlaywright(folder: string): Promise<string | undefined> {
  const require = createRequire(join(folder, 'package.json'));
  for (const name of ['@playwright/test', 'playwright', 'playwright-core']) {
    try {
      const loaded: Playwright & { readonly default?: Playwright } = await import(
        pathToFileURL(require.resolve(name)).href
      );
      const path = (loaded.chromium ?? loaded.default?.chromium)?.executablePath();
      if (path && existsSync(path)) return path;
    } catch {
      // not in this project
    }
  }
  return undefined;
}

function onPath({ PATH = '' }: NodeJS.ProcessEnv): string | undefined {
  const folders = PATH.split(delimiter).filter((folder) => folder !== '');
  return programs.flatMap((program) => folders.map((folder) => join(folder, program))).find((path) => existsSync(path));
}
