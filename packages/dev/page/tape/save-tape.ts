import type { Scenario } from '@gantry/lab/scenario';
import { createTape, redactTape, writeTape } from '@gantry/lab/tape';
import type { Row } from '../calls/row-log.ts';

/** Writes the rows of one app as a tape: redacted, since a tape is sent to others. */
export function tapeOfRows(
  rows: readonly Row[],
  { app, scenario }: { readonly app: string; readonly scenario: Scenario },
): string {
  const entries = rows
    .flatMap((row) => row.entries)
    .filter((entry) => entry.app === undefined || entry.app === app)
    .sort((a, b) => a.number - b.number);
  return writeTape(redactTape(createTape({ host: 'lab', app, scenario }, entries)));
}

export function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/x-ndjson' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // the browser reads it later
}
