import sharp from 'sharp';
import { expect, test } from 'vitest';
import { databases } from '../../../service/test/databases.ts';
import type { Shown } from '../account-site.ts';
import { openPhotoSite, type PhotoSite, photoBrowser } from './photo-site.ts';

const [{ open }] = databases as [(typeof databases)[number]];
const photo = new Uint8Array(
  await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer(),
);

interface Begun {
  readonly answer: Promise<Shown>;
  finish(): void;
}

/** Begins an upload whose sender waits after its first bytes, or before them. */
function begin(
  photos: PhotoSite,
  { token, address, hasBytes = true }: { token: string; address?: string; hasBytes?: boolean },
): Begun {
  const { promise: rest, resolve: finish } = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      if (hasBytes) controller.enqueue(photo.subarray(0, 20));
      await rest;
      controller.enqueue(hasBytes ? photo.subarray(20) : photo);
      controller.close();
    },
  });
  const headers = { 'x-form-token': token };
  return { answer: photos.put(body, { headers, ...(address !== undefined && { address }) }), finish };
}

/** Resolves with the first `count` answers. */
async function answered(begun: readonly Begun[], count: number): Promise<readonly Shown[]> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const answers: Shown[] = [];
  for (const { answer } of begun) void answer.then((shown) => answers.push(shown) === count && resolve());
  await promise;
  return answers.slice(0, count);
}

async function finishAll(begun: readonly Begun[]): Promise<Record<number, number>> {
  for (const { finish } of begun) finish();
  const answers = await Promise.all(begun.map(({ answer }) => answer));
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

test('a member has four places, so 32 slow uploads of one keep nobody else out (security rule 35)', async () => {
  const slow = await openPhotoSite(open);
  const other = await photoBrowser(slow.site, '2');
  const token = await slow.tokenOf(slow.album);
  const begun: Begun[] = [];
  for (let index = 0; index < 16; index++) begun.push(begin(slow, { token }));
  const refused = await answered(begun, 12);
  for (const { status, headers } of refused) expect([status, headers['retry-after']]).toEqual([503, '5']);
  for (let index = 0; index < 16; index++) begun.push(begin(slow, { token }));
  expect((await slow.post(await formOf(token))).status).toBe(503); // forms and scripts share the places
  expect((await other.put(photo)).status).toBe(201);
  expect(await finishAll(begun)).toEqual({ 201: 4, 503: 28 });
  expect((await slow.put(photo)).status).toBe(201); // every place was given back
});

test('an upload that has sent nothing yet takes no place, and a member has few of those', async () => {
  const slow = await openPhotoSite(open);
  const token = await slow.tokenOf(slow.album);
  const begun = Array.from({ length: 15 }, () => begin(slow, { token, hasBytes: false }));
  expect((await slow.put(photo)).status).toBe(201);
  for (let index = 0; index < 2; index++) begun.push(begin(slow, { token, hasBytes: false }));
  expect((await answered(begun, 1)).map(({ status }) => status)).toEqual([503]);
  for (const one of begun) {
    one.finish();
    await one.answer;
  }
  expect((await finishAll(begun))[201]).toBe(16);
});

test('members of one network have half of the places together', async () => {
  const first = await openPhotoSite(open);
  const begun: Begun[] = [];
  for (const id of ['1', '2', '3', '9', '10']) {
    const photos = await photoBrowser(first.site, id);
    const token = await photos.tokenOf(photos.album);
    for (let index = 0; index < 4; index++) begun.push(begin(photos, { token, address: `192.0.2.${id}` }));
  }
  expect((await answered(begun, 4)).map(({ status }) => status)).toEqual([503, 503, 503, 503]);
  const last = await photoBrowser(first.site, '10');
  expect((await last.put(photo, { address: '192.0.2.99' })).status).toBe(503);
  expect((await last.put(photo, { address: '198.51.100.1' })).status).toBe(201); // the control: elsewhere
  expect(await finishAll(begun)).toEqual({ 201: 16, 503: 4 });
});

async function formOf(token: string, files: readonly File[] = [new File([photo], 'a.jpg')]): Promise<FormData> {
  const form = new FormData();
  form.set('form_token', token);
  for (const file of files) form.append('photos', file);
  return form;
}

test('no file of a form is read before its token: a wrong or missing one stores nothing (security rule 25)', async () => {
  const photos = await openPhotoSite(open);
  expect((await photos.post(await formOf('1.forged'))).status).toBe(403);
  const late = new FormData();
  late.append('photos', new File([photo], 'a.jpg'));
  late.set('form_token', await photos.tokenOf(photos.album));
  expect((await photos.post(late)).status).toBe(403);
  expect(await photos.files()).toEqual({ kept: [], drafts: [] });
  expect((await photos.post(await formOf(await photos.tokenOf(photos.album)))).status).toBe(303); // the control
});

test('a form has at most 100 parts; photos before the bound stay, and the page says why', async () => {
  const photos = await openPhotoSite(open);
  const many = Array.from({ length: 100 }, () => new File(['x'], 'no photo.jpg'));
  const sent = await photos.post(await formOf(await photos.tokenOf(photos.album), many));
  expect([sent.status, sent.text.includes('A form has at most 100 parts.')]).toEqual([400, true]);
  const few = await photos.post(await formOf(await photos.tokenOf(photos.album), many.slice(1)));
  expect([few.status, few.text.match(/This is no photo/g)?.length]).toEqual([400, 99]);
});

test('names of files keep their letters, and lose their folders', async () => {
  const photos = await openPhotoSite(open);
  const names = ['Hafen Ü 港.jpg', '../../etc/passwd.png', 'a "quoted" one.jpg'];
  await photos.send(names.map((name) => new File([photo], name)));
  const page = await photos.browser.get(`/account/photos/album/${photos.album}`);
  for (const title of ['Hafen Ü 港', 'passwd']) expect(page.text).toContain(title);
  expect(page.text).toContain('a &quot;quoted&quot; one');
});
