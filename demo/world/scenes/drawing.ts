import type { Random } from '../random.ts';
import type { Palette } from './palettes.ts';

export const width = 960;
export const height = 640;

/** Tools for drawing a scene. */
export interface Pen {
  readonly random: Random;
  readonly light: Palette;
}

/** Rounds to tenths: shorter files, and the same digits on every machine. */
export function n(value: number): string {
  return String(Math.round(value * 10) / 10);
}

export function between(random: Random, from: number, to: number): number {
  return from + random.next() * (to - from);
}

export function gradient(id: string, stops: readonly string[], direction: 'down' | 'across' = 'down'): string {
  const end = direction === 'down' ? 'x2="0" y2="1"' : 'x2="1" y2="0"';
  const parts = stops.map(
    (colour, index) => `<stop offset="${n(index / (stops.length - 1))}" stop-color="${colour}"/>`,
  );
  return `<linearGradient id="${id}" x1="0" y1="0" ${end}>${parts.join('')}</linearGradient>`;
}

export function rect(box: { x: number; y: number; w: number; h: number }, fill: string, more = ''): string {
  return `<rect x="${n(box.x)}" y="${n(box.y)}" width="${n(box.w)}" height="${n(box.h)}" fill="${fill}" ${more}/>`;
}

export function circle(x: number, y: number, r: number, fill: string, more = ''): string {
  return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${fill}" ${more}/>`;
}

export function ellipse(box: { x: number; y: number; rx: number; ry: number }, fill: string, more = ''): string {
  return `<ellipse cx="${n(box.x)}" cy="${n(box.y)}" rx="${n(box.rx)}" ry="${n(box.ry)}" fill="${fill}" ${more}/>`;
}

export function path(d: string, fill: string, more = ''): string {
  return `<path d="${d}" fill="${fill}" ${more}/>`;
}

/** Draws the whole sky, with the glow of a sun or moon. */
export function sky({ random, light }: Pen, horizon: number): string {
  const x = between(random, 160, width - 160);
  const y = between(random, horizon * 0.28, horizon * 0.82);
  const r = between(random, 22, 52);
  return [
    `<defs>${gradient('sky', light.sky)}<radialGradient id="glow"><stop stop-color="${light.sun}" stop-opacity=".85"/><stop offset=".35" stop-color="${light.sun}" stop-opacity=".28"/><stop offset="1" stop-color="${light.sun}" stop-opacity="0"/></radialGradient></defs>`,
    rect({ x: 0, y: 0, w: width, h: height }, 'url(#sky)'),
    clouds({ random, light }, horizon),
    circle(x, y, r * 6, 'url(#glow)'),
    circle(x, y, r, light.sun),
  ].join('');
}

function clouds({ random, light }: Pen, horizon: number): string {
  return Array.from({ length: random.int(2, 7) }, () => {
    const x = between(random, -80, width);
    const y = between(random, 30, horizon * 0.8);
    const w = between(random, 120, 420);
    const h = between(random, 5, 16);
    return rect({ x, y, w, h }, light.sky[2], `rx="${n(h / 2)}" fill-opacity="${n(between(random, 0.15, 0.5))}"`);
  }).join('');
}

/** Draws water from `horizon` to the bottom edge, with light on it. */
export function sea({ random, light }: Pen, horizon: number): string {
  const glints = Array.from({ length: 70 }, () => {
    const depth = random.next() ** 1.7;
    const y = horizon + 4 + depth * (height - horizon);
    const w = 14 + depth * between(random, 30, 190);
    const fill = random.chance(0.6) ? light.sky[2] : light.sea[1];
    return rect(
      { x: between(random, -60, width), y, w, h: 1.2 + depth * 4 },
      fill,
      `rx="2" fill-opacity="${n(0.15 + random.next() * 0.4)}"`,
    );
  });
  return `<defs>${gradient('sea', light.sea)}</defs>${rect({ x: 0, y: horizon, w: width, h: height - horizon }, 'url(#sea)')}${glints.join('')}`;
}

/** Draws rolling ground with its upper edge at about `top`. */
export function hills({ random }: Pen, { top, swing, fill }: { top: number; swing: number; fill: string }): string {
  const steps = random.int(3, 6);
  const span = width / steps;
  let y = top + between(random, -swing, swing);
  let d = `M-10 ${n(y)}`;
  for (let step = 0; step <= steps; step++) {
    const nextY = top + between(random, -swing, swing);
    const x = step * span;
    d += `C${n(x + span * 0.4)} ${n(y)} ${n(x + span * 0.6)} ${n(nextY)} ${n(x + span)} ${n(nextY)}`;
    y = nextY;
  }
  return path(`${d}V${height}H-10Z`, fill);
}

/** Draws a sailing boat whose waterline is at `y`; `size` is its length. */
export function sailboat({ random, light }: Pen, { x, y, size }: { x: number; y: number; size: number }): string {
  const hull = random.pick(light.bright);
  const sail = random.chance(0.6) ? (light.bright[2] as string) : random.pick(light.bright);
  const mast = size * between(random, 1.1, 1.5);
  const lean = between(random, -0.06, 0.06) * size;
  const at = (dx: number, dy: number) => `${n(x + dx)} ${n(y + dy)}`;
  return [
    path(
      `M${at(size * 0.06 + lean, -mast)}L${at(size * 0.48, -size * 0.14)}L${at(size * 0.05, -size * 0.14)}Z`,
      sail,
      'fill-opacity=".96"',
    ),
    path(
      `M${at(-size * 0.02 + lean, -mast * 0.86)}L${at(-size * 0.36, -size * 0.14)}L${at(-size * 0.03, -size * 0.14)}Z`,
      sail,
      'fill-opacity=".8"',
    ),
    path(
      `M${at(lean, -mast)}L${at(size * 0.02 + lean, -mast)}L${at(size * 0.02, 0)}L${at(-size * 0.01, 0)}Z`,
      light.dark,
    ),
    path(
      `M${at(-size * 0.5, -size * 0.12)}H${n(x + size * 0.54)}Q${at(size * 0.4, size * 0.06)} ${at(size * 0.24, size * 0.06)}H${n(x - size * 0.32)}Q${at(-size * 0.46, size * 0.04)} ${at(-size * 0.5, -size * 0.12)}Z`,
      hull,
    ),
    ellipse({ x, y: y + size * 0.12, rx: size * 0.46, ry: size * 0.05 }, light.dark, 'fill-opacity=".22"'),
  ].join('');
}

/** Draws a gull or tern in flight. */
export function bird(x: number, y: number, size: number, fill: string): string {
  const at = (dx: number, dy: number) => `${n(x + dx * size)} ${n(y + dy * size)}`;
  return path(
    `M${at(-1, -0.28)}Q${at(-0.4, -0.5)} ${at(0, 0)}Q${at(0.4, -0.55)} ${at(1, -0.36)}Q${at(0.45, -0.3)} ${at(0, 0.16)}Q${at(-0.4, -0.24)} ${at(-1, -0.28)}Z`,
    fill,
  );
}
