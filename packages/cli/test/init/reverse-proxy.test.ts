import { gantryPaths } from '@gantry/wire';
import { expect, test } from 'vitest';
import { caddyFile, nginxLocations } from '../../src/init/reverse-proxy.ts';

const closed = ['/healthz', '/readyz', '/metrics'];

test.each([
  ['nginx', /location ~ (\S+) \{/, nginxLocations()],
  ['Caddy', /@gantry path_regexp (\S+)$/m, caddyFile({ url: 'http://localhost:8080', sitePort: 5000 })],
])(
  '%s passes each path of Gantry on, with all below it and nothing beside it (site owner’s guide)',
  (_, place, text) => {
    const passes = new RegExp(place.exec(text)?.[1] ?? '');
    for (const path of gantryPaths) {
      const isOpen = !closed.includes(path);
      expect([path, passes.test(path), passes.test(`${path}/below`)]).toEqual([path, isOpen, isOpen]);
      expect(passes.test(`${path}x`)).toBe(false);
    }
    expect(passes.test('/openapi-json')).toBe(false);
  },
);
