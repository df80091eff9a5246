import type { Theme } from '@gantry/bridge';

// Any property will do that takes a colour and shows nothing here.
const slots = {
  surface: 'color',
  ink: 'background-color',
  muted: 'border-top-color',
  line: 'border-left-color',
  accent: 'outline-color',
  'on-accent': 'column-rule-color',
  radius: 'border-top-left-radius',
} as const;
const scheme = 'text-decoration-color';
const freshMs = 1_000;

/** Gadgets of the page whose apps know, or will know, how it looks. */
const elements = new Set<HTMLElement>();
let looks = new WeakMap<HTMLElement, Theme>(); // gadgets that are gone are not kept
let lookedAtMs = Number.NEGATIVE_INFINITY;

/** @returns Ends it. */
export function keepLook(element: HTMLElement): () => void {
  elements.add(element);
  return () => elements.delete(element);
}

/** Something on the page looks different now. */
export function forgetLooks(): void {
  lookedAtMs = Number.NEGATIVE_INFINITY;
}

/**
 * How the site looks where `element` stands. All gadgets are looked at together: each look by itself would have the browser
 * compute the styles of the page anew.
 */
export function lookOf(element: HTMLElement): Theme {
  if (performance.now() > lookedAtMs + freshMs || !looks.has(element)) {
    const probes = [...elements].map((element) => [element, probeIn(element)] as const);
    looks = new WeakMap(probes.map(([element, probe]) => [element, themeOf(probe)]));
    for (const [, probe] of probes) probe.remove();
    lookedAtMs = performance.now();
  }
  return looks.get(element) as Theme;
}

function probeIn(element: HTMLElement): HTMLElement {
  const probe = document.createElement('i');
  probe.hidden = true;
  for (const [name, slot] of Object.entries(slots)) probe.style.setProperty(slot, `var(--_${name})`);
  probe.style.setProperty(scheme, 'light-dark(#fff,#000)');
  element.shadowRoot?.append(probe);
  return probe;
}

/** The browser itself computes each colour: what comes out is one, whatever the site's variables hold, and follows the scheme that applies there. */
function themeOf(probe: HTMLElement): Theme {
  const look = getComputedStyle(probe);
  return {
    scheme: look.getPropertyValue(scheme).includes('255') ? 'light' : 'dark',
    contrast: matchMedia('(prefers-contrast:more),(forced-colors:active)').matches ? 'more' : 'normal',
    motion: matchMedia('(prefers-reduced-motion:reduce)').matches ? 'reduce' : 'full',
    direction: look.direction,
    ...Object.fromEntries(Object.entries(slots).map(([name, slot]) => [name, look.getPropertyValue(slot)])),
  } as Theme;
}
