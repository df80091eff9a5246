/** A feature of the kit, and its use against a running site. */
export interface SiteFeature {
  readonly name: string;
  readonly works: 'yes' | 'partly' | 'no';
  /** One sentence: what is different, or what to use instead. */
  readonly instead: string;
}

/** Features of the kit against a running site, for the docs and refusals. */
export const siteFeatures = [
  { name: 'gadget.find', works: 'yes', instead: 'Opens a page and finds the gadget on it; `mount` is the same.' },
  { name: 'gadget.frame', works: 'yes', instead: "The app's document, with all locators of Playwright." },
  { name: 'gadget.calls', works: 'yes', instead: 'Without `decision`; `tookMs` is measured at the port.' },
  { name: 'gadget.events', works: 'yes', instead: 'Events that crossed the port.' },
  { name: 'gadget.context', works: 'yes', instead: 'What the page told the app last.' },
  { name: 'gadget.logs', works: 'partly', instead: 'By address: gadgets of one app on one page share their console.' },
  {
    name: 'gadget.refusals',
    works: 'partly',
    instead: "Calls that were refused, and what Chromium's console says of policy and sandbox.",
  },
  { name: 'gadget.settled', works: 'yes', instead: 'Ready, no call open, no write waiting, height unchanged.' },
  { name: 'gadget.state', works: 'partly', instead: 'What the app set since the page was opened.' },
  { name: 'toHaveCalled', works: 'yes', instead: 'So does `toHaveCalledOnce`.' },
  { name: 'toHaveReceived', works: 'yes', instead: 'By what crossed the port since the page was opened.' },
  { name: 'toHaveNoRefusals', works: 'partly', instead: 'By `gadget.refusals`, so without the manifest of the app.' },
  { name: 'toStayInPlace', works: 'yes', instead: 'As on a site of the test.' },
  { name: 'toBeAccessible', works: 'yes', instead: 'As on a site of the test.' },
  { name: 'toFit', works: 'yes', instead: 'As on a site of the test.' },
  { name: 'toShowTextOnly', works: 'yes', instead: 'By texts with tags that the site has.' },
  { name: 'toBeWalkableByKeyboard', works: 'yes', instead: 'It presses keys on the page.' },
  { name: 'toKeepWrites', works: 'no', instead: "Read what was kept with the site's REST API." },
  { name: 'gadget.update', works: 'no', instead: 'Change the page as a member would, or with `page.emulateMedia`.' },
  { name: 'gantry.open', works: 'yes', instead: 'Opens a browser for another one of the option `members`.' },
  { name: 'gantry.setOffline', works: 'yes', instead: 'Takes the browser off the network with `context.setOffline`.' },
  {
    name: 'gantry.clock',
    works: 'no',
    instead: 'Use `page.clock` for the page; the site and the frame keep their time.',
  },
  {
    name: 'gantry.faults',
    works: 'no',
    instead: 'Use `gantry.setOffline`, or `page.route` on `**/gantry/calls` to fail, delay or drop calls of the page.',
  },
  { name: 'gantry.calls', works: 'no', instead: 'Use `page.route` on `**/gantry/calls`.' },
  { name: 'gantry.network', works: 'no', instead: 'Use `gantry.setOffline`.' },
  {
    name: 'gantry.lab',
    works: 'no',
    instead: "The data is the site's own: prepare it with the site's REST API or its commands.",
  },
  {
    name: 'gantry.social',
    works: 'no',
    instead: "Act as another member with `gantry.open`, or with the site's REST API.",
  },
  { name: 'gantry.consent', works: 'no', instead: 'Press the buttons of the card: `gadget.element.getByRole(…)`.' },
  { name: 'gantry.site', works: 'no', instead: "Change settings and sign out on the site's own pages." },
] as const satisfies readonly SiteFeature[];

export type SiteFeatureName = (typeof siteFeatures)[number]['name'];

/** Makes the error of a feature that needs a lab. */
export function notOnASite(name: SiteFeatureName): Error {
  const instead = siteFeatures.find((one) => one.name === name)?.instead ?? '';
  return new Error(`${name} does not work against a running site. ${instead}`);
}
