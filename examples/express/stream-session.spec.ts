import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { type MemberName, password, type RunningExample } from '../example.ts';
import { optionsOf } from '../scenario.ts';
import { start } from './start.ts';

// Real express-session in real time: a heartbeat comes after 15 s, and a stream ends after 60 s.
test.setTimeout(150_000);

let site: RunningExample;
test.beforeAll(async () => {
  const options = optionsOf('express');
  site = await start({ ...options, env: { ...options.env, DATA: test.info().outputPath('data') } });
});
test.afterAll(() => site?.stop());

/** A member's browser: its cookie, and a page with a gadget. */
async function openBrowser(name: MemberName) {
  const form = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(site.url + path, {
      method: 'POST',
      headers: { origin: site.url, ...headers },
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
  const signedIn = await form('/sign-in', { name, password });
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const post = (path: string, body: unknown) =>
    fetch(site.url + path, {
      method: 'POST',
      headers: { origin: site.url, cookie, 'content-type': 'application/json', 'gantry-container': '1' },
      body: JSON.stringify(body),
    });
  const [{ ok: gadget }] = await (await post('/gantry/instances', [{ app: 'notes' }])).json();

  return {
    listen: () => post('/gantry/events', { tokens: { [gadget.instance]: gadget.token }, since: [gadget.since] }),
    signOut: () => form('/sign-out', {}, { cookie }),
  };
}

/** Collects what a stream says. */
function follow({ body }: Response) {
  const heard = { text: '', isOver: false };
  void (async () => {
    for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) heard.text += part;
  })()
    .catch(() => {})
    .finally(() => {
      heard.isOver = true;
    });
  return heard;
}

test('each member’s stream is rechecked with their own session, and ends after a sign-out in another tab (security rule 32)', async () => {
  const [ada, bo] = [await openBrowser('ada'), await openBrowser('bo')];
  const [adas, bos] = [follow(await ada.listen()), follow(await bo.listen())];
  await pause(20_000);
  // With one context for all, the second stream ended at 15 s: its cookie met the first's session.
  expect([adas, bos]).toEqual([
    { text: expect.stringMatching(/\n:\n\n$/), isOver: false },
    { text: expect.stringMatching(/\n:\n\n$/), isOver: false },
  ]);
  expect((await ada.signOut()).status).toBe(303);
  await expect.poll(() => adas.isOver, { timeout: 60_000 }).toBe(true);
  expect(adas.text).toContain('event: end\ndata: "expired"');
  expect((await ada.listen()).status).toBe(401);
  const again = await bo.listen(); // control
  expect(again.status).toBe(200);
  await again.body?.cancel();
});
