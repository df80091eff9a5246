import { expect, test } from 'vitest';
import { isLocalHost } from '../src/runtime/index.ts';

test.each(['localhost', 'x.apps.localhost', '127.0.0.1', '127.9.9.9', '[::1]'])('%s is this machine', (host) => {
  expect(isLocalHost(host)).toBe(true);
});

test.each(['localhost.example', '127.0.0.1.example', '127.evil.example', '10.0.0.7', 'notlocalhost', '[::2]', ''])(
  '%s is not',
  (host) => {
    expect(isLocalHost(host)).toBe(false);
  },
);
