import type { Theme } from '@gantry/bridge';

// Properties of a hidden probe that take a colour.
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

/** Gadgets whose apps know the theme. */
const elements = new Set<HTMLElement>();
let themes = new WeakMap<HTMLElement, Theme>(); // gadgets that are gone are not kept
let readAtMs = Number.NEGATIVE_INFINITY;

/** Keeps the theme of an element at hand. Returns the end of it. */
export function trackTheme(element: HTMLElement): () => void {
  elements.add(element);
  return () => elements.delete(element);
}

/** Forgets themes after a change of the page. */
export function forgetThemes(): void {
  readAtMs = Number.NEGATIVE_INFINITY;
}

/**
 * Returns the site's theme at `element`. Reads all gadgets together: each read by itself would
 * compute the styles of the page anew.
 */
export function themeAt(element: HTMLElement): Theme {
  if (performance.now() > readAtMs + freshMs || !themes.has(element)) {
    const probes = [...elements].map((element) => [element, probeIn(element)] as const);
    themes = new WeakMap(probes.map(([element, probe]) => [element, themeOf(probe)]));
    for (const [, probe] of probes) probe.remove();
    readAtMs = performance.now();
  }
  return themes.get(element) as Theme;
}

function probeIn(element: HTMLElement): HTMLElement {
  const probe = document.createElement('i');
  probe.hidden = true;
  for (const [name, slot] of Object.entries(slots)) probe.style.setProperty(slot, `var(--_${name})`);
  probe.style.setProperty(scheme, 'light-dark(#fff,#000)');
  element.shadowRoot?.append(probe);
  return probe;
}

/** Reads colours that the browser computed, whatever the site's variables hold. */
function themeOf(probe: HTMLElement): Theme {
  const style = getComputedStyle(probe);
  return {
    scheme: style.getPropertyValue(scheme).includes('255') ? 'light' : 'dark',
    contrast: matchMedia('(prefers-contrast:more),(forced-colors:active)').matches ? 'more' : 'normal',
    motion: matchMedia('(prefers-reduced-motion:reduce)').matches ? 'reduce' : 'full',
    direction: style.direction,
    ...Object.fromEntries(Object.entries(slots).map(([name, slot]) => [name, style.getPropertyValue(slot)])),
  } as Theme;
}
