import { keepLook, lookOf } from '../look.ts';
import type { Feature, Place } from '../place.ts';
import { shortcutsAt } from '../shortcuts.ts';

const { timeZone: ownTimeZone } = Intl.DateTimeFormat().resolvedOptions();

/** What an app learns of its page: language, time zone, how things look, and where in itself it is. */
export function createContext({ element, gadget, locale }: Place): Feature {
  return {
    context() {
      const look = gadget.tools.look?.() ?? {};
      const { timeZone = ownTimeZone, locale: language = languageAt(element) || locale, ...theme } = look;
      return {
        instance: gadget.instance,
        ...gadget.shown,
        locale: language,
        timeZone,
        theme: { ...lookOf(element), ...theme },
        shortcuts: shortcutsAt(element),
      };
    },
    end: keepLook(element),
  };
}

function languageAt(element: HTMLElement): string | undefined {
  return element.closest<HTMLElement>('[lang]')?.lang;
}
