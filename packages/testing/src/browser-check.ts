import { existsSync } from 'node:fs';
import type { BrowserType, LaunchOptions, PlaywrightWorkerOptions } from '@playwright/test';

/**
 * Returns the reason for which a browser cannot start, or `undefined`. It starts the browser only
 * if its file is missing: a headless browser may use another file.
 */
export async function browserProblem(
  type: BrowserType,
  options: Pick<PlaywrightWorkerOptions, 'channel' | 'connectOptions' | 'headless'> & {
    readonly launchOptions: LaunchOptions;
  },
): Promise<string | undefined> {
  const { channel, connectOptions, headless, launchOptions } = options;
  if (connectOptions) return undefined;
  const path = launchOptions.executablePath ?? ((channel ?? launchOptions.channel) ? undefined : type.executablePath());
  if (path !== undefined && existsSync(path)) return undefined;
  try {
    await (await type.launch({ headless, ...(channel !== undefined && { channel }), ...launchOptions })).close();
    return undefined;
  } catch (error) {
    const lines = (error as Error).message.replace(/^browserType\.launch: /, '').split('\n');
    const texts = lines.map((line) => line.replace(/[║╔╗╚╝═]/g, '').trim()).filter((line) => line !== '');
    return `${type.name()} cannot start. ${texts.slice(0, 4).join(' ')} To install it: npx playwright install ${type.name()}`;
  }
}
