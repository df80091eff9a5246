import {
  between,
  bird,
  circle,
  ellipse,
  height,
  hills,
  n,
  type Pen,
  path,
  rect,
  sailboat,
  sea,
  sky,
  width,
} from './drawing.ts';

/** Sails on open water. */
export function sails(pen: Pen): string {
  const { random, light } = pen;
  const horizon = between(random, 270, 400);
  const boats = Array.from({ length: random.int(2, 7) }, () => random.next() ** 1.5)
    .sort((a, b) => a - b)
    .map((near) =>
      sailboat(pen, {
        x: between(random, 60, width - 60),
        y: horizon + 12 + near * (height - horizon - 70),
        size: 34 + near * 170,
      }),
    );
  return (
    sky(pen, horizon) +
    hills(pen, { top: horizon - 14, swing: 12, fill: light.land[0] }) +
    sea(pen, horizon) +
    boats.join('')
  );
}

/** A lighthouse on a headland. */
export function lighthouse(pen: Pen): string {
  const { random, light } = pen;
  const horizon = between(random, 400, 460);
  const x = between(random, 220, 740);
  const foot = horizon - between(random, 20, 70);
  const tall = between(random, 170, 250);
  const wide = between(random, 34, 48);
  const top = foot - tall;
  const tower = `M${n(x - wide / 2)} ${n(foot + 60)}L${n(x - wide * 0.32)} ${n(top)}H${n(x + wide * 0.32)}L${n(x + wide / 2)} ${n(foot + 60)}Z`;
  const band = random.pick([light.bright[0], light.bright[3]]) as string;
  const bands = [0.18, 0.5, 0.82].map((at) =>
    rect({ x: x - wide, y: top + tall * at, w: wide * 2, h: tall * 0.15 }, band, 'clip-path="url(#tower)"'),
  );
  const beam = (side: number) =>
    path(
      `M${n(x)} ${n(top - 16)}L${n(x + side * 900)} ${n(top - 150)}V${n(top + 70)}Z`,
      light.sun,
      'fill-opacity=".16"',
    );
  return [
    `<defs><clipPath id="tower"><path d="${tower}"/></clipPath></defs>`,
    sky(pen, horizon),
    beam(1),
    beam(-1),
    sea(pen, horizon),
    path(tower, light.bright[2] as string),
    ...bands,
    rect({ x: x - wide * 0.42, y: top - 4, w: wide * 0.84, h: 7 }, light.dark),
    rect({ x: x - wide * 0.24, y: top - 28, w: wide * 0.48, h: 24 }, light.sun),
    path(`M${n(x - wide * 0.36)} ${n(top - 28)}H${n(x + wide * 0.36)}L${n(x)} ${n(top - 50)}Z`, light.dark),
    headland(pen, { x, foot, fill: light.land[3] }),
  ].join('');
}

// Steep towards the water, long and low towards the land, which runs out of the picture.
function headland({ random }: Pen, { x, foot, fill }: { x: number; foot: number; fill: string }): string {
  const side = x < width / 2 ? -1 : 1;
  const at = (dx: number, y: number) => `${n(x - side * dx)} ${n(y)}`;
  const shelf = between(random, 30, 80);
  const cliff = `M${at(230, height)}L${at(190, foot + 130)}Q${at(150, foot + 96)} ${at(132, foot + shelf)}Q${at(96, foot + 14)} ${at(40, foot + 4)}`;
  return path(
    `${cliff}Q${at(-120, foot - 16)} ${at(-300, foot + between(random, 10, 60))}T${at(-900, foot + 40)}V${height}Z`,
    fill,
  );
}

/** Houses along a quay and what the water makes of them. */
export function quay(pen: Pen): string {
  const { random, light } = pen;
  const line = between(random, 350, 400);
  const walls = [...light.bright, light.paper, light.land[0], light.land[1]];
  let houses = '';
  for (let x = -20; x < width; ) {
    const w = between(random, 64, 122);
    houses += house(pen, { x, w, base: line, tall: between(random, 90, 190), wall: random.pick(walls) });
    x += w;
  }
  const boats = Array.from({ length: random.int(2, 5) }, () =>
    sailboat(pen, {
      x: between(random, 60, 900),
      y: between(random, line + 60, height - 60),
      size: between(random, 60, 130),
    }),
  );
  return [
    sky(pen, line),
    hills(pen, { top: line - 150, swing: 50, fill: light.land[1] }),
    houses,
    sea(pen, line + 14),
    `<g transform="matrix(1 0 0 -.7 0 ${n(line * 1.7 + 22)})" opacity=".28">${houses}</g>`,
    rect({ x: 0, y: line, w: width, h: 16 }, light.land[3]),
    ...boats,
  ].join('');
}

function house(
  { random, light }: Pen,
  { x, w, base, tall, wall }: { x: number; w: number; base: number; tall: number; wall: string },
): string {
  const top = base - tall;
  const pitch = between(random, 18, 44);
  const columns = w > 90 ? 3 : 2;
  const rows = Math.max(1, Math.floor(tall / 54));
  const windows = Array.from({ length: columns * rows }, (_, index) => {
    const cell = w / columns;
    const lit = random.chance(0.35) ? light.sun : light.dark;
    return rect(
      { x: x + (index % columns) * cell + cell / 2 - 7, y: top + 14 + Math.floor(index / columns) * 46, w: 14, h: 21 },
      lit,
      'fill-opacity=".82"',
    );
  });
  return [
    rect({ x, y: top, w: w + 0.6, h: tall }, wall),
    path(`M${n(x - 3)} ${n(top)}L${n(x + w / 2)} ${n(top - pitch)}L${n(x + w + 3)} ${n(top)}Z`, light.land[3]),
    ...windows,
  ].join('');
}

