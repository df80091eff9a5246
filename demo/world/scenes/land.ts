import { between, circle, ellipse, gradient, height, hills, n, type Pen, path, rect, sky, width } from './drawing.ts';

/** Hills behind hills. */
export function ridges(pen: Pen): string {
  const { random, light } = pen;
  const top = between(random, 200, 280);
  const layers = light.land.map((fill, index) =>
    hills(pen, { top: top + index * between(random, 78, 104), swing: 62 - index * 8, fill }),
  );
  return sky(pen, top + 60) + layers.join('');
}

/** Reeds against low light. */
export function marsh(pen: Pen): string {
  const { random, light } = pen;
  const horizon = between(random, 330, 400);
  const pools = Array.from({ length: 9 }, () =>
    ellipse(
      {
        x: between(random, 0, width),
        y: between(random, horizon + 30, height),
        rx: between(random, 80, 300),
        ry: between(random, 5, 20),
      },
      light.sky[2],
      'fill-opacity=".6"',
    ),
  );
  const reeds = Array.from({ length: random.int(60, 110) }, () => {
    const x = between(random, -20, width + 20);
    const tall = between(random, 70, 310);
    const lean = between(random, -30, 44);
    const tip = `${n(x + lean)} ${n(height - tall)}`;
    return `<path d="M${n(x)} ${height + 6}Q${n(x)} ${n(height - tall * 0.6)} ${tip}" stroke="${light.dark}" stroke-width="${n(between(random, 1.5, 4))}" fill="none" stroke-opacity="${n(between(random, 0.6, 1))}"/>${tall > 170 ? ellipse({ x: x + lean, y: height - tall, rx: 4.5, ry: 20 }, light.dark) : ''}`;
  });
  return (
    sky(pen, horizon) +
    hills(pen, { top: horizon, swing: 14, fill: light.land[1] }) +
    rect({ x: 0, y: horizon + 24, w: width, h: height }, light.land[2]) +
    pools.join('') +
    reeds.join('')
  );
}

/** Rows of vegetables running to a shed. */
export function allotment(pen: Pen): string {
  const { random, light } = pen;
  const horizon = between(random, 250, 300);
  const far = between(random, 360, 600);
  const greens = ['#6f9a4d', '#4d7d46', '#8db05a', '#3c6b4a', '#a9bf62'];
  const rows: string[] = [];
  for (let index = -7; index <= 7; index++) {
    const [x1, x2] = [far + index * 26, far + index * 190];
    rows.push(
      path(
        `M${n(x1 - 8)} ${n(horizon)}L${n(x1 + 8)} ${n(horizon)}L${n(x2 + 60)} ${height}L${n(x2 - 60)} ${height}Z`,
        light.land[3],
        'fill-opacity=".55"',
      ),
    );
    const leaf = random.pick(greens);
    const bloom = random.chance(0.35) ? random.pick(light.bright) : undefined;
    for (let step = 0; step < 15; step++) {
      const near = (step / 14) ** 2;
      const [x, y, r] = [x1 + (x2 - x1) * near, horizon + 6 + near * (height - horizon), 3.5 + near * 40];
      rows.push(
        ellipse({ x: x + between(random, -3, 3), y, rx: r, ry: r * 0.72 }, leaf),
        ellipse({ x: x - r * 0.2, y: y - r * 0.25, rx: r * 0.55, ry: r * 0.36 }, '#fff', 'fill-opacity=".14"'),
      );
      if (bloom) rows.push(circle(x + r * 0.3, y - r * 0.35, r * 0.26, bloom));
    }
  }
  const shed = between(random, 60, 800);
  return [
    sky(pen, horizon),
    hills(pen, { top: horizon - 50, swing: 34, fill: light.land[0] }),
    hills(pen, { top: horizon - 8, swing: 12, fill: light.land[1] }),
    rect({ x: 0, y: horizon, w: width, h: height }, light.land[2]),
    ...rows,
    rect({ x: shed, y: horizon - 62, w: 104, h: 76 }, random.pick(light.bright)),
    path(
      `M${n(shed - 10)} ${n(horizon - 60)}L${n(shed + 52)} ${n(horizon - 96)}L${n(shed + 114)} ${n(horizon - 60)}Z`,
      light.dark,
    ),
    rect({ x: shed + 18, y: horizon - 40, w: 26, h: 54 }, light.dark, 'fill-opacity=".75"'),
    rect({ x: shed + 62, y: horizon - 42, w: 26, h: 22 }, light.sun, 'fill-opacity=".8"'),
  ].join('');
}

/** A field in flower, seen from within it. */
export function flowers(pen: Pen): string {
  const { random, light } = pen;
  const horizon = between(random, 200, 290);
  const stems = Array.from({ length: 64 }, () => random.next())
    .sort((a, b) => a - b)
    .map((near) => {
      const x = between(random, -20, width + 20);
      const y = horizon + 34 + near ** 1.4 * 330;
      const r = 6 + near ** 2 * 50;
      return flower(pen, { x, y, r });
    });
  return (
    sky(pen, horizon) +
    hills(pen, { top: horizon, swing: 30, fill: light.land[1] }) +
    hills(pen, { top: horizon + 70, swing: 20, fill: light.land[2] }) +
    stems.join('')
  );
}

