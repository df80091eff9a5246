import type { Place } from '../gadget.ts';
import { themeAt, trackTheme } from '../load/theme.ts';
import type { Feature } from '../place.ts';
import { shortcutsAt } from '../shortcuts.ts';

/** Gives the app its instance, view, language, time zone, theme and shortcuts. */
export function createContext({ element, gadget, locale }: Place): Feature {
  return {
    context() {
      const { timeZone = ownTimeZone(), locale: emulated, ...theme } = gadget.tools.emulate?.() ?? {};
      return {
        instance: gadget.instance,
        ...gadget.shown,
        locale: emulated ?? (element.closest<HTMLElement>('[lang]')?.lang || locale),
        timeZone,
        theme: { ...themeAt(element), ...theme },
        shortcuts: shortcutsAt(element),
      };
    },
    end: trackTheme(element),
  };
}

/** Returns the browser's time zone, where it can without the first format: that takes 25 ms. */
function ownTimeZone(): string {
  const { Temporal } = globalThis as { readonly Temporal?: { readonly Now: { timeZoneId(): string } } };
  return Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}
