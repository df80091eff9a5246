import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A few hundred bytes that announce a picture of any size: all of it zeros, packed. */
export function bomb(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  const data = deflateSync(Buffer.alloc(1 << 20));
  const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([start, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

/** A picture of one colour. */
export function blank(width: number, height: number): Sharp {
  return sharp({ create: { width, height, channels: 3, background: '#336699' } });
}

/** A lossless WebP of 38 bytes that holds a picture of any size, of one colour. */
export async function smallWebp(width: number, height: number): Promise<Buffer> {
  const file = await blank(16, 16).webp({ lossless: true }).toBuffer();
  file.writeUInt32LE(((height - 1) << 14) | (width - 1) | (file.readUInt32LE(21) & 0xf000_0000), 21);
  return file;
}

/** An animation of an even number of frames of a few pixels, red and black in turn. */
export async function manyFrames(count: number): Promise<Buffer> {
  const frame = (background: string) =>
    sharp({ create: { width: 4, height: 4, channels: 3, background } })
      .png()
      .toBuffer();
  const two = [await frame('red'), await frame('black')];
  const gif = await sharp(two, { join: { animated: true } })
    .gif()
    .toBuffer();
  const first = gif.indexOf(Buffer.from([0x21, 0xf9])); // the start of a frame
  const both = Array.from({ length: count / 2 }, () => gif.subarray(first, gif.length - 1));
  return Buffer.concat([gif.subarray(0, first), ...both, Buffer.from(';')]);
}

/**
 * A photo as a phone takes it: lying on its side, with place, device, comment, thumbnail-sized
 * secrets and a colour profile.
 */
export async function telltale(): Promise<Buffer> {
  const left = { create: { width: 60, height: 80, channels: 3 as const, background: '#ff0000' } };
  const upright = await sharp({ create: { width: 120, height: 80, channels: 3, background: '#0000ff' } })
    .composite([{ input: await sharp(left).png().toBuffer(), left: 0, top: 0 }])
    .png()
    .toBuffer();
  const photo = await sharp(upright)
    .rotate(270) // orientation 6 turns it upright again
    .withIccProfile('p3')
    .withExif({
      IFD0: { Make: 'SecretPhone', Copyright: 'SecretAuthor' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1', GPSMapDatum: 'SecretPlace' },
    })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><SecretXmp/></x:xmpmeta>')
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer();
  const comment = Buffer.from('\xff\xfe\x00\x0fSecretComment', 'latin1');
  return Buffer.concat([photo.subarray(0, 2), comment, photo.subarray(2), Buffer.from('SecretTail<script>')]);
}
