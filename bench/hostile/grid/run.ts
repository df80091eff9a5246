import { bounds, type Control, excessBytes, type Measured, measureRow } from './measure-row.ts';
import type { Row } from './rows.ts';
import type { Site } from './site.ts';

/**
 * Attacks a site in each of these ways and returns what each cost. A process that exceeded a bound
 * is replaced, so that the rows after it are measured in a fresh one.
 */
export async function runGrid(
  site: Site,
  rows: readonly Row[],
  tell: (row: Measured) => void = () => {},
): Promise<Measured[]> {
  const measured: Measured[] = [];
  let server = await site.start();
  let controls = new Map<string, Control>();
  let counter = 0;
  const next = () => counter++;
  try {
    for (const row of rows) {
      const place = { world: site.world, server, controls, next };
      const first = await measureRow(row, place);
      // Again: the first of its kind may load and compile, and a busy machine may be late.
      // Memory is not measured twice, since the process may have kept it.
      const isFinal = first.faults.length === 0 || excessBytes(first) > bounds.bytes;
      const result = isFinal ? first : await measureRow(row, place);
      measured.push(result);
      tell(result);
      if (result.faults.length === 0) continue;
      await server.stop();
      server = await site.start();
      controls = new Map();
    }
  } finally {
    await server.stop();
  }
  return measured;
}
