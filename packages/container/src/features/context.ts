import type { Theme } from '@gantry/bridge';
import type { Feature, Place } from '../place.ts';
import { shortcutsAt } from '../shortcuts.ts';

/** What an app learns of its page: language, time zone, how things look, and where in itself it is. */
export function createContext({ element, gadget, locale }: Place): Feature {
  return {
    context: () => ({
      instance: gadget.instance,
      ...gadget.shown,
      locale: element.closest<HTMLElement>('[lang]')?.lang || locale,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      theme: readTheme(element),
      shortcuts: shortcutsAt(element),
    }),
  };
}

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

/**
 * How the site looks where `element` stands. The browser itself computes each colour: what comes out is one, whatever the
 * site's variables hold, and follows the scheme that applies there.
 */
function readTheme(element: HTMLElement): Theme {
  const probe = document.createElement('i');
  probe.hidden = true;
  for (const [name, slot] of Object.entries(slots)) probe.style.setProperty(slot, `var(--_${name})`);
  probe.style.setProperty(scheme, 'light-dark(#fff,#000)');
  element.shadowRoot?.append(probe);
  const look = getComputedStyle(probe);
  const theme = {
    scheme: look.getPropertyValue(scheme).includes('255') ? 'light' : 'dark',
    contrast: matchMedia('(prefers-contrast:more),(forced-colors:active)').matches ? 'more' : 'normal',
    motion: matchMedia('(prefers-reduced-motion:reduce)').matches ? 'reduce' : 'full',
    direction: look.direction,
    ...Object.fromEntries(Object.entries(slots).map(([name, slot]) => [name, look.getPropertyValue(slot)])),
  } as Theme;
  probe.remove();
  return theme;
}
