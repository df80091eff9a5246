import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcomes, Row, Run } from './outcomes.ts';
import { fillTables } from './tables.ts';

const file = join(import.meta.dirname, 'record.json');
const page = join(import.meta.dirname, '../../docs/isolation.md');

/** Reads the last recorded run, from which the tables of docs/isolation.md are made. */
export function readRecord(): Run {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Replaces what the record says of these browsers, and the tables. */
export function writeRecord(found: Run): void {
  const record = { ...readRecord(), ...found };
  writeFileSync(file, `${JSON.stringify(record, undefined, 2)}\n`);
  writeFileSync(page, fillTables(readFileSync(page, 'utf8'), record));
}

/** Returns what was found in one part and is not what the record says, a line for each. */
export function findDifferences(found: Outcomes, recorded: Outcomes | undefined): readonly string[] {
  return Object.entries(found).flatMap(([part, rows]) =>
    Object.entries(rows).flatMap(([name, row]) =>
      differencesOf(row, recorded?.[part]?.[name]).map((line) => `${part}, ${name}: ${line}`),
    ),
  );
}

function differencesOf(row: Row, recorded: Row | undefined): readonly string[] {
  return Object.entries(row)
    .filter(([mode, word]) => word !== recorded?.[mode])
    .map(([mode, word]) => `${word} (${mode}); the record says ${recorded?.[mode] ?? 'nothing'}`);
}

/** Returns the lines of results that no record may hold. */
export function findFailures(found: Outcomes): readonly string[] {
  return Object.entries(found).flatMap(([part, rows]) =>
    Object.entries(rows).flatMap(([name, row]) =>
      Object.entries(row)
        .filter(([, word]) => word === 'broken' || word?.startsWith('fails'))
        .map(([mode, word]) => `${part}, ${name}: ${word} (${mode})`),
    ),
  );
}
