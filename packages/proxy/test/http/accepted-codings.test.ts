import fc from 'fast-check';
import { expect, test } from 'vitest';
import { acceptedCodings } from '../../src/http/accepted-codings.ts';

test.each<[string | null, readonly string[]]>([
  [null, ['identity']],
  ['', ['identity']],
  ['gzip, deflate, br, zstd', ['br', 'gzip', 'identity']],
  ['GZip;Q=0.5', ['gzip', 'identity']],
  ['br;q=0.2, gzip;q=0.8', ['gzip', 'br', 'identity']],
  ['br;q=0.5, identity', ['identity', 'br']],
  ['br;q=0.5, gzip;q=0.1, identity;q=0.3', ['br', 'identity', 'gzip']],
  ['*', ['br', 'gzip', 'identity']],
  ['identity;q=1, *;q=0', ['identity']], // Chromium sends this for films
  ['br;q=0, *;q=0.1', ['gzip', 'identity']],
  ['gzip;q=0.000', ['identity']],
  ['identity;q=0', ['identity']], // nothing else can be sent
  ['br;q=2, gzip;q=x, gzip ; q=1 ; x', ['identity']],
])('%j is answered with %j (RFC 9110 §12.5.3)', (header, codings) => {
  expect(acceptedCodings(header)).toEqual(codings);
});

test('any header yields identity and the codings above weight 0, by weight', () => {
  const weight = fc.constantFrom('0', '0.0', '0.001', '0.5', '1', '1.000');
  const name = fc.constantFrom('br', 'gzip', 'identity', '*', 'zstd');
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(name, weight), { selector: ([coding]) => coding }), (items) => {
      const weights = new Map<string, number>(items.map(([coding, text]) => [coding, Number(text)]));
      const weightOf = (coding: string) => weights.get(coding) ?? (coding === 'identity' ? 0 : (weights.get('*') ?? 0));
      const codings = acceptedCodings(items.map(([coding, text]) => `${coding};q=${text}`).join(', '));
      const expected = ['br', 'gzip', 'identity'].filter((coding) => coding === 'identity' || weightOf(coding) > 0);
      expect([...codings].sort()).toEqual(expected.sort());
      const order = codings.map(weightOf);
      expect(order).toEqual([...order].sort((a, b) => b - a));
    }),
  );
  fc.assert(fc.property(fc.string(), (header) => acceptedCodings(header).includes('identity')));
});
