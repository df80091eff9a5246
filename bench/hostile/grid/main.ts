import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { bounds, type Measured } from './measure-row.ts';
import { gridRows, unknownRoutes } from './rows.ts';
import { runGrid } from './run.ts';
import { prepareSite } from './site.ts';
import { sizes } from './world.ts';

const help = `Usage: npm run hostile -- grid [options]

Sends hostile requests to every route of a server of its own, and measures what each costs beside the plain request of the
same sender: memory at its peak, and the longest stop of the event loop in processor time. A row is over its bound beyond
${bounds.bytes / 2 ** 20} MiB or ${bounds.stopMs} ms more (on a busy machine as many times more as it is slower), if another person is refused meanwhile,
or if it measured nothing. Ends with 1 if one is.

  --route TEXT        Only routes that contain it, such as /gantry/apps; repeated: that contain one of them
  --shape TEXT        Only shapes that contain it: --shape HEAD
  --worst N           Rows to print (default 20)
  --json FILE         Appends each row to a file, a line of JSON each
  --database ADDRESS  An empty PostgreSQL database: node scripts/postgres.mjs prints its address
  --workers N         Processes of the server
  --size whole|short  Numbers of friends and posts (default whole)
  --help`;

/** Runs `npm run hostile -- grid`. Resolves with the exit code. */
export async function gridMain(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      route: { type: 'string', multiple: true },
      shape: { type: 'string' },
      worst: { type: 'string', default: '20' },
      json: { type: 'string' },
      database: { type: 'string' },
      workers: { type: 'string' },
      size: { type: 'string', default: 'whole' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const size = values.size === 'short' ? sizes.short : sizes.whole;
  const { database, route: routes, shape } = values;
  const site = await prepareSite({ size, database, workers: values.workers ? Number(values.workers) : undefined });
  try {
    const rows = gridRows(site.routes)
      .filter(({ route }) => routes?.some((text) => route.includes(text)) ?? true)
      .filter((row) => shape === undefined || row.shape.name.includes(shape));
    const measured = await runGrid(site, rows, (row) => {
      if (row.faults.length > 0) console.log(lineOf(row));
      if (values.json) appendFileSync(values.json, `${JSON.stringify(plainRow(row))}\n`);
    });
    return print(measured, { unknown: unknownRoutes(site.routes), worst: Number(values.worst) });
  } finally {
    site.remove();
  }
}

function print(
  rows: readonly Measured[],
  { unknown, worst }: { readonly unknown: readonly string[]; readonly worst: number },
): number {
  const over = rows.filter(({ faults }) => faults.length > 0);
  const share = ({ cost, control }: Measured) =>
    Math.max(
      (cost.peakBytes - control.peakBytes) / bounds.bytes,
      (cost.longestStopMs - control.longestStopMs) / bounds.stopMs,
    );
  const sorted = rows.toSorted((a, b) => share(b) - share(a));
  console.log(
    `\n| Route | Shape | Who | Peak, MB | Plain | Longest stop, ms | Plain | Answers |\n|---|---|---|---|---|---|---|---|`,
  );
  for (const row of sorted.slice(0, worst)) console.log(tableRow(row));
  for (const route of unknown) console.log(`✗ ${route}: the grid does not know this route`);
  console.log(`${rows.length} rows, ${over.length} over their bounds, ${unknown.length} unknown routes`);
  return over.length === 0 && unknown.length === 0 && rows.length > 0 ? 0 : 1;
}

const lineOf = ({ route, shape, who, faults }: Measured) => `✗ ${route}, ${shape.name}, ${who}: ${faults.join('; ')}`;

function tableRow({ route, shape, who, cost, control, statuses }: Measured): string {
  const megabytes = ({ peakBytes }: Measured['cost']) => (peakBytes / 1e6).toFixed(0);
  const ms = ({ longestStopMs }: Measured['cost']) => longestStopMs.toFixed(0);
  const cells = [route, shape.name, who, megabytes(cost), megabytes(control), ms(cost), ms(control), counted(statuses)];
  return `| ${cells.join(' | ')} |`;
}

function counted(statuses: readonly number[]): string {
  const counts = Map.groupBy(statuses, (status) => status);
  return [...counts].map(([status, { length }]) => (length === 1 ? `${status}` : `${length} × ${status}`)).join(', ');
}

const plainRow = ({ shape, ...row }: Measured) => ({ ...row, shape: shape.name, statuses: counted(row.statuses) });
