import { expect, test } from 'vitest';
import { cachingOf } from '../../src/apps/file-caching.ts';

test.each([
  '/gantry/apps/a/assets/index-BkR3x9_a.js',
  '/gantry/apps/a/assets/index-2sXy-8Qz.css',
  '/gantry/apps/a/dist/assets/fonts/inter-latin-Dk7xQ2bT.woff2',
])('%s is named by a digest of its content', (path) => {
  expect(cachingOf(path)).toBe('public, max-age=31536000, immutable');
});

test.each([
  'assets/index.html',
  'assets/page-BkR3x9_a.html', // a document: its headers may change
  'assets/logo-BkR3x9_a.svg',
  'index-BkR3x9_a.js', // does not look like a build's
  'assets/BkR3x9_a.js',
  'assets/user-settings.js',
  'assets/photo-IMG_1234.jpg',
  'assets/report-20240131.png',
  'assets/cover-Release2.png',
  'assets/apple-iPhone12.png',
  'assets/lib-v1-2-3-4.js',
  'assets/a-deadbeef.js',
  'assets/index-BkR3x9_a.js.map',
  'assets/index-BkR3x9_a',
  'assets/-.js',
])('%s may change under its name', (path) => {
  expect(cachingOf(`/gantry/apps/a/${path}`)).toBe('no-cache');
});
