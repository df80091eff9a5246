import { expect, test } from 'vitest';
import { chromeDe } from '../src/messages/chrome-de.ts';
import { chromeEn } from '../src/messages/chrome-en.ts';
import { consentEn } from '../src/messages/consent-en.ts';
import { de } from '../src/messages/de.ts';
import { en } from '../src/messages/en.ts';
import { fill } from '../src/messages/messages.ts';

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

const english: Readonly<Record<string, string>> = { ...en, ...chromeEn };
const german: Readonly<Record<string, string>> = { ...de, ...chromeDe };

test.each(Object.keys(english))('%s names the same placeholders in both languages', (key) => {
  expect(german[key]).toBeTruthy();
  expect(placeholders(german[key] ?? '')).toEqual(placeholders(english[key] ?? ''));
});

test('both languages have the same texts and no other', () => {
  expect(Object.keys(german).sort()).toEqual(Object.keys(english).sort());
});

test('no text stands in two files of a language', () => {
  const { language: _, ...consent } = consentEn; // each is fetched without the other
  const keys = [en, chromeEn, consent].flatMap((texts) => Object.keys(texts));
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});

test('fills in values as they are, also those that look like placeholders', () => {
  expect(fill('{a} and {b}', { a: '{b}', b: '$&' })).toBe('{b} and $&');
  expect(fill('{a} and {other}', { a: '1' })).toBe('1 and {other}');
});
