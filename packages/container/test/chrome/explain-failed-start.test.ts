import { expect, test } from 'vitest';
import { explainFailedStart } from '../../src/chrome/explain-failed-start.ts';

const document = 'https://apps.example/gantry/apps/friends/index.html';

test('explains to authors why an app did not start, as far as the page can know', () => {
  expect(explainFailedStart({ why: 'blocked', loaded: false }, document)).toContain(
    'frame-src for https://apps.example/gantry/apps/',
  );
  expect(explainFailedStart({ why: 'silent', loaded: true }, document)).toMatch(/Load \/gantry\/osapi\.js/);
  expect(explainFailedStart({ why: 'silent', loaded: true }, 'https://own.example/a.html')).toMatch(/Copy .*osapi\.js/);
  expect(explainFailedStart({ why: 'silent', loaded: false }, document)).toContain(
    `Nothing loaded from ${document} in time`,
  );
  expect(explainFailedStart({ why: 'silent', loaded: true }, document, true)).toMatch(
    /^This page sends Cross-Origin-Embedder-Policy/,
  );
  expect(explainFailedStart({ why: 'flood', loaded: true }, document)).toBeUndefined();
});
