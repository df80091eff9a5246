import type { ContainerStorage, OutboxStorage, ResultStorage, TextStorage } from './storage.ts';

/**
 * Makes a storage that is gone with its page, for tools and tests. Copies values, as IndexedDB
 * does.
 */
export function createMemoryStorage(): ContainerStorage {
  return {
    results: createResults(),
    writes: createWaitingWrites(),
    sessionStorage: createTexts(),
    localStorage: createTexts(),
  };
}

function createResults(): ResultStorage {
  const content = new Map<string, unknown>();
  return {
    entries: async () => structuredClone([...content]),
    async setMany(entries) {
      for (const [key, value] of entries) content.set(key, structuredClone(value));
    },
    async delMany(keys) {
      for (const key of keys) content.delete(key);
    },
    clear: async () => content.clear(),
  };
}

function createWaitingWrites(): OutboxStorage {
  const content = new Map<string, unknown>();
  return {
    all: async () => structuredClone([...content.values()]),
    get: async (key) => structuredClone(content.get(key)),
    put: async (key, entry) => void content.set(key, structuredClone(entry)),
    remove: async (key) => void content.delete(key),
    clear: async () => content.clear(),
  };
}

function createTexts(): TextStorage {
  const content = new Map<string, string>();
  return {
    get length() {
      return content.size;
    },
    key: (index) => [...content.keys()][index] ?? null,
    getItem: (key) => content.get(key) ?? null,
    setItem: (key, text) => void content.set(key, text),
    removeItem: (key) => void content.delete(key),
  };
}
