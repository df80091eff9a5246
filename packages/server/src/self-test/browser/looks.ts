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

function look(claim: string, names: readonly string[]): Look {
  return { claim, outcome: names.length === 0 ? 'refused' : 'arrived', detail: names.join(', ') };
}

/** Returns the names of the tries that succeeded. */
async function reached(tries: Readonly<Record<string, () => unknown>>): Promise<readonly string[]> {
  const names: string[] = [];
  for (const [what, attempt] of Object.entries(tries)) {
    try {
      if ((await attempt()) !== undefined) names.push(what);
    } catch {
      // refused, as it should be
    }
  }
  return names;
}

function onlyTrue(isThere: boolean): true | undefined {
  return isThere || undefined;
}

function openDatabase(): Promise<true> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name);
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      request.result.close();
      indexedDB.deleteDatabase(name);
      resolve(true);
    };
  });
}
