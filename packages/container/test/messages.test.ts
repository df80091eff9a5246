import { expect, test } from 'vitest';
import { de } from '../src/messages/de.ts';
import { en } from '../src/messages/en.ts';
import { fill } from '../src/messages/messages.ts';

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

test.each(Object.keys(en) as (keyof typeof en)[])('%s names the same placeholders in both languages', (key) => {
  expect(de[key]).not.toBe('');
  expect(placeholders(de[key])).toEqual(placeholders(en[key]));
});

test('both languages have the same texts and no other', () => {
  expect(Object.keys(de)).toEqual(Object.keys(en));
});

test('fills in values as they are, also those that look like placeholders', () => {
  expect(fill('{a} and {b}', { a: '{b}', b: '$&' })).toBe('{b} and $&');
  expect(fill('{a} and {other}', { a: '1' })).toBe('1 and {other}');
});
