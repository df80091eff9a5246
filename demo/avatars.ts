import { createRandom } from './world/random.ts';

const grounds = [
  ['#2f7f8c', '#7cc3c0'],
  ['#d8734f', '#f2b88a'],
  ['#3d5a80', '#8fb0d0'],
  ['#7a5c8e', '#c4a3cf'],
  ['#4d7c57', '#a5c99a'],
  ['#b6862c', '#ecc873'],
  ['#9c4a5a', '#e09a9c'],
  ['#54666d', '#a9bcc2'],
] as const;
const skins = ['#f6d7c3', '#eebf9f', '#d9a27c', '#b97f58', '#8c5a3c', '#5f3b28'] as const;
const hairs = ['#2b2320', '#4a3226', '#7a4b2b', '#b98848', '#d8c39a', '#8f8f93', '#e8e4de', '#a2452d'] as const;
const darkHairs = ['#1d1817', '#2b2320', '#3a2a22', '#8f8f93', '#e8e4de'] as const;
const clothes = ['#18323d', '#0b6170', '#c25338', '#e9b44c', '#f4efe4', '#3f5d46', '#5b4a78'] as const;

/**
 * Draws a member's picture as SVG: a figure from a few shapes. Equal ids give equal pictures.
 *
 * @param name Title of the picture for screen readers.
 */
export function drawAvatar({ id, name, gender }: { id: string; name: string; gender?: string | undefined }): string {
  const random = createRandom(`avatar/${id}`);
  const [dark, light] = random.pick(grounds);
  const skin = random.pick(skins);
  const hair = random.pick(skins.indexOf(skin) < 4 ? hairs : darkHairs);
  const shirt = random.pick(clothes);
  const front = random.pick(fronts);
  const back = random.chance(gender === 'male' ? 0.05 : 0.6) ? random.pick(backs) : '';
  const extra = [
    random.chance(0.25) ? glasses : '',
    gender === 'male' && random.chance(0.4) ? beard : '',
    random.chance(0.15) ? scarf : '',
  ].join('');
  const paint = (shape: string) => shape.replaceAll('hair', hair).replaceAll('skin', skin).replaceAll('shirt', shirt);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96" role="img"><title>${escapeXml(name)}</title><defs><linearGradient id="g" x2="0.4" y2="1"><stop stop-color="${light}"/><stop offset="1" stop-color="${dark}"/></linearGradient></defs><rect width="96" height="96" fill="url(#g)"/>${paint(
    `${back}<path d="M14 100c0-20 14-29 34-29s34 9 34 29z" fill="shirt"/><path d="M40 58h16v14a8 8 0 0 1-16 0z" fill="skin"/><path d="M40 63q8 8 16 0v4q-8 6-16 0z" fill="#000" opacity=".1"/><ellipse cx="48" cy="45" rx="17" ry="20" fill="skin"/>${face}${front}${extra}`,
  )}</svg>`;
}

const face =
  '<circle cx="41.5" cy="46" r="1.7" fill="#221a18"/><circle cx="54.5" cy="46" r="1.7" fill="#221a18"/><path d="M42 54.5q6 5 12 0" fill="none" stroke="#221a18" stroke-width="1.6" stroke-linecap="round" opacity=".75"/>';

// Hair that falls behind the shoulders.
const backs = [
  '<path d="M27 46c0-36 42-36 42 0v30H27z" fill="hair"/>',
  '<path d="M28 44c0-32 40-32 40 0l5 26q-25 10-50 0z" fill="hair"/>',
  '<circle cx="48" cy="19" r="9" fill="hair"/>',
];

const fronts = [
  '<path d="M30 44c-2-28 38-28 36 0-4-12-10-14-18-14s-14 2-18 14z" fill="hair"/>',
  '<path d="M30 46c-3-32 40-32 36-2-4-6-6-10-8-14-8 6-18 8-24 6-2 4-3 6-4 10z" fill="hair"/>',
  '<path d="M31 40c2-20 32-20 34 0-6-6-28-6-34 0z" fill="hair"/>',
  '<path d="M30 45c-6-34 22-28 28-24 8 2 10 14 8 24-1-8-4-12-8-15-8 4-22 2-28 15z" fill="hair"/>',
  '<path d="M29 40c1-24 37-24 38 0z" fill="shirt"/><rect x="27" y="37" width="42" height="6" rx="3" fill="hair"/><circle cx="48" cy="20" r="4.5" fill="hair"/>',
];

const glasses =
  '<g fill="none" stroke="#221a18" stroke-width="1.5"><circle cx="41.5" cy="46" r="5.5"/><circle cx="54.5" cy="46" r="5.5"/><path d="M47 46h2"/></g>';
const beard =
  '<path d="M32 50c2 22 30 22 32 0 0 6-6 4-9 3q-7-3-14 0c-3 1-9 3-9-3z" fill="hair"/><path d="M43 55.5q5 3 10 0" fill="none" stroke="#fff" stroke-width="1.4" stroke-linecap="round" opacity=".7"/>';
const scarf = '<path d="M30 74q18 10 36 0l3 7q-21 10-42 0z" fill="#c9503a"/>';

function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
