import { pairwise } from './pairwise.ts';
import { planOf } from './routes.ts';
import { type Shape, shapes } from './shapes.ts';
import { type Who, whos } from './who.ts';

/** One cell of the grid. */
export interface Row {
  readonly route: string;
  readonly shape: Shape;
  readonly who: Who;
}

/**
 * Returns the rows for these routes: each two of route, shape and sender together, and each list of
 * a route from each sender.
 */
export function gridRows(routes: readonly string[]): Row[] {
  const planned = routes.filter((route) => planOf(route));
  const lists = planned.flatMap((route) =>
    listsOf(route).flatMap((shape) => whos.map((who): Row => ({ route, shape, who }))),
  );
  return [...pairwise({ route: planned, shape: shapes, who: whos }, fits), ...lists.filter(fits)].toSorted(
    (a, b) => routes.indexOf(a.route) - routes.indexOf(b.route),
  );
}

function listsOf(route: string): Shape[] {
  return Object.entries(planOf(route)?.large ?? {}).map(([name, list]) => ({ name, connections: 4, list }));
}

function fits({ route, shape, who }: Row): boolean {
  const plan = planOf(route);
  const [method = ''] = route.split(' ');
  if (!plan?.who.includes(who)) return false;
  return shape.fits?.(method, plan) ?? true;
}

/** One route for each place that reads bodies, makes answers or runs lists; more take too long. */
const sampledRoutes = [
  'GET /gantry/apps/{file}',
  'GET /gantry/media/{token}',
  'POST /account/photos/album/{id}/upload',
  'PUT /account/photos/album/{id}/upload',
  'POST /gantry/admin/records',
  'POST /gantry/calls',
  'PUT /gantry/registry/chunks/{chunk}',
  'POST /gantry/registry/apps/{app}/versions',
  'POST /social/rpc',
  'GET /social/rest/people/{guid}/@friends',
];
/** Routes of the sample that meet a shape. Those named by `isEverywhere` meet all that fit them. */
const sampledOfShape = 1;

/**
 * Lists for the whole grid only: 4 forms of 32 MB and pictures of 49 megapixels, whose garbage and
 * pixels are about as much as a row may cost, and calls that take seconds of processor time.
 */
const notSampled = [
  '300,000 files of a byte',
  '350,000 fields',
  'a picture of 1 × 50,000,000',
  'a picture of 7,000 × 7,000',
  'a batch over popular members',
  'many records',
];

/** Returns a sample of the grid for the tests, from the most powerful sender of each route. */
export function shortRows(): Row[] {
  const rows = sampledRoutes.flatMap((route) => {
    const who = whos.find((one) => planOf(route)?.who.includes(one)) as Who;
    const lists = listsOf(route).filter(({ name }) => !notSampled.includes(name));
    return [...shapes, ...lists].map((shape): Row => ({ route, shape, who })).filter(fits);
  });
  const others = Map.groupBy(
    rows.filter((row) => !isEverywhere(row)),
    ({ shape }) => shape.name,
  );
  const rotated = [...others.values()].flatMap((of, index) =>
    [...of.slice(index % of.length), ...of].slice(0, sampledOfShape),
  );
  return rows.filter((row) => isEverywhere(row) || rotated.includes(row));
}

/** Lists, slow and chunked bodies, and files of which the headers or the first piece are read. */
function isEverywhere({ route, shape }: Row): boolean {
  const isOfFile = planOf(route)?.isFile === true && (shape.reading === 'no more' || shape.name.includes('HEAD'));
  return isOfFile || shape.list !== undefined || (shape.sending !== undefined && shape.sending !== 'announced only');
}

/** Returns the routes that the table of the grid does not have. */
export function unknownRoutes(routes: readonly string[]): string[] {
  return routes.filter((route) => planOf(route) === undefined);
}
