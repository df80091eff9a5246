import { bounds, type Control, excessBytes, type Measured, measureRow } from './measure-row.ts';
import type { Row } from './rows.ts';
import type { Site } from './site.ts';

/** Times that a row is measured which exceeds a bound: what its sender decides shows each time. */
const mostTries = 3;

/**
 * Attacks a site in each of these ways and returns what each cost. A process that exceeded a bound
 * is replaced, so that what is measured after it is measured in a fresh one.
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
      let result: Measured;
      for (let tries = 1; ; tries++) {
        result = await measureRow(row, { world: site.world, server, controls, next });
        if (result.faults.length === 0) break;
        // The first of its kind may load and compile, and a busy machine may be late: the same
        // process is asked again. One that has filled its memory may have kept it, and the
        // collector takes buffers of the past in turns of 64 MB.
        if (tries > 1 || excessBytes(result) > bounds.bytes) {
          await server.stop();
          server = await site.start();
          controls = new Map();
        }
        if (tries === mostTries) break;
      }
      measured.push(result);
      tell(result);
    }
  } finally {
    await server.stop();
  }
  return measured;
}
