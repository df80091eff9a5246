import { expect, test } from 'vitest';
import { growth, mostGrowth } from '../../wire/test/growth.ts';
import { createAppCalls } from '../src/app-calls.ts';
import { countStrings } from '../src/count-strings.ts';
import { expectHello } from '../src/expect-hello.ts';
import { openFrame } from './page.ts';

// The work that the page does for a message, as long as its bounds allow and nine times shorter
// (security rule 25).

function reader() {
  const { methods } = createAppCalls({ answer: () => ({ ok: 1 }), actions: new Map(), pong: () => {} }, () => {});
  return methods.get('request') as (text: string) => unknown;
}

test('the cost of a batch grows with its requests', async () => {
  const request = reader();
  const prepare = (size: number) => {
    const text = JSON.stringify(Array.from({ length: size }, (_, id) => [id, 'people.get', '{"userId":"@viewer"}']));
    return () => expect(request(text)).toHaveLength(size);
  };
  expect(await growth(50, prepare)).toBeLessThan(mostGrowth);
});

test('the cost of a message grows with its strings, however they are chosen', async () => {
  const request = reader();
  const prepare = (size: number) => {
    const list = Array.from({ length: size }, (_, index) => String(1_000_013_824 + index * 65_536));
    const text = JSON.stringify([[1, 'people.get', '{}', { list }]]);
    return () => expect(request(text)).toHaveLength(1);
  };
  expect(await growth(550, prepare)).toBeLessThan(mostGrowth);
});

test.each(['"', '\\\\', '"\\\\"', '"a",'])('strings are counted in linear time: %s', async (part) => {
  const prepare = (size: number) => {
    const text = part.repeat(size);
    return () => countStrings(text, size);
  };
  expect(await growth(20_000, prepare)).toBeLessThan(mostGrowth);
});

test('messages to the window cost the same each, however deep the frame is that posts them', async () => {
  const { frame, page, app, post } = openFrame();
  expectHello({ frame, nonce: 'n1', window: page });
  const prepare = (size: number) => {
    let inner: unknown = app;
    for (let depth = 0; depth < size; depth++) inner = { parent: inner };
    return () => {
      for (let count = 0; count < size; count++) post({ data: 'any', source: inner });
    };
  };
  expect(await growth(200, prepare)).toBeLessThan(mostGrowth);
});

test('positive control: a count that looks from each quote for its end costs the square', async () => {
  const prepare = (size: number) => {
    const text = '"'.repeat(size);
    return () => {
      for (let index = 0; index < text.length; index++) text.slice(index).lastIndexOf("'");
    };
  };
  expect(await growth(2_000, prepare)).toBeGreaterThan(mostGrowth);
});
