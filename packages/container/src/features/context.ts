import type { Place } from '../gadget.ts';
import { themeAt, trackTheme } from '../load/theme.ts';
import type { Feature } from '../place.ts';
import { shortcutsAt } from '../shortcuts.ts';

const { timeZone: ownTimeZone } = Intl.DateTimeFormat().resolvedOptions();

/** Gives the app its instance, view, language, time zone, theme and shortcuts. */
export function createContext({ element, gadget, locale }: Place): Feature {
  return {
    context() {
      const { timeZone = ownTimeZone, locale: emulated, ...theme } = gadget.tools.emulate?.() ?? {};
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
