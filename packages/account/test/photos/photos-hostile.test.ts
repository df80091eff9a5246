import { mkdtemp, open as openFile, readFile, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { inspect } from '../../../service/src/images/encode.ts';
import { createImages } from '../../../service/src/images/images.ts';
import { databases } from '../../../service/test/databases.ts';
import { imageFolder } from '../../../service/test/images.ts';
import { ids, items, publicUrl } from '../../../service/test/site.ts';
import { blank, bomb, manyFrames, smallWebp, telltale } from './hostile-images.ts';
import { openPhotoSite, type PhotoSite } from './photo-site.ts';

const picture = sharp({ create: { width: 400, height: 200, channels: 3, background: 'red' } });
const jpeg = await picture.clone().jpeg().toBuffer();
const png = await picture.clone().png().toBuffer();
const gif = await picture.clone().gif().toBuffer();
const photo = await telltale();

function message({ text }: { readonly text: string }): string {
  return JSON.parse(text).error.message;
}

/** The one photo of the album, as whoever has its URL gets it. */
async function served({ site, album }: PhotoSite): Promise<{ response: Response; bytes: Buffer; thumbnail: Buffer }> {
  const [item] = items(await site.get(`/mediaitems/1/@self/${album}`));
  const load = (url: unknown) => site.service.handle(new Request(String(url)), String(url).slice(publicUrl.length));
  const response = await load(item?.url);
  const thumbnail = await load(item?.thumbnailUrl);
  return {
    response,
    bytes: Buffer.from(await response.arrayBuffer()),
    thumbnail: Buffer.from(await thumbnail.arrayBuffer()),
  };
}

const secrets = /Secret|Exif|GPS|xmp|Apple|ICC_PROFILE|script/i;

async function colourAt(bytes: Uint8Array, left: number, top: number): Promise<readonly number[]> {
  const one = sharp(bytes).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw();
  return [...(await one.toBuffer())];
}

/** Within what JPEG and WebP round away. */
function expectColour(actual: readonly number[], [r, g, b]: readonly [number, number, number]): void {
  for (const [index, value] of [r, g, b].entries()) expect(Math.abs((actual[index] ?? 999) - value)).toBeLessThan(16);
}

describe.each(databases)('hostile photos on $name', ({ open }) => {
  test('nothing but the picture is kept: no place, device, comment, profile or tail; it stands upright', async () => {
    for (const word of ['SecretPhone', 'SecretPlace', 'SecretXmp', 'SecretComment', 'SecretTail', 'ICC_PROFILE']) {
      expect(photo.toString('latin1')).toContain(word); // the control
    }
    const photos = await openPhotoSite(open);
    expect((await photos.put(new Uint8Array(photo))).status).toBe(201);
    const { bytes, thumbnail } = await served(photos);
    expect(bytes.toString('latin1')).not.toMatch(secrets);
    expect(thumbnail.toString('latin1')).not.toMatch(secrets);
    for (const one of [bytes, thumbnail]) {
      const { width, height, orientation, exif, xmp, icc } = await sharp(one).metadata();
      expect({ width, height, orientation, exif, xmp, icc }).toEqual({ width: 120, height: 80 });
      expectColour(await colourAt(one, 20, 40), [255, 0, 0]);
      expectColour(await colourAt(one, 100, 40), [0, 0, 255]);
    }
  });

  test('an import draws anew, too, and the same file is the same picture (contract §9)', async () => {
    const folder = await imageFolder();
    await writeFile(join(folder, 'phone.jpg'), photo);
    const photos = await openPhotoSite(open);
    await photos.site.add({ mediaItems: [{ id: 'm', albumId: photos.album, file: 'phone.jpg' }] }, folder);
    expect((await served(photos)).bytes.toString('latin1')).not.toMatch(secrets);
    const { kept } = await photos.files();
    await photos.put(new Uint8Array(photo));
    expect((await photos.files()).kept).toEqual(kept);
  });

  test('media are served with headers that keep them pictures (security rule 18, contract §3)', async () => {
    const photos = await openPhotoSite(open);
    await photos.put(new Uint8Array(png));
    const { headers } = (await served(photos)).response;
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    const [id] = ids(await photos.site.get(`/mediaitems/1/@self/${photos.album}`));
    const preview = await photos.browser.get(`/account/photos/photo/${id}/preview`);
    expect(preview.headers).toMatchObject({
      'content-type': 'image/webp',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
  });

  const refused: readonly (readonly [string, () => Uint8Array | Promise<Uint8Array>, number, RegExp])[] = [
    ['nothing', () => new Uint8Array(), 400, /empty/],
    ['two bytes', () => Buffer.from([0xff, 0xd8]), 415, /no photo/],
    ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), 415, /no photo/],
    ['HTML', () => Buffer.from('<!doctype html><script>alert(1)</script>'), 415, /no photo/],
    ['a script that begins like a GIF', () => Buffer.from('GIF89a/*'.padEnd(99, 'x')), 400, /damaged/],
    ['a GIF that is a script, too', () => Buffer.from('GIF89a=1;alert(1)//'.padEnd(999, ' ')), 400, /damaged/],
    ['a TIFF', () => picture.clone().tiff().toBuffer(), 415, /no photo/],
    ['an AVIF', () => picture.clone().avif().toBuffer(), 415, /no photo/],
    ['a JPEG that ends early', () => jpeg.subarray(0, jpeg.length / 2), 400, /damaged/],
    ['a PNG that ends early', () => png.subarray(0, png.length - 40), 400, /damaged/],
    ['a header alone', () => png.subarray(0, 33), 400, /damaged/],
    ['a small file of huge dimensions', () => bomb(60_000, 60_000), 413, /at most 50 million pixels/],
    ['dimensions beyond any memory', () => bomb(2_147_483_647, 2_147_483_647), 400, /damaged/],
    ['one row of endless length', () => bomb(50_000_001, 1), 413, /pixels/],
    ['one row of 50 million pixels', () => bomb(50_000_000, 1), 413, /sides of at most 16,384 pixels/],
    ['one column of 50 million pixels', () => bomb(1, 50_000_000), 413, /sides of at most 16,384 pixels/],
    ['a side of one pixel too many', () => blank(16_385, 1).png().toBuffer(), 413, /sides of at most 16,384/],
    ['a WebP of 38 bytes with 50 megapixels', () => smallWebp(7_070, 7_070), 413, /at most 25 million pixels/],
    ['a WebP of 25.1 megapixels', () => smallWebp(5_010, 5_010), 413, /at most 25 million pixels/],
    ['an animation of 3,000 frames', () => manyFrames(3_000), 413, /at most 300 frames/],
    ['25 MiB', () => Buffer.alloc(25 << 20, jpeg), 413, /at most 20 MB/],
  ];

  test.each(refused)(
    '%s is refused with a reason, and nothing is left of it (security rule 18)',
    async (_, make, status, text) => {
      const photos = await openPhotoSite(open);
      const sent = await photos.put(new Uint8Array(await make()), {
        name: 'innocent.jpg',
        headers: { 'content-type': 'image/jpeg' },
      });
      expect([sent.status, message(sent)]).toEqual([status, expect.stringMatching(text)]);
      expect(await photos.files()).toEqual({ kept: [], drafts: [] });
      expect(ids(await photos.site.get(`/mediaitems/1/@self/${photos.album}`))).toEqual([]);
      expect((await photos.put(new Uint8Array(gif))).status).toBe(201); // the control
    },
  );

  test('the reason is in the language of the browser', async () => {
    const photos = await openPhotoSite(open);
    const reasons = [
      ['Das ist kein Foto: Zeigen lassen sich JPEG, PNG, WebP und GIF.', Buffer.from('<!doctype html>')],
      ['Das Bild ist beschädigt und lässt sich nicht zeigen.', png.subarray(0, 33)],
      ['Die Datei ist leer.', Buffer.alloc(0)],
      ['Ein Foto hat hier höchstens 50 Millionen Pixel.', await bomb(60_000, 60_000)],
      ['Eine Animation hat hier höchstens 300 Bilder, von großen weniger.', await manyFrames(3_000)],
      ['Ein Foto hat hier höchstens 20 MB.', Buffer.alloc((20 << 20) + 1, jpeg)],
    ] as const;
    for (const [reason, bytes] of reasons) {
      const sent = await photos.put(new Uint8Array(bytes), { headers: { 'accept-language': 'de' } });
      expect(message(sent)).toBe(reason);
    }
  });

  test('a small animation stays one, without what was written into it', async () => {
    const photos = await openPhotoSite(open);
    const frames = await manyFrames(6);
    const comment = Buffer.from('\x21\xfe\x06Secret\x00', 'latin1');
    const at = frames.indexOf(Buffer.from([0x21, 0xf9]));
    const gif = Buffer.concat([frames.subarray(0, at), comment, frames.subarray(at)]);
    expect((await photos.put(new Uint8Array(gif))).status).toBe(201);
    const { response, bytes } = await served(photos);
    expect(response.headers.get('content-type')).toBe('image/gif');
    expect((await sharp(bytes).metadata()).pages).toBe(6);
    expect(bytes.toString('latin1')).not.toContain('Secret');
  });

  test('the type is that of the bytes, whatever name and header say', async () => {
    const photos = await openPhotoSite(open);
    await photos.put(new Uint8Array(png), { name: 'photo.html', headers: { 'content-type': 'text/html' } });
    expect((await served(photos)).response.headers.get('content-type')).toBe('image/png');
  });

  test.each([
    ['../../../etc/passwd', 'passwd'],
    ['..\\..\\boot.ini', 'boot'],
    ['/media/.drafts/x.jpg', 'x'],
    ['<img src=x onerror=alert(1)>.png', '<img src=x onerror=alert(1)>'],
    ['a\u0000\u202egpj.exe', 'agpj'],
    ['\ud800.jpg', '\ufffd'],
    ['.', '.'],
  ])('a file named %j is a caption and no path (security rule 18)', async (name, title) => {
    const photos = await openPhotoSite(open);
    expect((await photos.put(new Uint8Array(jpeg), { name })).status).toBe(201);
    expect(items(await photos.site.get(`/mediaitems/1/@self/${photos.album}`))).toMatchObject([{ title }]);
    expect((await photos.files()).kept.every((file) => /^[0-9a-f]{64}\.\d(-\d+)?$/.test(file))).toBe(true);
    const page = await photos.browser.get(`/account/photos/album/${photos.album}`);
    expect(page.text).not.toContain('<img src=x');
  });

  test('an upload that breaks off half-way leaves nothing', async () => {
    const photos = await openPhotoSite(open);
    const half = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array(jpeg.subarray(0, 300)));
        setImmediate(() => controller.error(new Error('aborted')));
      },
    });
    const sent = await photos.put(half);
    expect([sent.status, message(sent)]).toEqual([400, 'The file did not arrive as a whole.']);
    expect(await photos.files()).toEqual({ kept: [], drafts: [] });
  });
});

