import { expect, test } from 'vitest';
import { explain } from '../src/chrome/explain.ts';

const document = 'https://apps.example/gantry/apps/friends/index.html';

test('authors are told what keeps an app from starting, as far as the page can know it', () => {
  expect(explain({ why: 'blocked', loaded: false }, document)).toContain(
    'frame-src for https://apps.example/gantry/apps/',
  );
  expect(explain({ why: 'silent', loaded: true }, document)).toMatch(/must load \/gantry\/osapi\.js/);
  expect(explain({ why: 'silent', loaded: false }, document)).toContain(`Nothing loaded from ${document} in time`);
  expect(explain({ why: 'flood', loaded: true }, document)).toBeUndefined();
});
