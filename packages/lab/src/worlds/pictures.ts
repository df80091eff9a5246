// Pictures of the worlds that come with Gantry, drawn on request: no binary files.

const grounds = ['#2f7f8c', '#d8734f', '#3d5a80', '#7a5c8e', '#4d7c57', '#b6862c', '#9c4a5a', '#54666d'] as const;
const skies = ['#86c0c4', '#f2b88a', '#8fb0d0', '#c4a3cf', '#a5c99a', '#ecc873', '#e09a9c', '#a9bcc2'] as const;
const skins = ['#f6d7c3', '#eebf9f', '#d9a27c', '#b97f58', '#8c5a3c', '#5f3b28'] as const;
const hairs = ['#2b2320', '#7a4b2b', '#b98848', '#8f8f93', '#e8e4de', '#a2452d', '#1d1817'] as const;

/**
 * Returns a picture of a world, for an address such as `/avatars/7.svg` or `/pictures/m-1-3.svg`. A
 * size can stand at the end of a name: `/pictures/wide-4000x90.svg`.
 *
 * @returns `undefined` for any other path, and for `/pictures/gone.svg`, which is always missing.
 */
export function worldPicture(path: string): Response | undefined {
  const [, kind, name] = /^\/(avatars|pictures)\/([\w.:-]{1,80})\.svg$/.exec(path) ?? [];
  if (kind === undefined || name === undefined || name === 'gone') return undefined;
  return new Response(kind === 'avatars' ? avatar(name) : landscape(name), {
    headers: {
      'Content-Type': 'image/svg+xml',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'public, max-age=3600',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    },
  });
}

function avatar(name: string): string {
  const pick = picker(`avatar ${name}`);
  const [ground, skin, hair, shirt] = [pick(grounds), pick(skins), pick(hairs), pick(skies)];
  return svg(
    96,
    96,
    `<rect width="96" height="96" fill="${ground}"/><path d="M14 100c0-20 14-29 34-29s34 9 34 29z" fill="${shirt}"/>` +
      `<path d="M40 58h16v16H40z" fill="${skin}"/><ellipse cx="48" cy="45" rx="17" ry="20" fill="${skin}"/>` +
      `<path d="M30 44c-2-28 38-28 36 0-4-12-10-14-18-14s-14 2-18 14z" fill="${hair}"/>`,
  );
}

function landscape(name: string): string {
  const pick = picker(`picture ${name}`);
  const [, wide = '480', high = '320'] = /-(\d{1,4})x(\d{1,4})$/.exec(name) ?? [];
  const [sky, sun, far, near] = [pick(skies), pick(['#fff2d0', '#fffbe9', '#f4ecc8']), pick(grounds), pick(grounds)];
  const [x, top] = [pick([90, 180, 300, 390]), pick([150, 175, 200])];
  const drawing =
    `<rect width="480" height="320" fill="${sky}"/><circle cx="${x}" cy="${top - 60}" r="30" fill="${sun}"/>` +
    `<path d="M0 ${top}Q120 ${top - 70} 240 ${top}T480 ${top - 20}V320H0z" fill="${far}"/>` +
    `<path d="M0 ${top + 60}Q160 ${top + 10} 300 ${top + 70}T480 ${top + 50}V320H0z" fill="${near}"/>`;
  return svg(Number(wide), Number(high), drawing, '0 0 480 320');
}

function svg(width: number, height: number, drawing: string, viewBox = `0 0 ${width} ${height}`): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}" width="${width}" height="${height}" preserveAspectRatio="xMidYMid slice">${drawing}</svg>`;
}

/** Makes a random choice seeded by a name (FNV-1a, and xorshift for each choice). */
function picker(name: string): <T>(list: readonly T[]) => T {
  let state = 0x811c9dc5;
  for (const char of name) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return (list) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return list[(state >>> 0) % list.length] as (typeof list)[number];
  };
}
