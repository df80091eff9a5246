import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findDifferences, findFailures, readRecord } from '../browsers/record.ts';
import { openRelay } from '../browsers/relay.ts';
import { fillTables } from '../browsers/tables.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/isolation.md'), 'utf8');

test('the tables of docs/isolation.md are those of the recorded run, in which nothing failed', () => {
  const record = readRecord();
  expect(Object.keys(record)).toEqual(['Chromium', 'Firefox', 'WebKitGTK']);
  for (const { outcomes } of Object.values(record)) {
    expect(findFailures(outcomes)).toEqual([]);
    for (const part of Object.keys(outcomes)) expect(page).toContain(`<!-- browsers: ${part} -->`);
  }
  expect(fillTables(page, record)).toBe(page);
  expect(fillTables(page, { ...record, Firefox: { version: '1', outcomes: {} } })).not.toBe(page); // control
});

test('things tried with the same results share a line of a table, and a result of one mode names it', () => {
  const run = (name: string, words: Readonly<Record<string, string>>) => ({
    version: '1.0',
    outcomes: { 'self-test': { fetch: { opaque: 'holds' }, xhr: { opaque: 'holds' }, [name]: words } },
  });
  const record = { One: run('link', { opaque: 'open', 'one origin': 'holds' }), Two: run('form', { opaque: 'open' }) };
  expect(fillTables('<!-- browsers: self-test -->\nold\n<!-- end -->', record)).toBe(`<!-- browsers: self-test -->

| | One 1.0 | Two 1.0 |
|---|---|---|
| fetch, xhr | holds | holds |
| link | **open**: opaque; holds: one origin | – |
| form | – | **open** |

<!-- end -->`);
});

test('a run that does not agree with the record says the part, the thing tried, both results and the mode', () => {
  const recorded = { 'self-test': { link: { opaque: 'open', 'one origin': 'open' } } };
  expect(findDifferences({ 'self-test': { link: { opaque: 'open' } } }, recorded)).toEqual([]); // a part of it
  expect(findDifferences({ 'self-test': { link: { opaque: 'holds' }, form: { opaque: 'open' } } }, recorded)).toEqual([
    'self-test, link: holds (opaque); the record says open',
    'self-test, form: open (opaque); the record says nothing',
  ]);
});

test('what is broken or fails is never recorded', () => {
  const found = {
    'self-test': { fetch: { opaque: 'broken' }, link: { opaque: 'open' } },
    container: { calls: { opaque: 'fails: late' } },
  };
  expect(findFailures(found)).toEqual(['self-test, fetch: broken (opaque)', 'container, calls: fails: late (opaque)']);
});

test('a relay that is cut ends connections and takes no new ones, until it is restored', async () => {
  const server = createServer((_, response) => response.end('here')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const relay = await openRelay((server.address() as AddressInfo).port);
  const ask = () =>
    fetch(`http://127.0.0.1:${relay.port}`, { headers: { Connection: 'close' } }).then(
      (response) => response.text(),
      () => 'refused',
    );
  expect(await ask()).toBe('here');
  const held = connect(relay.port, '127.0.0.1');
  await once(held, 'connect');
  const closed = new Promise((resolve) => held.on('error', resolve).on('close', resolve));
  relay.cut();
  await closed;
  expect(await ask()).toBe('refused');
  relay.restore();
  expect(await ask()).toBe('here');
  relay.close();
  server.close();
});
