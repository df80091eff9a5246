import { mount } from '@gantry/testing/browser';
import { expect, test } from 'vitest';

test('shows a gadget in the page of Vitest, with the site in Node', async () => {
  const gadget = await mount('tally', { persona: 'mate' });
  await gadget.settled();
  expect(await gadget.text(gadget.frame.getByRole('heading'))).toBe('Tally of Olu');
  expect(gadget.calls.map(({ operation }) => operation)).toEqual(['people.get', 'appdata.get']);
  expect(gadget.refusals).toEqual([]);
});

test('has a site of its own in each test, which keeps what an app writes', async () => {
  const gadget = await mount();
  await gadget.settled();
  await gadget.frame.getByRole('button', { name: 'Count' }).click();
  await gadget.settled();
  expect(await gadget.social.as('skipper').appData('tally')).toEqual({ count: '1' });
  await gadget.reload();
  await gadget.settled();
  expect(await gadget.text(gadget.frame.getByText('1 counted'))).toBe('1 counted');
});

test('lets a test break the site and move the time', async () => {
  const gadget = await mount();
  await gadget.settled();
  expect(await gadget.text(gadget.frame.getByText('0 counted'))).toBe('0 counted');
  const before = gadget.clock.now();
  await gadget.clock.jump('1 d');
  expect(gadget.clock.now() - before).toBeGreaterThanOrEqual(86_400_000);
  await gadget.faults.once('appdata.update').fail(500);
  await gadget.frame.getByRole('button', { name: 'Count' }).click();
  await gadget.text(gadget.frame.getByText('Not kept: 500'));
  await expect.poll(() => gadget.calls.at(-1)?.error?.code).toBe(500);
});
