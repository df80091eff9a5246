import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SocialError } from '@gantry/wire';
import type { Browser, BrowserType } from '@playwright/test';

interface Playwright {
  readonly chromium?: BrowserType;
}

// The same rendering on each machine, as far as its fonts allow; hidden pages are drawn too.
const args = [
  ...['--force-color-profile=srgb', '--font-render-hinting=none', '--disable-lcd-text', '--disable-gpu'],
  ...['--disable-background-timer-throttling', '--disable-backgrounding-occluded-windows'],
];

// The command stops by itself; Playwright would end the process.
const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };

/**
 * Starts a headless Chromium by the Playwright of the author's project: its own browser, or the one
 * that `GANTRY_CHROMIUM` names.
 *
 * @param folder The author's project; without a Playwright there, that of the working folder.
 * @throws SocialError NOT_FOUND with the cure, without a Playwright or a browser.
 */
export async function startBrowser(folder: string, env: NodeJS.ProcessEnv): Promise<Browser> {
  const executablePath = env.GANTRY_CHROMIUM || undefined;
  if (executablePath && !existsSync(executablePath)) {
    throw new SocialError('NOT_FOUND', `GANTRY_CHROMIUM names ${executablePath}, and there is no such file.`);
  }
  const chromium = (await ofPlaywright(folder)) ?? (await ofPlaywright(process.cwd()));
  if (!chromium) {
    throw new SocialError(
      'NOT_FOUND',
      `There is no Playwright in ${resolve(folder)}. Install it: npm install --save-dev @playwright/test`,
    );
  }
  try {
    return await chromium.launch({ args, ...signals, ...(executablePath && { executablePath }) });
  } catch (cause) {
    const [line] = (cause as Error).message.replace(/^browserType\.launch: /, '').split('\n');
    const cure = 'Install a browser: npx playwright install chromium, or name one: GANTRY_CHROMIUM=/path/to/chromium';
    throw new SocialError('NOT_FOUND', `Chromium does not start: ${line}\n${cure}`, { cause });
  }
}

async function ofPlaywright(folder: string): Promise<BrowserType | undefined> {
  const require = createRequire(join(resolve(folder), 'package.json'));
  for (const name of ['@playwright/test', 'playwright', 'playwright-core']) {
    try {
      const loaded: Playwright & { readonly default?: Playwright } = await import(
        pathToFileURL(require.resolve(name)).href
      );
      const chromium = loaded.chromium ?? loaded.default?.chromium;
      if (chromium) return chromium;
    } catch {
      // not in this project
    }
  }
  return undefined;
}