test.each([
  ['a PNG with the longest side', 'image/png', () => blank(16_384, 2).png().toBuffer()],
  ['a JPEG of 26 megapixels', 'image/jpeg', () => blank(5_200, 5_000).jpeg().toBuffer()],
  ['a WebP of 24 megapixels', 'image/webp', () => smallWebp(4_900, 4_900)],
] as const)('%s is within the bounds (the control of the refused ones)', async (_, type, make) => {
  const path = join(await mkdtemp(join(tmpdir(), 'gantry-picture-')), 'picture');
  await writeFile(path, await make());
  expect((await inspect(path, type)).isAnimated).toBe(false);
});

describe('the media folder', () => {
  const [{ open }] = databases as [(typeof databases)[number]];
  const whole = async function* () {
    yield jpeg;
  };
  const storing = { maxBytes: 1e6, use: async () => 'used' };

  test('a disk that fills up during an upload is 507, and nothing is left (security rule 23)', async () => {
    const { site, files } = await openPhotoSite(open);
    const { db, mediaFolder } = site;
    const full = createImages({ db, mediaFolder, openNew: () => openFile('/dev/full', 'w') });
    await expect(full.store(whole(), storing)).rejects.toMatchObject({ code: 'STORAGE_FULL', status: 507 });
    expect(await files()).toEqual({ kept: [], drafts: [] });
    expect(await createImages({ db, mediaFolder }).store(whole(), storing)).toBe('used'); // the control
  });

  test('it fills up while the picture is written: the same', async () => {
    const { site, files } = await openPhotoSite(open);
    let opened = 0;
    const openNew = (path: string) => (opened++ < 2 ? openFile(path, 'wx') : openFile('/dev/full', 'w'));
    const full = createImages({ db: site.db, mediaFolder: site.mediaFolder, openNew });
    await expect(full.store(whole(), storing)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    expect(await files()).toEqual({ kept: [], drafts: [] });
  });

  test('if what leads to a picture cannot be stored, its files go again', async () => {
    const { site, files } = await openPhotoSite(open);
    const images = createImages({ db: site.db, mediaFolder: site.mediaFolder });
    const use = () => Promise.reject(new Error('no rows'));
    await expect(images.store(whole(), { maxBytes: 1e6, use })).rejects.toThrow('no rows');
    expect(await files()).toEqual({ kept: [], drafts: [] });
  });

  test('a picture that another process takes away meanwhile is put back', async () => {
    const { site, files } = await openPhotoSite(open);
    const images = createImages({ db: site.db, mediaFolder: site.mediaFolder });
    const other = createImages({ db: site.db, mediaFolder: site.mediaFolder });
    await images.store(whole(), { maxBytes: 1e6, use: ({ file }) => other.removeUnused([file]) });
    expect((await files()).kept).toHaveLength(3);
  });

  test('drafts of a process that was killed go at the next upload; those of a running one stay', async () => {
    const { site, files, put } = await openPhotoSite(open);
    await put(new Uint8Array(jpeg));
    const drafts = join(site.mediaFolder, '.drafts');
    await writeFile(join(drafts, 'old'), 'x');
    await utimes(join(drafts, 'old'), 0, 0);
    await writeFile(join(drafts, 'new'), 'x');
    await createImages({ db: site.db, mediaFolder: site.mediaFolder }).store(whole(), storing);
    expect((await files()).drafts).toEqual(['new']);
    expect(await readFile(join(drafts, 'new'), 'utf8')).toBe('x');
  });
});
