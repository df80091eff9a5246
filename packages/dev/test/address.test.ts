import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAddress, patchSearch, readPageState } from '../page/address.ts';
import { labChange } from '../page/scenario-change.ts';

/** A window's address and history, enough of them for one page. */
function openWindow(search: string) {
  const entries = [search];
  let at = 0;
  let onPop = (): void => {};
  const go = (url: string | URL | null | undefined): string => new URL(String(url), 'http://h/').search;
  const window = {
    location: {
      pathname: '/',
      hash: '',
      get search() {
        return entries[at] ?? '';
      },
    },
    history: {
      state: null,
      pushState(_state: unknown, _title: string, url?: string | URL | null) {
        entries.splice(at + 1, entries.length, go(url));
        at += 1;
      },
    },
    addEventListener(_type: string, listener: () => void) {
      onPop = listener;
    },
  };
  return {
    window: window as unknown as Window,
    entries,
    back() {
      at -= 1;
      onPop();
    },
  };
}

test('each control is a parameter, its default none, and the back button goes one step back (address is state)', () => {
  const { window, entries, back } = openWindow('?theme=dark');
  const address = createAddress(window);
  const seen: unknown[] = [];
  address.subscribe(({ scenario }) => seen.push(scenario));
  address.set({ width: '360' });
  address.set({ theme: null, network: 'fast' });
  expect(entries).toEqual(['?theme=dark', '?theme=dark&width=360', '?width=360']);
  back();
  expect(seen).toEqual([{ width: 360, theme: 'dark' }, { width: 360 }, { width: 360, theme: 'dark' }]);
});

test('a wrong value stays in the address until its control is used, and so does what the page does not know', () => {
  const search = patchSearch('?width=wide&utm=1&params.tab=2', { theme: 'dark' });
  expect(search).toBe('?width=wide&utm=1&params.tab=2&theme=dark');
  expect(readPageState(search)).toMatchObject({
    scenario: { theme: 'dark', params: { tab: '2' } },
    problems: [{ name: 'width', value: 'wide' }],
  });
});

test('reset takes out the scenario with its problems, and leaves the app', () => {
  const { window, entries } = openWindow('?app=notes&width=wide&theme=dark&params.tab=2&beside=m-2');
  createAddress(window).reset();
  expect(entries.at(-1)).toBe('?app=notes');
});

test('a patch changes the parameters that it names and no other', () => {
  const names = fc.constantFrom('width', 'theme', 'a', 'b c', 'params.x');
  const values = fc.constantFrom('360', 'dark', 'ü&=', '');
  const pairs = fc.uniqueArray(fc.tuple(names, values), { selector: ([name]) => name });
  fc.assert(
    fc.property(
      pairs,
      fc.dictionary(names, fc.oneof(values, fc.constant(null)), { noNullPrototype: true }),
      (all, patch) => {
        const query = new URLSearchParams(patchSearch(`?${new URLSearchParams(all)}`, patch));
        const expected = { ...Object.fromEntries(all), ...patch };
        for (const [name, value] of Object.entries(expected)) {
          const isGone = Object.hasOwn(patch, name) && (value === null || value === '');
          expect(query.get(name)).toBe(isGone ? null : value);
        }
      },
    ),
  );
});

test('theme and width change the page only, clock and network and permissions the lab, and data and settings need a new lab', () => {
  expect(labChange({}, { theme: 'dark', width: 300, contrast: 'more', motion: 'reduce', direction: 'rtl' })).toEqual(
    {},
  );
  expect(labChange({}, { persona: 'm-2', owner: 'm-3', view: 'canvas' })).toEqual({});
  expect(labChange({ clock: 30 }, { clock: 90, network: 'slow' })).toEqual({ jumpMs: 60_000, network: 'slow' });
  expect(labChange({ permissions: 'none', network: 'slow' }, {})).toEqual({ permissions: 'all', network: 'fast' });
  for (const scenario of [{ world: 'empty' }, { api: '0.9.3' }, { albums: false }, { interval: 0 }] as const) {
    expect(labChange({}, scenario)).toBe('new');
  }
  expect(labChange({ clock: 60 }, { clock: 30 })).toBe('new');
});
