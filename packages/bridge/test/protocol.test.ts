import { readFile } from 'node:fs/promises';
import { errorStatus } from '@gantry/wire';
import { expect, test } from 'vitest';
import { createAppCalls } from '../src/app-calls.ts';
import { batchLimit, batchText, limits } from '../src/protocol.ts';
import { protocolVersions } from '../src/versions.ts';

const page = await readFile(new URL('../../../docs/bridge-protocol.md', import.meta.url), 'utf8');
const source = await readFile(new URL('../src/protocol.ts', import.meta.url), 'utf8');

test('docs/bridge-protocol.md names every method that an app can call, and no other', () => {
  const { methods } = createAppCalls({ answer: () => ({ ok: 1 }), actions: new Map(), pong: () => {} }, () => {});
  const [, table = ''] = page.split('| Method | Arguments | Answer |');
  const named = [
    ...table
      .split('\n\n', 1)
      .join()
      .matchAll(/^\| `(\w+)` \|/gm),
  ].map(([, name]) => name);
  expect(named.toSorted()).toEqual([...methods.keys()].toSorted());
});

test('docs/bridge-protocol.md names every message of the page with all its members', () => {
  const messages = [...source.matchAll(/readonly gantry: '(\w+)';\n((?: .*\n)*)/g)];
  expect(messages.map(([, kind]) => kind)).toEqual(['hello', 'welcome', 'replies', 'event', 'ended', 'ping', 'closed']);
  for (const [, kind, members = ''] of messages) {
    expect(page).toContain(`\`'${kind}'\``);
    const [row = ''] = page.split('\n').filter((line) => line.startsWith(`| \`'${kind}'\``));
    for (const [, member] of members.matchAll(/^ {2}readonly (\w+)\??:/gm)) {
      expect(kind === 'hello' ? page : row, `${kind}.${member}`).toContain(`\`${member}\``);
    }
  }
});

test('docs/bridge-protocol.md gives the limits and the version as they are', () => {
  const { idLength, capabilities, capabilityLength, size } = limits;
  const number = (value: number) => value.toLocaleString('en-US');
  for (const said of [
    `a list of at most ${number(batchLimit)} request items`,
    `at most ${number(batchText)} characters if there are several`,
    `each ${number(size)} code units of its text and keys, with eight for each value`,
    `text of at most ${idLength} characters`,
    `At most ${capabilities} words of ${capabilityLength} characters`,
    `\`[${protocolVersions.join(', ')}]\` today`,
    '#gantry=1.<nonce>',
  ]) {
    expect(page.replace(/\s+/g, ' ')).toContain(said);
  }
});

test('docs/bridge-protocol.md gives each error its number', () => {
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| (\d+) \|/gm)];
  expect(rows.length).toBeGreaterThan(5);
  for (const [, reason, code] of rows) expect(errorStatus[reason as keyof typeof errorStatus]).toBe(Number(code));
});
