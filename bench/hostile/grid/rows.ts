import { pairwise } from './pairwise.ts';
import { planOf, type RoutePlan } from './routes.ts';
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
  const plans = new Map<string, RoutePlan>();
  for (const route of routes) {
    const plan = planOf(route);
    if (plan) plans.set(route, plan);
  }
  const fits = ({ route, shape, who }: Row): boolean => {
    const plan = plans.get(route) as RoutePlan;
    const [method = ''] = route.split(' ');
    return plan.who.includes(who) && (shape.fits?.(method, plan) ?? true);
  };
  const rows = pairwise({ route: [...plans.keys()], shape: shapes, who: whos }, fits);
  const lists = [...plans].flatMap(([route, { large = {}, who }]) =>
    Object.entries(large).flatMap(([name, list]) =>
      who.map((one): Row => ({ route, who: one, shape: { name, connections: 4, list } })),
    ),
  );
  return [...rows, ...lists].toSorted((a, b) => routes.indexOf(a.route) - routes.indexOf(b.route));
}

/** Rows of each shape that the tests run, beside all rows of files in the shapes of reads. */
const ofShape = 3;

/** Returns a sample for the tests: files in each shape, and each shape and list a few times. */
export function shortRows(rows: readonly Row[]): Row[] {
  const files = rows.filter(
    ({ route, shape }) => planOf(route)?.isFile && (shape.reading || shape.change || shape.connections),
  );
  const others = [...Map.groupBy(rows, ({ shape }) => shape.name).values()].flatMap((of, index) => {
    const step = Math.max(1, Math.floor(of.length / ofShape));
    return of.filter((_, at) => at % step === index % step).slice(0, ofShape);
  });
  return rows.filter((row) => files.includes(row) || others.includes(row));
}

/** Returns the routes that the table of the grid does not have. */
export function unknownRoutes(routes: readonly string[]): string[] {
  return routes.filter((route) => planOf(route) === undefined);
}
