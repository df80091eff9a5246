import type { TestInfo } from '@playwright/test';
import { endRun } from './end-run.ts';
import type { KitOrProblem } from './kit.ts';
import { openSite, type SiteOfTest } from './open-site.ts';
import type { GantryOptions } from './types.ts';

/** Makes the site of a test, and ends a run that can have none. */
export async function siteFixture(
  { gantryKit, apps, world, scenario, seed, expectedErrors }: GantryOptions & { readonly gantryKit: KitOrProblem },
  use: (site: SiteOfTest) => Promise<void>,
  testInfo: TestInfo,
): Promise<void> {
  const site = await openOrEnd().catch(async (error: Error) => endRun(error.message, testInfo));
  const remove = site.remove;
  await use(site);
  const { calls, faults } = site.lab;
  const problems = [...calls.end(), ...faults.unmet, site.errors.missed()].filter((one) => one !== undefined);
  remove();
  await site.close();
  if (problems.length === 1) throw problems[0];
  if (problems.length > 1) throw new AggregateError(problems, problems.map(({ message }) => message).join('\n'));

  async function openOrEnd(): Promise<SiteOfTest & { readonly remove: () => void }> {
    if ('problem' in gantryKit) throw new Error(gantryKit.problem);
    const { server, worlds, apps: find } = gantryKit.kit;
    const found = await find(apps);
    const opened = await openSite({ url: server.url, worlds }, { apps: found, world, scenario, seed, expectedErrors });
    return { ...opened, remove: server.add(opened.lab) };
  }
}
