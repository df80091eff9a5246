import { createTape } from '@gantry/lab/tape';
import { mount, replay } from '@gantry/testing/browser';
import { expect, test } from 'vitest';

test('shows a gadget in the page of Vitest, with the site in Node (ADR 59)', async () => {
  const gadget = await mount('tally', { persona: 'mate' });
  await gadget.settled();
  expect(await gadget.text(gadget.frame.getByRole('heading'))).toBe('Tally of Olu');
  expect(gadget.calls.map(({ operation }) => operation)).toEqual(['people.get', 'appdata.get']);
  expect(gadget.refusals).toEqual([]);
});

test('has a site of its own in each test, which keeps what an app writes', async () => {
  const gadget = await mount('tally');
  await gadget.settled();
  await gadget.frame.getByRole('button', { name: 'Count' }).click();
  await gadget.settled();
  expect(await gadget.social.as('skipper').appData('tally')).toEqual({ count: '1' });
  await gadget.reload();
  await gadget.settled();
  expect(await gadget.text(gadget.frame.getByText('1 counted'))).toBe('1 counted');
});

test('lets a test break the site and move the time', async () => {
  const gadget = await mount('tally');
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

test('replays a tape: the app gets the recorded replies, and another call fails with the difference', async () => {
  const gadget = await mount('tally');
  await gadget.settled();
  await gadget.frame.getByRole('button', { name: 'Count' }).click();
  await gadget.settled();
  const tape = createTape({ host: 'lab', app: 'tally', scenario: {} }, gadget.record);

  const same = await replay(tape);
  await same.gadget.text(same.gadget.frame.getByText('0 counted'));
  await same.gadget.frame.getByRole('button', { name: 'Count' }).click();
  await same.gadget.text(same.gadget.frame.getByText('1 counted'));
  await same.finished();

  const other = await replay(tape);
  await other.gadget.text(other.gadget.frame.getByText('0 counted'));
  await expect(other.finished({ timeout: 300 })).rejects.toThrow('appdata.update');
});

test('keeps the site closed to the app: it reaches neither record nor server of the test (security rule 25)', async () => {
  const gadget = await mount('prober');
  await gadget.text(gadget.frame.getByText('refused, refused, refused, no origin'));
  const answer = await fetch('/kit/record', { method: 'POST', body: '[]' }); // the control: the page of the test may
  expect(answer.status).toBe(204);
});
