import { mkdtempSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGantry } from '@gantry/server';
import { gantryPaths, isGantryPath } from '@gantry/wire';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Measured } from '../hostile/grid/measure-row.ts';
import { type Combination, pairwise } from '../hostile/grid/pairwise.ts';
import { fixedRoutes } from '../hostile/grid/routes.ts';
import { gridRows, type Row, shortRows, unknownRoutes } from '../hostile/grid/rows.ts';
import { runGrid } from '../hostile/grid/run.ts';
import { type Shape, shapes } from '../hostile/grid/shapes.ts';
import { prepareSite, type Server, startServer } from '../hostile/grid/site.ts';
import { publicUrl, sizes, type World } from '../hostile/grid/world.ts';

const mib = 2 ** 20;

describe('pairwise', () => {
  const dimensions = { route: ['/a', '/b', '/c', '/d'], shape: [1, 2, 3, 4, 5], who: ['anyone', 'member', 'key'] };
  type One = Combination<typeof dimensions>;
  const fits = ({ shape, who }: One) => !(shape === 5 && who === 'anyone');
  const pairsOf = ({ route, shape, who }: One) => [`${route} ${shape}`, `${route} ${who}`, `${shape} ${who}`];
  const all = dimensions.route.flatMap((route) =>
    dimensions.shape.flatMap((shape) => dimensions.who.map((who): One => ({ route, shape, who }))),
  );
  const fittingPairs = new Set(all.filter(fits).flatMap(pairsOf));

  test('has every two values that fit together, in a part of all combinations', () => {
    const chosen = pairwise(dimensions, fits);
    expect(new Set(chosen.flatMap(pairsOf))).toEqual(fittingPairs);
    expect(chosen.every(fits)).toBe(true);
    expect(chosen.length).toBeLessThanOrEqual(24); // 20 is the least: routes × shapes
    expect(pairwise(dimensions, fits)).toEqual(chosen);
  });

  test('positive control: as many combinations in order miss pairs', () => {
    const { length } = pairwise(dimensions, fits);
    expect(new Set(all.filter(fits).slice(0, length).flatMap(pairsOf))).not.toEqual(fittingPairs);
  });
});

describe('rows', () => {
  let routes: readonly string[];
  beforeAll(async () => {
    const gantry = await createGantry({ data: mkdtempSync(join(tmpdir(), 'gantry-routes-')), url: publicUrl });
    await gantry.close();
    routes = gantry.routes;
  });

  test('the grid knows every route of a site, and no other', () => {
    expect(unknownRoutes(routes)).toEqual([]);
    expect(fixedRoutes.filter((route) => !routes.includes(route))).toEqual([]);
    expect(routes.length).toBeGreaterThan(100);
  });

  test('positive control: a route that the table lacks is unknown', () => {
    const added = ['GET /gantry/new', 'POST /social/rest/groups/{guid}', 'GET /social/rest/people/{guid}/{new}'];
    expect(unknownRoutes([...routes, ...added])).toEqual(added);
  });

  test('every route meets every shape that fits it', () => {
    const met = new Set(gridRows(routes).map(({ route, shape }) => `${route}: ${shape.name}`));
    const reads = shapes.filter(({ fits }) => !fits).map(({ name }) => name);
    expect(
      routes.flatMap((route) => reads.map((name) => `${route}: ${name}`)).filter((pair) => !met.has(pair)),
    ).toEqual([]);
    expect(met).toContain('GET /gantry/media/{token}: 100 HEAD at once');
    expect(met).toContain('POST /gantry/calls: calls over popular members');
  });

  test('the paths that Gantry claims of a site are those of its routes', () => {
    const paths = routes.map((route) => route.split(' ')[1] ?? '');
    expect(paths.filter((path) => !isGantryPath(path))).toEqual([]);
    expect(gantryPaths.filter((one) => !paths.some((path) => path === one || path.startsWith(`${one}/`)))).toEqual([]);
  });
});

