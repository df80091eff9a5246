import { expect, test } from 'vitest';
import { connect } from '../../bridge/test/page.ts';
import { createAppApi } from '../src/create-app-api.ts';
import { createGadgets } from '../src/create-gadgets.ts';

function open() {
  const heights: unknown[] = [];
  const document = Object.assign(new EventTarget(), { readyState: 'loading' });
  const { connection: app } = connect({
    actions: new Map([['adjustHeight', (height: unknown) => heights.push(height)]]),
  });
  return { gadgets: createGadgets(app, document as unknown as Document, createAppApi(app)), app, document, heights };
}

test('adjustHeight takes pixels, and ignores 0 and non-numbers (app surface)', async () => {
  const { gadgets, app, heights } = open();
  for (const height of [300, '250', 120.2, 0, -5, Number.NaN, Number.POSITIVE_INFINITY, 'tall', null]) {
    gadgets.window.adjustHeight(height as number);
  }
  await app.act('adjustHeight', 'last');
  expect(heights).toEqual([300, 250, 121, 'last']);
});

test('onload handlers run when the document is parsed and the app welcomed (app surface)', async () => {
  const { gadgets, app, document } = open();
  const order: string[] = [];
  const ran = new Promise<void>((resolve) => {
    gadgets.util.registerOnLoadHandler(() => resolve(void order.push('handler')));
  });
  await app.welcome;
  await app.act('anything');
  order.push('parsed');
  document.dispatchEvent(new Event('DOMContentLoaded'));
  await ran;
  expect(order).toEqual(['parsed', 'handler']);
});

test('an onload handler that is registered later runs too (app surface)', async () => {
  const { gadgets, document } = open();
  document.dispatchEvent(new Event('DOMContentLoaded'));
  await new Promise<void>((resolve) => gadgets.util.registerOnLoadHandler(resolve));
  await new Promise<void>((resolve) => gadgets.util.registerOnLoadHandler(resolve));
});
