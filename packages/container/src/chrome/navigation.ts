import { SocialError } from '@gantry/wire';
import type { Shown } from '../gadget.ts';
import type { Action } from '../place.ts';
import { topOf } from '../view-name.ts';
import { wasUsed } from './activation.ts';
import type { ChromePlace } from './attend.ts';
import { type Away, canvasOf } from './canvas.ts';
import { giveFocus } from './give-focus.ts';
import { createRate } from './rate.ts';
import { checkView, maxParams, readView, slotOf, writeView } from './view-address.ts';

/**
 * Lets an app go to another of its views. The site hears `gantry-navigate` first and may do it in its own way; otherwise the
 * view becomes part of the page's address, so that links and the back button know it.
 */
export function createNavigation(place: ChromePlace): {
  readonly actions: { readonly 'views.navigate': Action };
  /** To a view, because the member wants it. */
  go(view: string): void;
  /** Leaves the large view, if it is there. */
  leave(): void;
  end(): void;
} {
  const { element, frame, gadget, messages, tell } = place;
  const { app, view, views } = gadget.context;
  const slot = slotOf(element);
  const { address: hasAddress = true, params: homeParams = {} } = gadget.tools;
  const home: Shown = { view, params: homeParams };
  const mayTry = createRate({ count: 20, perMs: 1_000, now: () => performance.now() }); // of the machine's time: it costs that
  const mayGo = createRate({ count: 10, perMs: 10_000, now: () => gadget.clock.elapsed() });
  const canvas = canvasOf(element, { title: app.title, messages, onBack: goBack });

  function show(shown: Shown): void {
    const before = gadget.document;
    gadget.shown = shown;
    canvas.set(awayFor(shown));
    if (gadget.document === before) place.update();
    else place.reload();
  }

  /** Where the site's own page is such a view, the gadget fills it already. */
  function awayFor(shown: Shown): Away | undefined {
    const wanted = topOf(shown.view);
    if (wanted === topOf(view)) return undefined;
    return wanted === 'canvas' ? 'large' : wanted === 'preferences' ? 'inPlace' : undefined;
  }

  /** Unless the site does something else instead. */
  function go(shown: Shown, isMeant: boolean): boolean {
    const address = addressOf(shown);
    if (!tell('gantry-navigate', { app: app.id, ...shown, href: address.href })) return false;
    // Without a click there is no way back either: an app must not fill the history.
    if (hasAddress && isMeant) history.pushState({ ...history.state, gantry: slot }, '', address);
    else if (hasAddress) history.replaceState(history.state, '', address);
    show(shown);
    return true;
  }

  function addressOf(shown: Shown): URL {
    const address = new URL(location.href);
    address.hash = writeView(address.hash, slot, isSame(shown, home) ? undefined : shown);
    return address;
  }

  function onHistory(): void {
    const shown = readView(location.hash, slot) ?? home;
    if (!isSame(shown, gadget.shown) && views.includes(topOf(shown.view))) show(shown);
  }

  function goBack(): void {
    if (hasAddress && history.state?.gantry === slot) {
      history.back(); // `popstate` does the rest
      return;
    }
    if (hasAddress) history.replaceState(history.state, '', addressOf(home)); // the page was opened here: there is nothing to go back to
    show(home);
  }

  if (hasAddress) addEventListener('popstate', onHistory);
  canvas.set(awayFor(gadget.shown));
  return {
    go(wanted) {
      const shown: Shown = { view: wanted, params: {} };
      if (isSame(shown, gadget.shown)) return;
      const before = gadget.document;
      if (!go(shown, true)) return;
      // The app's new document takes the focus over when it is ready.
      giveFocus(gadget.document === before ? frame : element.shadowRoot?.querySelector<HTMLElement>('.stage'));
    },
    actions: {
      async 'views.navigate'(wanted, params) {
        if (!mayTry()) throw new SocialError('RATE_LIMITED', 'The app changes its view too often.');
        const shown = checkView(wanted, asText(params));
        if (!shown || !views.includes(topOf(shown.view))) {
          throw new SocialError(
            'BAD_REQUEST',
            `This app has the views ${views.join(', ')}, with at most 20 short parameters.`,
          );
        }
        if (isSame(shown, gadget.shown)) return true;
        const isMeant = await wasUsed(frame);
        if (!isMeant && topOf(shown.view) !== topOf(gadget.shown.view)) {
          throw new SocialError('FORBIDDEN', 'Another view opens only when the member has just used the app.');
        }
        if (!mayGo()) throw new SocialError('RATE_LIMITED', 'The app changes its view too often.');
        return go(shown, isMeant);
      },
    },
    leave: canvas.leave,
    end() {
      removeEventListener('popstate', onHistory);
      if (!element.isConnected) canvas.set();
    },
  };
}

function isSame(a: Shown, b: Shown): boolean {
  return (
    a.view === b.view &&
    JSON.stringify(Object.entries(a.params).sort()) === JSON.stringify(Object.entries(b.params).sort())
  );
}

// As text, since that is what an address holds; objects as their JSON.
function asText(params: unknown): Record<string, string> {
  if (typeof params !== 'object' || params === null) return {};
  // One more than there may be, so that the others cost nothing.
  return Object.fromEntries(
    Object.entries(params)
      .slice(0, maxParams + 1)
      .map(([name, value]) => [name, typeof value === 'string' ? value : (JSON.stringify(value) ?? '')]),
  );
}
