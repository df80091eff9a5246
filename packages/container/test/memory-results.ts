import type { ResultStorage } from '../src/storage.ts';

/** A storage whose content is at hand. Values are copied, as IndexedDB copies them. */
export function createMemoryResults(): ResultStorage & { readonly content: Map<string, unknown> } {
  const content = new Map<string, unknown>();
  return {
    content,
    entries: async () => structuredClone([...content]),
    async setMany(entries) {
      for (const [key, value] of entries) content.set(key, structuredClone(value));
    },
    async delMany(keys) {
      for (const key of keys) content.delete(key);
    },
    async clear() {
      content.clear();
    },
  };
}
