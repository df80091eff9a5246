import { SocialError } from '@gantry/wire';
import type { Actions, Place, Shown } from '../gadget.ts';
import { wasUsed } from './activation.ts';
import { type CanvasMode, createCanvas } from './canvas.ts';
import { giveFocus } from './give-focus.ts';
import { createSlidingWindow } from './sliding-window.ts';
import { checkView, maxParams, readView, slotOf, writeView } from './view-address.ts';
import { topOf } from './view-name.ts';

/**
 * Lets an app navigate to another of its views. The site may prevent it in `gantry-navigate`;
 * otherwise the view becomes part of the page's address, for links and the back button.
 */
export function createNavigation(place: Place): {
  readonly actions: Actions<'views.navigate'>;
  /** Opens a view that the member chose. */
  go(view: string): void;
  /** Leaves the large view, if it is open. */
  leave(): void;
  end(): void;
} {
  const { element, frame, gadget, messages, dispatch } = place;
  const { app, view, views } = gadget.context;
  const slot = slotOf(element);
  const { address: hasAddress = true, params: homeParams = {} } = gadget.tools;
  const home: Shown = { view, params: homeParams };
  const mayTry = createSlidingWindow({ count: 20, perMs: 1_000, now: () => performance.now() }); // on the machine's clock, whose time it costs
  const mayGo = createSlidingWindow({ count: 10, perMs: 10_000, now: () => gadget.clock.elapsed() });
  const canvas = createCanvas(element, { title: app.title, messages, onBack: goBack });

  function show(shown: Shown): void {
    const before = gadget.document;
    gadget.shown = shown;
    canvas.set(canvasModeFor(shown));
    if (gadget.document === before) place.update();
    else place.reload();
  }

  /** Returns no mode on a page whose own view is of that kind: the gadget fills it already. */
  function canvasModeFor(shown: Shown): CanvasMode | undefined {
    const kind = topOf(shown.view);
    if (kind === topOf(view)) return undefined;
    return kind === 'canvas' ? 'large' : kind === 'preferences' ? 'inPlace' : undefined;
  }

  /** Opens a view. Returns false if the site prevented it. */
  function go(shown: Shown, isMeant: boolean): boolean {
    const address = addressOf(shown);
    if (!dispatch('gantry-navigate', { app: app.id, ...shown, href: address.href })) return false;
    // No history entry without a click: an app must not fill the history.
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
      history.back(); // continues in onHistory
      return;
    }
    if (hasAddress) history.replaceState(history.state, '', addressOf(home)); // the page was opened at this view: there is no entry to go back to
    show(home);
  }

  if (hasAddress) addEventListener('popstate', onHistory);
  canvas.set(canvasModeFor(gadget.shown));
  return {
    go(name) {
      const shown: Shown = { view: name, params: {} };
      if (isSame(shown, gadget.shown)) return;
      const before = gadget.document;
      if (!go(shown, true)) return;
      // A new document takes the focus from the pane when it is ready.
      giveFocus(gadget.document === before ? frame : element.shadowRoot?.querySelector<HTMLElement>('.pane'));
    },
    actions: {
      async 'views.navigate'(name, params) {
        if (!mayTry()) throw new SocialError('RATE_LIMITED', 'The app changes its view too often.');
        const shown = checkView(name, asText(params));
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

// Addresses hold text only; other values become JSON.
function asText(params: unknown): Record<string, string> {
  if (typeof params !== 'object' || params === null) return {};
  // One more than allowed is enough to refuse them, without converting the rest.
  return Object.fromEntries(
    Object.entries(params)
      .slice(0, maxParams + 1)
      .map(([name, value]) => [name, typeof value === 'string' ? value : (JSON.stringify(value) ?? '')]),
  );
}