function flower({ random, light }: Pen, { x, y, r }: { x: number; y: number; r: number }): string {
  const petals = random.int(5, 9);
  const fill = random.pick([light.bright[0], light.bright[1], light.bright[2]]) as string;
  const turn = between(random, 0, 60);
  const ring = Array.from(
    { length: petals },
    (_, index) =>
      `<ellipse cy="${n(-r * 0.62)}" rx="${n(r * 0.34)}" ry="${n(r * 0.56)}" fill="${fill}" transform="rotate(${n(turn + (index * 360) / petals)})"/>`,
  );
  return `<path d="M${n(x)} ${n(y)}q${n(between(random, -14, 14))} ${n(r * 2)} 0 ${n(r * 6)}" stroke="${light.land[3]}" stroke-width="${n(1 + r * 0.09)}" fill="none"/><g transform="translate(${n(x)} ${n(y)}) scale(1 .86)">${ring.join('')}<circle r="${n(r * 0.3)}" fill="${light.dark}"/></g>`;
}

/** Fruit and a jug on a table. */
export function table(pen: Pen): string {
  const { random, light } = pen;
  const edge = between(random, 390, 450);
  const wall = random.pick([light.paper, light.land[0], light.sky[1]]);
  const fruit = Array.from({ length: random.int(3, 8) }, () => {
    const r = between(random, 34, 58);
    const [x, y] = [between(random, 120, 840), edge + between(random, 10, 90)];
    const fill = random.pick([light.bright[0], light.bright[1], '#8fae55', '#d98a3d']) as string;
    return {
      y,
      drawing:
        ellipse({ x: x + 18, y: y + r * 0.9, rx: r * 1.2, ry: r * 0.22 }, light.dark, 'fill-opacity=".28"') +
        circle(x, y, r, fill) +
        ellipse({ x: x - r * 0.3, y: y - r * 0.34, rx: r * 0.32, ry: r * 0.22 }, '#fff', 'fill-opacity=".34"') +
        path(
          `M${n(x)} ${n(y - r)}q4 -14 12 -18`,
          'none',
          `stroke="${light.dark}" stroke-width="4" stroke-linecap="round"`,
        ),
    };
  }).sort((a, b) => a.y - b.y);
  const pane = between(random, 80, 660);
  return [
    `<defs>${gradient('wall', [wall, light.land[1]], 'across')}${gradient('pane', light.sky)}</defs>`,
    rect({ x: 0, y: 0, w: width, h: height }, 'url(#wall)'),
    rect({ x: pane, y: 50, w: 210, h: 270 }, light.paper),
    rect({ x: pane + 12, y: 62, w: 186, h: 246 }, 'url(#pane)'),
    rect({ x: pane + 100, y: 62, w: 10, h: 246 }, light.paper),
    rect({ x: pane + 12, y: 180, w: 186, h: 10 }, light.paper),
    rect({ x: 0, y: edge, w: width, h: height }, light.land[3]),
    rect({ x: 0, y: edge, w: width, h: 10 }, light.sun, 'fill-opacity=".3"'),
    jug(pen, { x: between(random, 240, 720), foot: edge + 40 }),
    ...fruit.map(({ drawing }) => drawing),
  ].join('');
}

function jug({ random, light }: Pen, { x, foot }: { x: number; foot: number }): string {
  const tall = between(random, 130, 190);
  const wide = between(random, 52, 74);
  const body = random.pick([light.bright[3], light.bright[2], light.paper]) as string;
  const stems = Array.from({ length: random.int(5, 9) }, () => {
    const [dx, dy] = [between(random, -130, 130), between(random, 90, 190)];
    const [tipX, tipY] = [x + dx, foot - tall - dy];
    return `<path d="M${n(x)} ${n(foot - tall + 12)}Q${n(x + dx * 0.3)} ${n(tipY + 60)} ${n(tipX)} ${n(tipY)}" stroke="#55773f" stroke-width="4" fill="none"/>${circle(tipX, tipY, between(random, 14, 28), random.pick(light.bright))}${circle(tipX, tipY, 7, light.dark, 'fill-opacity=".6"')}`;
  });
  const d = `M${n(x - wide * 0.5)} ${n(foot - tall)}H${n(x + wide * 0.5)}Q${n(x + wide * 0.4)} ${n(foot - tall * 0.74)} ${n(x + wide)} ${n(foot - tall * 0.4)}Q${n(x + wide)} ${n(foot)} ${n(x + wide * 0.5)} ${n(foot)}H${n(x - wide * 0.5)}Q${n(x - wide)} ${n(foot)} ${n(x - wide)} ${n(foot - tall * 0.4)}Q${n(x - wide * 0.4)} ${n(foot - tall * 0.74)} ${n(x - wide * 0.5)} ${n(foot - tall)}Z`;
  return [
    ellipse({ x: x + 30, y: foot, rx: wide * 1.5, ry: 14 }, light.dark, 'fill-opacity=".3"'),
    ...stems,
    path(d, body),
    ellipse(
      { x: x - wide * 0.5, y: foot - tall * 0.36, rx: wide * 0.16, ry: tall * 0.22 },
      '#fff',
      'fill-opacity=".35"',
    ),
  ].join('');
}
