import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Entry } from '../../src/record/entry.ts';
import { createTape, redactTape, type Tape, writeSpec } from '../../src/tape/index.ts';

const root = join(import.meta.dirname, '../../../..');
const at = { lab: 'lab', app: 'notes', place: 'eva/notes#1' };
const odd = ['it\'s "odd" `$', '{x}` */ \u2028 \\'].join('');
const entries: readonly Entry[] = [
  {
    ...at,
    number: 1,
    atMs: 0,
    kind: 'call',
    call: 1,
    operation: 'people.get',
    params: { userId: odd, fields: ['age'] },
  },
  { ...at, number: 2, atMs: 1, kind: 'fault', fault: 'dropReply', operation: 'people.get' },
  { ...at, number: 3, atMs: 1, kind: 'fault', fault: 'fail', operation: 'people.get' },
  {
    ...at,
    number: 4,
    atMs: 2,
    kind: 'reply',
    call: 1,
    error: { code: 502, message: odd, data: { reason: odd } },
    tookMs: 1,
    size: 1,
  },
  { ...at, number: 5, atMs: 3, kind: 'clock', jumpMs: 0, isStopped: true },
  { ...at, number: 6, atMs: 3, kind: 'clock', jumpMs: 1_000, isStopped: true },
  { ...at, place: 'finn/notes#1', number: 7, atMs: 4, kind: 'call', call: 1, operation: 'people.get', params: odd },
  { ...at, number: 8, atMs: 5, kind: 'incident', name: odd, detail: {} },
  { ...at, number: 9, atMs: 5, kind: 'refusal', error: { code: 403, message: odd, data: { reason: odd } } },
  { ...at, number: 10, atMs: 5, kind: 'policy', directive: 'connect-src', blocked: odd },
  { ...at, number: 11, atMs: 5, kind: 'script-error', message: odd, rejection: true },
];
const scenario = {
  world: odd,
  persona: 'eva',
  owner: 'finn',
  view: odd,
  params: { [odd]: odd },
  theme: 'dark',
  width: 360,
} as const;
const whole = createTape({ host: 'lab', app: 'notes', scenario, test: { title: odd } }, entries);
const quiet = createTape({ host: 'lab', app: 'notes', scenario: {} }, entries.slice(0, 1));

/** Matchers as `@gantry/testing` declares them. */
const matchers = `import type { Gadget } from '@gantry/testing';
declare global {
  namespace PlaywrightTest {
    interface Matchers<R, T> {
      toHaveCalled(operation: string, params?: unknown): Promise<T extends Gadget ? R : R>;
    }
  }
}
`;

test('tests that are written out of tapes compile strictly against @gantry/testing (kit)', () => {
  const specs: Readonly<Record<string, Tape>> = { whole, redacted: redactTape(whole), quiet };
  const folder = mkdtempSync(join(root, 'packages/testing/.tape-'));
  try {
    for (const [name, tape] of Object.entries(specs)) writeFileSync(join(folder, `${name}.spec.ts`), writeSpec(tape));
    writeFileSync(join(folder, 'broken.spec.ts'), writeSpec(quiet).replace('gadget.mount', 'gadget.mountain'));
    writeFileSync(join(folder, 'matchers.ts'), matchers);
    const config = {
      extends: '../../../tsconfig.tests.json',
      compilerOptions: { rootDir: '../../..', tsBuildInfoFile: './.tsbuildinfo' },
      include: ['*.ts'],
      references: [],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
    const lines = stdout.split('\n').filter((line) => line.startsWith('packages/testing/.tape-'));
    expect(lines).toEqual([expect.stringMatching(/broken\.spec\.ts.*mountain/)]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
