import { checkManifest } from '@gantry/proxy';
import { expect, test } from 'vitest';
import { versionDifference } from '../../src/registry/version-difference.ts';

const manifest = (more: object = {}) => checkManifest({ name: 'Quiz', page: 'index.html', ...more });
const live = (more: object = {}) => ({ version: 'a'.repeat(64), manifest: manifest(more) });

test('a first version adds all that it declares, in the words that members read', () => {
  const { from, permissions, hosts, losesData } = versionDifference(
    manifest({ uses: ['people.get'], hosts: ['https://images.example'] }),
    undefined,
  );
  expect(from).toBeNull();
  expect(permissions).toEqual({
    added: [{ name: 'people', says: expect.stringMatching(/^[A-Z].* /), required: true }],
    removed: [],
  });
  expect(hosts).toEqual({ added: ['https://images.example'], removed: [] });
  expect(losesData).toBe(false);
});

test('a permission that becomes required is a difference, and one that stays is none', () => {
  const before = live({
    uses: ['people.get'],
    optional: { uses: ['activities.create'] },
    hosts: ['https://a.example'],
  });
  const after = manifest({ uses: ['people.get', 'activities.create'], hosts: ['https://b.example'] });
  const { permissions, hosts } = versionDifference(after, before);
  expect(permissions.added).toMatchObject([{ name: 'activities.post', required: true }]);
  expect(permissions.removed).toMatchObject([{ name: 'activities.post', required: false }]);
  expect(hosts).toEqual({ added: ['https://b.example'], removed: ['https://a.example'] });
  expect(versionDifference(before.manifest, before).permissions).toEqual({ added: [], removed: [] }); // control
});

test('data that becomes less is said', () => {
  expect(versionDifference(manifest({ data: 1 }), live({ data: 2 }))).toMatchObject({
    data: { from: 2, to: 1 },
    losesData: true,
  });
  expect(versionDifference(manifest({ data: 2 }), live({ data: 1 })).losesData).toBe(false);
});
