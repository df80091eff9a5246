import { join } from 'node:path';
import { findApps } from '../../packages/testing/src/apps.ts';
import type { KitPage, Missing, MountRequest } from '../../packages/testing/src/kit-protocol.ts';
import { startKitServer } from '../../packages/testing/src/kit-server.ts';
import { openSite } from '../../packages/testing/src/open-site.ts';
import { createWorlds } from '../../packages/testing/src/worlds.ts';
import type { Browser } from './browser.ts';
import { savedState, writeNote } from './container.ts';
import { frameOf } from './elements.ts';
import type { Outcomes } from './outcomes.ts';
import { until } from './wait.ts';

const limitMs = 60_000;
const demo = join(import.meta.dirname, '../../demo/apps');

/** Tries the page, the server and the site of `@gantry/testing`, without Playwright's fixtures. */
export async function runKit(browser: Browser): Promise<Outcomes> {
  const row = (result: string) => ({ kit: { 'a held write, its reply and the record': { opaque: result } } });
  try {
    await tryKit(browser);
    return row('works');
  } catch (error) {
    return row(`fails: ${error instanceof Error ? error.message : error}`);
  }
}

async function tryKit(browser: Browser): Promise<void> {
  const server = await startKitServer();
  const worlds = createWorlds(demo);
  const apps = await findApps(['notes'], demo);
  const { lab, close } = await openSite(
    { url: server.url, worlds },
    { apps, world: 'friendly', scenario: {}, seed: undefined },
  );
  const remove = server.add(lab);
  const tab = await browser.openTab();
  const ask = async (name: keyof KitPage, ...args: readonly unknown[]): Promise<void> => {
    const { missing } = await tab.read<Missing>(`gantryKit.${name}(...${JSON.stringify(args)})`);
    if (missing.length > 0) throw new Error(`${name}: ${missing.join(', ')}`);
  };
  try {
    const subject = { id: 'notes', app: 'notes', scenario: {} };
    const persona = lab.personas[0]?.id ?? '';
    const request: MountRequest = { lab: lab.name, persona, clock: lab.clock.state, subject };
    const write = lab.calls.hold('appdata.update');
    await tab.goTo(`${server.url}/`);
    await until(tab, "'gantryKit' in window");
    await ask('mount', request, limitMs);
    await writeNote(tab, 'Low water');
    const { params } = await write.arrived;
    if (!JSON.stringify(params).includes('Low water')) throw new Error(`The call has ${JSON.stringify(params)}`);
    await ask('settled', limitMs, ['appdata.update']);
    if (await tab.read(savedState, frameOf('notes'))) throw new Error('The note is saved while its write is held.');
    write.release();
    await until(tab, savedState, frameOf('notes'));
    await ask('settled', limitMs, []);
    const seen = lab.record.entries.flatMap((entry) => (entry.kind === 'call' ? [entry.operation] : []));
    if (!seen.includes('appdata.update')) throw new Error(`The record has ${seen.join(', ') || 'no call'}`);
    const problems = lab.calls.end().map(({ message }) => message);
    if (problems.length > 0) throw new Error(problems.join(', '));
  } finally {
    await tab.close();
    remove();
    await close();
    await server.close();
    await worlds.close();
  }
}
