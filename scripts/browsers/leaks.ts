import { leavingWays, quietWays } from '../../e2e/hostile/exfiltrator.ts';
import type { Listeners } from '../../e2e/hostile/listeners.ts';
import type { PlainSite } from '../../e2e/hostile/plain-site.ts';
import type { Browser, Tab } from './browser.ts';
import type { Outcomes } from './outcomes.ts';
import type { Site } from './site.ts';
import { poll } from './wait.ts';

const leaving = Object.keys(leavingWays);
const listen = '<script>heard = []; addEventListener("message", ({ data }) => heard.push(data));</script>';
const small = '<style>gantry-gadget { display: inline-block; width: 15rem }</style>'; // all in view
const quietMs = 12_000;
const triesMs = 60_000; // with the start of all gadgets; frames that have left are taken away meanwhile
const leavingMs = 5_000;

/** Ways that work in this browser without a guard. */
export async function findControls(
  browser: Browser,
  { plain, listeners }: { readonly plain: PlainSite; readonly listeners: Listeners },
): Promise<ReadonlySet<string>> {
  const controls = new Set<string>();
  async function visit(
    file: string,
    { ways, limitMs }: { readonly ways: readonly string[]; readonly limitMs: number },
  ) {
    listeners.forget();
    await inTab(browser, async (tab) => {
      await tab.goTo(plain.pageWith(file)).catch(() => {}); // interrupted by the attack itself; arrivals count
      await poll(() => ways.every((way) => listeners.reached().includes(way)), limitMs);
    });
    for (const way of ways) if (listeners.reached().includes(way)) controls.add(way);
  }

  await visit('index.html', { ways: quietWays, limitMs: quietMs });
  for (const way of leaving) await visit(`${way}.html`, { ways: [`/${way}`], limitMs: leavingMs });
  return controls;
}

/**
 * Lets the hostile app send by every way. A way `holds` only if it worked without a guard and the
 * app reported its try; without that it was `untried`.
 */
export async function runLeaks(
  browser: Browser,
  site: Site,
  { listeners, controls }: { readonly listeners: Listeners; readonly controls: ReadonlySet<string> },
): Promise<Outcomes> {
  const result = (way: string, isTried: boolean) => {
    if (listeners.reached().includes(way)) return 'open';
    return isTried && controls.has(way) ? 'holds' : 'untried';
  };
  const rowsOf = (ways: readonly string[], isTried: (way: string) => boolean) =>
    Object.fromEntries(
      ways.map((way) => [way.replace('/', ''), { [site.mode]: result(way, isTried(way.replace('/', ''))) }]),
    );

  async function leave(policy?: string) {
    listeners.forget();
    const gadgets = leaving.map((way) => `<gantry-gadget app="spy" view="home.${way}"></gantry-gadget>`);
    return inTab(browser, async (tab) => {
      await site.show(tab, listen + small + gadgets.join(''), policy === undefined ? {} : { policy });
      let tried: readonly string[] = [];
      await poll(async () => {
        tried = await tab.read<readonly string[]>('heard').catch(() => tried); // a page that an attack left
        return leaving.every((way) => tried.includes(`${way} tries`));
      }, triesMs);
      await poll(() => leaving.every((way) => listeners.reached().includes(`/${way}`)), leavingMs);
      return rowsOf(
        leaving.map((way) => `/${way}`),
        (way) => tried.includes(`${way} tries`),
      );
    });
  }

  listeners.forget();
  const quiet = await inTab(browser, async (tab) => {
    await site.show(tab, `${listen}<gantry-gadget app="spy"></gantry-gadget>`);
    const didTry = await poll(() => tab.read("heard.includes('tried')"), quietMs);
    return rowsOf(quietWays, () => didTry);
  });
  return {
    'stays and sends': quiet,
    'leaves, against its own headers': await leave(),
    'leaves, against frame-src of the page': await leave(`frame-src ${site.appFrames}`),
  };
}

/** Works in a tab of its own: some attacks navigate it. */
async function inTab<T>(browser: Browser, work: (tab: Tab) => Promise<T>): Promise<T> {
  const tab = await browser.openTab();
  try {
    return await work(tab);
  } finally {
    await tab.close();
  }
}
