import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { typescriptApp, writeApps } from '../../e2e/dev/sample-apps.ts';
import { startDevServer } from '../../packages/dev/src/index.ts';
import type { Browser } from './browser.ts';
import { frameOf } from './elements.ts';
import type { Outcomes } from './outcomes.ts';
import { until } from './wait.ts';

/** Tries `gantry dev`: an app starts, and a saved module and style are there without a reload. */
export async function runDevHost(browser: Browser): Promise<Outcomes> {
  const { folders, remove } = await writeApps({ ts: typescriptApp });
  const dev = await startDevServer({ folders: [folders.ts], port: 0 });
  const tab = await browser.openTab();
  const text = (value: string) => `document.getElementById('out').textContent === '${value}'`;
  const row = (result: string) => ({ 'dev host': { 'a saved module and style in place': { opaque: result } } });
  try {
    await tab.goTo(`${dev.url}/?app=ts`);
    await until(tab, text('v0'), frameOf('ts'));
    await tab.read("void (document.documentElement.dataset.marked = '')", frameOf('ts'));
    await writeFile(join(folders.ts, 'src/text.ts'), "export const text: string = 'v1';\n");
    await until(tab, text('v1'), frameOf('ts'));
    await writeFile(join(folders.ts, 'src/style.css'), '#out { color: rgb(2, 0, 0); }\n');
    const colour = "getComputedStyle(document.getElementById('out')).color";
    await until(tab, `${colour} === 'rgb(2, 0, 0)' && 'marked' in document.documentElement.dataset`, frameOf('ts'));
    return row('works');
  } catch (error) {
    return row(`fails: ${error instanceof Error ? error.message : error}`);
  } finally {
    await tab.close();
    await dev.close();
    await remove();
  }
}
