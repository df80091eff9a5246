import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkView, readView, writeView } from '../../src/chrome/view-address.ts';

const shown = { view: 'canvas.map', params: { tab: '2', q: 'ä & b=c?#' } };

test('a view is one part of the fragment, with its parameters', () => {
  expect(writeView('', 'friends', { view: 'canvas', params: { tab: '2' } })).toBe('#gantry.friends=canvas%3Ftab%3D2');
  expect(readView('#gantry.friends=canvas%3Ftab%3D2', 'friends')).toEqual({ view: 'canvas', params: { tab: '2' } });
});

test('the rest of the fragment stays, and other gadgets’ views too', () => {
  const hash = writeView('#/route&gantry.notes=canvas', 'friends', shown);
  expect(readView(hash, 'notes')).toEqual({ view: 'canvas', params: {} });
  expect(hash.startsWith('#/route&gantry.notes=canvas&')).toBe(true);
  expect(writeView(hash, 'friends', undefined)).toBe('#/route&gantry.notes=canvas');
  expect(writeView('#gantry.friends=canvas', 'friends', undefined)).toBe('');
});

test.each([
  '',
  '#',
  '#gantry.friends',
  '#gantry.friends=',
  '#gantry.friends=%',
  '#gantry.friends=a%2Fb',
  '#gantry.friend=home',
])('%s is no place of friends', (hash) => expect(readView(hash, 'friends')).toBeUndefined());

test('a place has at most 20 parameters and 2,000 characters of them', () => {
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`p${index}`, '']));
  expect(checkView('canvas', many)).toBeUndefined();
  expect(checkView('canvas', { q: 'x'.repeat(1_999) })).toBeDefined();
  expect(checkView('canvas', { q: 'x'.repeat(2_000) })).toBeUndefined();
  expect(checkView({ toString: () => 'canvas' }, {})).toBeUndefined();
});

test('readView reads every view that writeView writes', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 20 });
  const view = fc.stringMatching(/^[A-Za-z0-9_.-]{1,64}$/);
  fc.assert(
    fc.property(text, view, fc.dictionary(text, text, { maxKeys: 8 }), text, (slot, name, params, other) => {
      const hash = writeView(`#${encodeURIComponent(other)}`, slot, { view: name, params });
      expect(readView(hash, slot)).toEqual({ view: name, params: { ...params } });
    }),
  );
});
