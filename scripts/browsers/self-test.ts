import { claimGroups } from '../../packages/server/src/self-test/browser/claims.ts';
import type { Browser } from './browser.ts';
import type { Outcomes } from './outcomes.ts';
import type { Site } from './site.ts';
import { until } from './wait.ts';

const ids = claimGroups.flatMap(({ claims }) => Object.keys(claims));

/** Opens /gantry/self-test, and resolves with its results. */
export async function runSelfTest(browser: Browser, { url, mode }: Site): Promise<Outcomes> {
  const tab = await browser.openTab();
  try {
    await tab.goTo(`${url}/gantry/self-test`);
    await until(tab, "['holds', 'open', 'broken'].includes(document.documentElement.dataset.selfTest)");
    const { claims } = JSON.parse(await tab.read("document.getElementById('result').textContent")) as {
      readonly claims: Readonly<Record<string, { readonly result: string }>>;
    };
    const rows = ids.map((id) => [id, { [mode]: claims[id]?.result ?? 'fails: not in the result' }]);
    return { 'self-test': Object.fromEntries(rows) };
  } finally {
    await tab.close();
  }
}
