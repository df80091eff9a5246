import { expect, test } from 'vitest';
import { callsBase } from '../../src/calls/calls-base.ts';

const page = { href: 'https://site.test/members/home' };

test('calls go where container.js was served, also below a path of a reverse proxy', () => {
  expect(callsBase('https://site.test/gantry/container.js', page).href).toBe('https://site.test/gantry/');
  expect(callsBase('https://site.test/social/gantry/container.js', page).href).toBe('https://site.test/social/gantry/');
});

test("a site's own bundle lies in another folder: its calls go to /gantry/ of the page", () => {
  const bundles = ['/assets/index-BE0mdC77.js', '/node_modules/@gantry/container/dist/container.js'];
  for (const path of bundles) {
    expect(callsBase(`https://site.test${path}`, page).href).toBe('https://site.test/gantry/');
  }
});

test('a server that imports the script has a base too, although it calls nothing', () => {
  expect(callsBase('file:///srv/node_modules/@gantry/container/dist/container.js', undefined).protocol).toBe('file:');
});
