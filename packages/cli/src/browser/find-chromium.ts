import { existsSync, globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SocialError } from '@gantry/wire';

const programs = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];

const elsewhere: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
    (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
  ),
  win32: ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'].flatMap((path) =>
    ['C:/Program Files', 'C:/Program Files (x86)'].map((folder) => `${folder}/${path}`),
  ),
};

/**
 * Finds a Chromium: `GANTRY_CHROMIUM`, that of the project's Playwright, one of the system, or one
 * that another Playwright installed.
 *
 * @param folder The author's project.
 * @param missing Thrown if there is none.
 * @throws SocialError NOT_FOUND if there is no such file as `GANTRY_CHROMIUM` names.
 */
export async function findChromium(folder: string, env: NodeJS.ProcessEnv, missing: Error): Promise<string> {
  const named = env.GANTRY_CHROMIUM;
  if (named) {
    if (existsSync(named)) return named;
    throw new SocialError('NOT_FOUND', `GANTRY_CHROMIUM names ${named}, and there is no such file.`);
  }
  const folders = (env.PATH ?? '').split(delimiter).filter((path) => path !== '');
  const onPath = programs.flatMap((program) => folders.map((path) => join(path, program)));
  const installed = [...onPath, ...(elsewhere[process.platform] ?? [])].find((path) => existsSync(path));
  const found = (await ofPlaywright(folder)) ?? installed ?? downloaded(env)[0];
  if (found === undefined) throw missing;
  return found;
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

/** Lists the browsers that any Playwright of this user downloaded. */
function downloaded({ PLAYWRIGHT_BROWSERS_PATH: named, HOME: home }: NodeJS.ProcessEnv): readonly string[] {
  const caches = home ? [join(home, '.cache/ms-playwright'), join(home, 'Library/Caches/ms-playwright')] : [];
  const program = 'chromium-*/chrome-*/{chrome,Chromium.app/Contents/MacOS/Chromium}';
  return [...(named ? [named] : []), ...caches].flatMap((cwd) =>
    globSync(program, { cwd }).map((path) => join(cwd, path)),
  );
}