const browser = { cookie: '', formToken: () => '' };
const visitors = { viewer: browser, spare: browser, bystander: browser, anonymous: browser };
const delivery = { keys: { viewer: [''], bystander: [''] }, files: [], version: '' };
const world: World = { size: sizes.short, photo: '', visitors, delivery };
const program = fileURLToPath(new URL('planted-server.ts', import.meta.url));
const startPlanted = () => startServer({ program, flags: (port) => [String(port)] }, world);

describe.skipIf(process.platform !== 'linux')('probe', () => {
  let server: Server;
  beforeAll(async () => {
    server = await startPlanted();
  });
  afterAll(() => server.stop());

  async function costOf(path: string) {
    const { cost } = await server.meter.measure(
      () =>
        new Promise<void>((resolve, reject) => {
          request({ host: '127.0.0.1', port: server.port, path, agent: false }, (response) => {
            response.resume().on('end', resolve);
          })
            .on('error', reject)
            .end();
        }),
    );
    return cost;
  }

  test('sees a stop of 400 ms of processor time', async () => {
    const { longestStopMs } = await costOf('/stop');
    expect(longestStopMs).toBeGreaterThanOrEqual(400);
  });

  test.each(['/', '/turns', '/sleep'])('control: sees no stop in %s, which takes as long or nothing', async (path) => {
    const { longestStopMs } = await costOf(path);
    expect(longestStopMs).toBeLessThan(200);
  });

  test.each(['/hold', '/pass'])('sees 100 MB that a request fills, kept or not: %s', async (path) => {
    const { peakBytes } = await costOf(path);
    expect(peakBytes).toBeGreaterThanOrEqual(95 * mib);
  });

  test('control: sees no memory in a request that takes none', async () => {
    const { peakBytes } = await costOf('/');
    expect(peakBytes).toBeLessThan(32 * mib);
  });
});

describe.skipIf(process.platform !== 'linux')('positive control: the grid finds', () => {
  let measured: readonly Measured[];
  beforeAll(async () => {
    const routes = ['GET /healthz', 'GET /reference', 'GET /readyz', 'GET /openapi.json', 'GET /metrics'];
    const shape: Shape = { name: 'a query', change: (ask) => ({ ...ask, target: `${ask.target}?planted` }) };
    const rows = routes.map((route): Row => ({ route, shape, who: 'anyone' }));
    measured = await runGrid({ world, routes, start: startPlanted, remove: () => {} }, rows);
  }, 300_000);
  const faultsOf = (path: string) => measured.find(({ route }) => route === `GET ${path}`)?.faults.join('; ');

  test('a route that stops the loop', () => expect(faultsOf('/healthz')).toMatch(/^stops for \d{3,4} ms more/));
  test('a route that fills the memory', () => expect(faultsOf('/reference')).toMatch(/^\d{3,4} MB more/));
  test('a route that is not there', () => expect(faultsOf('/readyz')).toMatch('measured nothing: the plain request'));
  test('a server that ends', () => expect(faultsOf('/openapi.json')).toMatch('measured nothing: The server ended'));
  test('nothing in a route that costs nothing', () => expect(faultsOf('/metrics')).toBe(''));
});

test.skipIf(process.platform !== 'linux')(
  'no route costs what its sender decides, in a sample of the grid (security rules 25, 34 and 35)',
  {
    timeout: 600_000,
  },
  async () => {
    const site = await prepareSite({ size: sizes.short });
    onTestFinished(site.remove);
    const measured = await runGrid(site, shortRows());
    // Once more: a busy machine stops a loop too, a route that costs does so again.
    const suspects = measured.filter(({ faults }) => faults.length > 0);
    const isSuspect = ({ route, shape, who }: Row) =>
      suspects.some((one) => one.route === route && one.shape.name === shape.name && one.who === who);
    const again = suspects.length > 0 ? await runGrid(site, shortRows().filter(isSuspect)) : [];
    const over = again.flatMap(({ route, shape, who, faults }) =>
      faults.map((fault) => `${route}, ${shape.name}, ${who}: ${fault}`),
    );
    expect(over).toEqual([]);
    expect(measured.length).toBeGreaterThan(35);
  },
);
