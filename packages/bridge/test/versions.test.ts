import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { release, type VersionRange } from '@gantry/wire';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commonVersion, mismatchOf, mismatchText, protocolVersions, readVersions } from '../src/versions.ts';

const ranges = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 20 }))
  .map(([least, more]): VersionRange => [least, least + more]);
const speaks = ([least, greatest]: VersionRange, version: number) => least <= version && version <= greatest;
const all = Array.from({ length: 70 }, (_, version) => version);

test('two sides use the greatest common version, in either order (security rule 2)', () => {
  fc.assert(
    fc.property(ranges, ranges, (app, page) => {
      const shared = all.filter((version) => speaks(app, version) && speaks(page, version));
      expect(commonVersion(app, page)).toBe(shared.at(-1));
      expect(commonVersion(page, app)).toBe(shared.at(-1));
    }),
  );
});

test('without a common version, the side whose greatest is too small is the one to update', () => {
  fc.assert(
    fc.property(ranges, ranges, (app, page) => {
      fc.pre(commonVersion(app, page) === undefined);
      expect(mismatchOf(app, {}, page).update).toBe(app[1] < page[0] ? 'app' : 'site');
    }),
  );
});

test('ranges are never junk, whatever a hello says, and reading them never throws (security rules 1 and 25)', () => {
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.array(fc.oneof(fc.anything(), fc.integer(), fc.double()))), (said) => {
      const range = readVersions(said);
      if (range === undefined) return;
      expect(range.every((number) => Number.isInteger(number) && number >= 1 && number <= 65_535)).toBe(true);
      expect(range[0]).toBeLessThanOrEqual(range[1]);
    }),
  );
});

test.for<[string, unknown, VersionRange | undefined]>([
  ['one version, as an SDK of 0.1.0 says it', [1], [1, 1]],
  ['least and greatest', [3, 4], [3, 4]],
  ['the other way round', [7, 1], [1, 7]],
  ['sixteen', Array(16).fill(2), [2, 2]],
  ['seventeen', Array(17).fill(2), undefined],
  ['none', [], undefined],
  ['no list', 1, undefined],
  ['nothing', undefined, undefined],
  ['what only looks like a list', { length: 1, 0: 1 }, undefined],
  ['a list with a hole', Object.assign([1], { length: 2 }), undefined],
  ['a fraction', [1.5], undefined],
  ['text', ['1'], undefined],
  ['zero', [0, 1], undefined],
  ['less than zero', [-1, 1], undefined],
  ['not a number', [Number.NaN, 1], undefined],
  ['no end', [1, Number.POSITIVE_INFINITY], undefined],
  ['the greatest number', [1, 65_535], [1, 65_535]],
  ['more than that', [1, 65_536], undefined],
  ['lists in the list', [[1]], undefined],
])('versions of a hello: %s (security rule 1)', ([, said, range]) => {
  expect(readVersions(said)).toEqual(range);
});

test('an app that is too new names the release that the site needs; one that is too old gets it from the page', () => {
  const tooNew = mismatchOf([3, 4], { sdk: '0.4.1', needs: '0.3.0' }, [1, 2]);
  expect(tooNew).toEqual({ app: [3, 4], page: [1, 2], update: 'site', needs: '0.3.0', sdk: '0.4.1' });
  expect(mismatchText(tooNew)).toBe(
    'The app speaks protocol 3–4, this page 1–2: the site needs Gantry 0.3.0 or later.',
  );
  const tooOld = mismatchOf([1, 1], { needs: '9.9.9' }, [2, 3]);
  expect(tooOld).toEqual({ app: [1, 1], page: [2, 3], update: 'app', needs: '0.1.0' });
  expect(mismatchText(tooOld)).toBe(
    'The app speaks protocol 1, this page 2–3: build the app with @gantry/osapi 0.1.0 or later.',
  );
});

test.for<[unknown, boolean]>([
  ['0.3.0', true],
  ['10.20.3000', true],
  ['1.0.0-rc.1', true],
  ['0.3', false],
  ['0.3.0 ', false],
  ['0.3.0\n', false],
  ['<b>0.3.0</b>', false],
  ['1.0.0-call.me', false],
  ['12345.0.0', false],
  [`0.3.0${'0'.repeat(100_000)}`, false],
  [{ toString: () => '0.3.0' }, false],
  [['0.3.0'], false],
  [null, false],
])('the release that an app names is shown only if it is one: %s (security rule 7)', ([said, isShown]) => {
  const { needs, sdk } = mismatchOf([9, 9], { needs: said, sdk: said });
  expect([needs, sdk]).toEqual(isShown ? [said, said] : [undefined, undefined]);
  const text = mismatchText(mismatchOf([9, 9], { needs: said }));
  if (!isShown) expect(text).toBe('The app speaks protocol 9, this page 1: the site needs Gantry in a later version.');
});

test('the release that a hello names is that of the packages', async () => {
  const packages = globSync(new URL('../../*/package.json', import.meta.url).pathname);
  expect(packages.length).toBeGreaterThan(8);
  for (const file of packages) expect(JSON.parse(await readFile(file, 'utf8')).version, file).toBe(release);
});

test('the versions of this code are a range that it accepts', () => {
  expect(readVersions(protocolVersions)).toEqual(protocolVersions);
});
