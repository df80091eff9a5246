import type { Report } from './report.ts';

/** A probe's finding about its surroundings. `detail` names everything that was reached. */
type Look = Required<Omit<Report, 'key'>>;

/** Tries to read everything around that a sandboxed app must not see. */
export async function lookAround(): Promise<readonly Look[]> {
  const isOpaque = self.origin === 'null';
  return [
    { claim: 'origin', outcome: isOpaque ? 'refused' : 'arrived', detail: self.origin },
    look(
      'document',
      await reached({
        'its document': () => parent.document.title,
        'its address': () => parent.location.href,
        'its storage': () => parent.localStorage.length,
        'the frame': () => frameElement?.id,
        'what stands at the top': () => top?.document.cookie,
      }),
    ),
    look(
      'cookies',
      await reached({
        'the site’s': () => onlyTrue(document.cookie.includes('gantry-self-test=')),
        'its own': () => {
          Reflect.set(document, 'cookie', 'gantry-self-test-app=1; Max-Age=10');
          return onlyTrue(document.cookie.includes('gantry-self-test-app='));
        },
      }),
    ),
    look(
      'storage',
      await reached({
        localStorage: () => localStorage.length,
        sessionStorage: () => sessionStorage.length,
        indexedDB: openDatabase,
        caches: async () => {
          await caches.open(name);
          return caches.delete(name);
        },
      }),
    ),
  ];
}

const name = 'gantry-self-test';

function look(claim: string, found: readonly string[]): Look {
  return { claim, outcome: found.length === 0 ? 'refused' : 'arrived', detail: found.join(', ') };
}

/** Returns the names of the tries that succeeded. */
async function reached(tries: Readonly<Record<string, () => unknown>>): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [what, attempt] of Object.entries(tries)) {
    try {
      if ((await attempt()) !== undefined) found.push(what);
    } catch {
      // refused, as it should be
    }
  }
  return found;
}

function onlyTrue(isThere: boolean): true | undefined {
  return isThere || undefined;
}

function openDatabase(): Promise<true> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(name);
    asked.onerror = () => reject(asked.error);
    asked.onsuccess = () => {
      asked.result.close();
      indexedDB.deleteDatabase(name);
      resolve(true);
    };
  });
}
