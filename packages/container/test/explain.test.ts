import { expect, test } from 'vitest';
import { explain } from '../src/chrome/explain.ts';

const document = 'https://apps.example/gantry/apps/friends/index.html';

test('authors are told what keeps an app from starting, as far as the page can know it', () => {
  expect(explain('blocked', { document })).toMatch(/frame-src for https:\/\/apps\.example\/gantry\/apps\//);
  expect(explain('silent', { document, loaded: true })).toMatch(/must load \/gantry\/osapi\.js/);
  expect(explain('silent', { document, loaded: false })).toContain(`Nothing loaded from ${document} in time`);
  expect(explain('flood', { document })).toBeUndefined();
});
