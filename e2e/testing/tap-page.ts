/** A site's page with an observed container, for the tap's contract. */
import type { GantryGadget } from '@gantry/container';
import { openContainer } from '@gantry/lab/page';
import type { Observed, ObservedAt } from '@gantry/wire';

export interface TapPage {
  /** Observations of `observe`, serialized at once. */
  readonly heard: string[];
  /** Adds a gadget; resolves when it is ready. */
  show(app: string, options?: { readonly inShadow?: boolean }): Promise<void>;
  gadget(index: number): GantryGadget;
  frame(index: number): Element | null;
}

declare global {
  interface Window {
    tapPage: TapPage;
  }
}

const gadgets: GantryGadget[] = [];
const heard: string[] = [];
const lab = { lab: new URLSearchParams(location.search).get('lab') ?? '' };
const { element } = openContainer({
  lab,
  persona: 'm-1',
  scenario: () => ({}),
  observe: (observed: Observed & ObservedAt) => void heard.push(JSON.stringify(observed)),
});

window.tapPage = {
  heard,
  async show(app, { inShadow = false } = {}) {
    const gadget = document.createElement(element) as GantryGadget;
    gadget.setAttribute('app', app);
    gadget.setAttribute('loading', 'eager');
    const ready = new Promise((resolve) => gadget.addEventListener('gantry-ready', resolve, { once: true }));
    gadgets.push(gadget);
    const place = document.body.appendChild(document.createElement('div'));
    (inShadow ? place.attachShadow({ mode: 'open' }) : place).append(gadget);
    await ready;
  },
  gadget: (index) => gadgets[index] as GantryGadget,
  frame: (index) => gadgets[index]?.shadowRoot?.querySelector('iframe') ?? null,
};