/** Moored boats seen from above. */
export function moorings(pen: Pen): string {
  const { random, light } = pen;
  const rings = Array.from({ length: 16 }, () =>
    ellipse(
      {
        x: between(random, 0, width),
        y: between(random, 0, height),
        rx: between(random, 40, 220),
        ry: between(random, 20, 120),
      },
      'none',
      `stroke="${light.sky[2]}" stroke-width="${n(between(random, 1, 4))}" stroke-opacity=".2"`,
    ),
  );
  const boats: string[] = [];
  const tilt = between(random, -30, 30);
  for (let row = 0; row < 4; row++) {
    for (let column = 0; column < 6; column++) {
      if (random.chance(0.24)) continue;
      const [x, y] = [90 + column * 160 + between(random, -24, 24), 80 + row * 160 + between(random, -20, 20)];
      boats.push(rowingBoat(pen, { x, y, turn: tilt + between(random, -12, 12) }));
    }
  }
  return `<defs><linearGradient id="sea" x2="1" y2="1"><stop stop-color="${light.sea[0]}"/><stop offset="1" stop-color="${light.sea[1]}"/></linearGradient></defs>${rect({ x: 0, y: 0, w: width, h: height }, 'url(#sea)')}${rings.join('')}${boats.join('')}`;
}

function rowingBoat({ random, light }: Pen, { x, y, turn }: { x: number; y: number; turn: number }): string {
  const hull = random.pick([...light.bright, light.paper]);
  const long = between(random, 58, 76);
  const d = `M0 ${n(-long)}Q30 ${n(-long * 0.4)} 25 ${n(long * 0.5)}Q22 ${n(long * 0.82)} 0 ${n(long * 0.84)}Q-22 ${n(long * 0.82)} -25 ${n(long * 0.5)}Q-30 ${n(-long * 0.4)} 0 ${n(-long)}Z`;
  const seats = [-0.3, 0.1, 0.5].map((at) => rect({ x: -19, y: long * at, w: 38, h: 8 }, light.land[1]));
  const oars = random.chance(0.6)
    ? `<path d="M-66 ${n(long * 0.34)}L66 ${n(-long * 0.16)}M-66 ${n(-long * 0.16)}L66 ${n(long * 0.34)}" stroke="${light.paper}" stroke-width="3.4" stroke-linecap="round"/>`
    : '';
  return `<g transform="translate(${n(x)} ${n(y)}) rotate(${n(turn)})"><path d="${d}" fill="${light.dark}" fill-opacity=".3" transform="translate(9 12)"/><path d="${d}" fill="${hull}"/><path d="${d}" fill="${light.dark}" fill-opacity=".28" transform="scale(.8 .84)"/>${seats.join('')}${oars}</g>`;
}

/** Beach huts in a row. */
export function huts(pen: Pen): string {
  const { random, light } = pen;
  const base = between(random, 430, 490);
  const count = random.int(5, 8);
  const w = (width + 60) / count;
  const row = Array.from({ length: count }, (_, index) =>
    hut(pen, { x: -30 + index * w, w: w - 12, base, wall: light.bright[index % light.bright.length] as string }),
  );
  return [
    sky(pen, base - 60),
    sea(pen, base - 90),
    rect({ x: 0, y: base - 16, w: width, h: height }, light.paper),
    hills(pen, { top: base + 50, swing: 22, fill: light.sky[2] }),
    ...row,
  ].join('');
}

function hut(
  { random, light }: Pen,
  { x, w, base, wall }: { x: number; w: number; base: number; wall: string },
): string {
  const top = base - w * 1.05;
  const stripes = random.chance(0.5)
    ? Array.from({ length: 4 }, (_, index) =>
        rect({ x: x + (index + 0.25) * (w / 4), y: top, w: w / 8, h: base - top }, light.paper, 'fill-opacity=".55"'),
      )
    : [];
  return [
    rect({ x, y: top, w, h: base - top }, wall),
    ...stripes,
    path(`M${n(x)} ${n(top)}L${n(x + w / 2)} ${n(top - w * 0.5)}L${n(x + w)} ${n(top)}Z`, wall),
    path(
      `M${n(x - 8)} ${n(top + 4)}L${n(x + w / 2)} ${n(top - w * 0.56)}L${n(x + w + 8)} ${n(top + 4)}L${n(x + w + 8)} ${n(top - 6)}L${n(x + w / 2)} ${n(top - w * 0.66)}L${n(x - 8)} ${n(top - 6)}Z`,
      light.paper,
    ),
    rect({ x: x + w * 0.32, y: base - w * 0.68, w: w * 0.36, h: w * 0.68 }, light.dark, 'fill-opacity=".8"'),
    circle(x + w * 0.62, base - w * 0.32, 3, light.sun),
    rect({ x: x - 4, y: base, w: w + 8, h: 10 }, light.land[3]),
  ].join('');
}

/** Terns over the bar. */
export function terns(pen: Pen): string {
  const { random, light } = pen;
  const horizon = between(random, 430, 520);
  const flock = Array.from({ length: random.int(9, 34) }, () =>
    bird(between(random, 40, 920), between(random, 40, horizon - 60), 8 + random.next() ** 2 * 58, light.birds),
  );
  return (
    sky(pen, horizon) +
    sea(pen, horizon) +
    hills(pen, { top: horizon + 60, swing: 26, fill: light.land[2] }) +
    flock.join('')
  );
}
