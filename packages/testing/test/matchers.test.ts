import { type CallRoutes, createRecord, type Lab, type Record, type StoredData } from '@gantry/lab';
import { type FrameLocator, type Locator, mergeExpects, expect as playwrightExpect } from '@playwright/test';
import { expect, test } from 'vitest';
import { expect as gadgetExpect, matchers } from '../src/matchers/index.ts';
import { withRecordView } from '../src/record-view.ts';
import type { Gadget } from '../src/types.ts';

/**
 * A gadget of a record that a test writes: no browser, and a site of which only the calls that are
 * held are known.
 */
function gadgetOf(record: Record, { app = 'zettel', isReady = true } = {}): Gadget {
  const entries = () => record.entries.filter(({ place }) => place?.startsWith('eva/'));
  const locator = () => ({ evaluate: async () => false }) as Partial<Locator> as Locator;
  const members: Partial<Gadget> = {
    app,
    viewer: 'eva',
    element: { evaluateAll: async () => 'ready' } as Partial<Locator> as Locator,
    frame: { locator } as Partial<FrameLocator> as FrameLocator,
    settled: async () => {
      if (!isReady) throw new Error('it goes on and on');
    },
    lab: {
      record,
      calls: { waiting: [] } as Partial<CallRoutes>,
      manifest: async () => undefined,
      stored: {
        appDataKeys: async () => [],
        profileValues: async () => undefined,
      } as Partial<StoredData> as StoredData,
    } as Partial<Lab> as Lab,
  };
  return withRecordView(members, entries) as Gadget;
}

const head = { lab: 'lab', app: 'zettel', place: 'eva/zettel-1' };

function callsIn(record: Record) {
  let call = 0;
  return (operation: string, params: object, ok: unknown = {}) => {
    call += 1;
    record.add({ ...head, kind: 'call', call, operation, params });
    record.add({ ...head, kind: 'reply', call, ok, tookMs: 1, size: 2 });
    return call;
  };
}

const quick = gadgetExpect.configure({ timeout: 50 });
const friends = { userId: '@viewer', groupId: '@friends' };

/** Message of a matcher that fails. */
async function messageOf(failing: Promise<void>): Promise<string> {
  const error: unknown = await failing.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new Error('The matcher passed.');
  return error.message;
}

test('toHaveCalled passes for a call with these parameters among others, and with matchers in them', async () => {
  const record = createRecord();
  callsIn(record)('people.get', { ...friends, count: 20, fields: ['age'] });
  const gadget = gadgetOf(record);
  await quick(gadget).toHaveCalled('people.get');
  await quick(gadget).toHaveCalled('people.get', friends);
  await quick(gadget).toHaveCalled('people.getFriends', { fields: ['age'] });
  await quick(gadget).toHaveCalled('people.get', {
    count: expect.any(Number),
    fields: expect.arrayContaining(['age']),
  });
  await quick(gadget).not.toHaveCalled('people.get', { fields: ['age', 'gender'] });
  await quick(gadget).not.toHaveCalled('people.getSelf');
  await quick(gadget).toHaveCalledOnce('people.get', friends);
  await quick(gadget).toHaveCalled('activities.create', undefined, { times: 0 });
});

test('toHaveCalled waits for a call that comes later', async () => {
  const record = createRecord();
  const waited = gadgetExpect(gadgetOf(record)).toHaveCalled('people.get');
  await Promise.resolve();
  callsIn(record)('people.get', {});
  await waited;
});

test('the message of toHaveCalled has the nearest calls with what differs, at most ten, and long values are cut', async () => {
  const record = createRecord();
  const call = callsIn(record);
  for (let index = 0; index < 2_000; index += 1) call('appdata.get', { keys: 'x'.repeat(10_000) });
  call('people.get', { userId: '@owner', groupId: '@friends' });
  const message = await messageOf(quick(gadgetOf(record)).toHaveCalled('people.get', friends));
  expect(message.split('\n').slice(0, 7)).toEqual([
    'expect(gadget).toHaveCalled',
    '',
    'Expected: a call of people.get with {"userId": "@viewer", "groupId": "@friends"}.',
    '',
    'Called instead (2001 in all), the nearest first:',
    '  #2001 people.get {"userId": "@owner", "groupId": "@friends"}',
    '       - userId: "@viewer"',
  ]);
  expect(message).toContain('       + userId: "@owner"');
  expect(message).toContain('… (10000 characters)');
  expect(message).toContain('  … 1991 more');
  expect(message.length).toBeLessThan(4_000);
});

test('an app that has called nothing is said to; one that is named toString is looked for as any other', async () => {
  const gadget = gadgetOf(createRecord(), { app: 'toString' });
  expect(await messageOf(quick(gadget).toHaveCalled('people.get'))).toContain('toString has made no call.');
});

test('a name that no call has is an error, not a test that always passes', async () => {
  const gadget = gadgetOf(createRecord());
  expect(await messageOf(quick(gadget).not.toHaveCalled('people.gte'))).toContain(
    'There is no operation "people.gte": did you mean people.get?',
  );
  expect(await messageOf(quick(gadget).not.toHaveCalled('people.getFriendz'))).toContain(
    'did you mean people.getFriends?',
  );
  expect(await messageOf(quick(gadget).not.toHaveCalled('toString'))).toContain('There is no operation "toString"');
  const mistyped = { time: 2 } as object;
  expect(await messageOf(quick(gadget).toHaveCalled('people.get', {}, mistyped))).toBe(
    'toHaveCalled has no option time: did you mean times?',
  );
  expect(await messageOf(quick(gadget).not.toHaveCalled('appdata.get', { key: ['note'] }))).toBe(
    'appdata.get has no parameter key: it is ignored. Write keys instead.',
  );
});

test('not.toHaveCalled and toHaveCalledOnce list the calls that there are', async () => {
  const record = createRecord();
  const call = callsIn(record);
  call('activities.create', { activity: { title: 'one' } });
  call('activities.create', { activity: { title: 'two' } });
  const gadget = gadgetOf(record);
  expect(await messageOf(quick(gadget).not.toHaveCalled('activities.create'))).toMatch(
    /^expect\(gadget\)\.not\.toHaveCalled\n\nNot expected: a call of activities\.create\.\n[\s\S]*#1 activities\.create .*"one"/,
  );
  expect(await messageOf(quick(gadget).toHaveCalledOnce('activities.create'))).toMatch(
    /^expect\(gadget\)\.toHaveCalledOnce\n\nExpected: 1 call of activities\.create\.\n\nSuch calls: 2\n/,
  );
  await quick(gadget).toHaveCalled('activities.create', {}, { times: 2 });
});

test('matchers that need a settled gadget fail if it never settles, and name the open calls', async () => {
  const record = createRecord();
  record.add({ ...head, kind: 'call', call: 1, operation: 'people.get', params: {} });
  const gadget = gadgetOf(record);
  for (const start of [
    () => quick(gadget).not.toHaveCalled('activities.create'),
    () => quick(gadget).not.toHaveReceived('birthday'),
    () => quick(gadget).toHaveNoRefusals(),
  ]) {
    expect(await messageOf(start())).toContain('The gadget was not settled: 1 call is open: #1 people.get.');
  }
  const busy = gadgetOf(createRecord(), { isReady: false });
  expect(await messageOf(quick(busy).not.toHaveReceived('birthday'))).toContain('it goes on and on');
});

const patient = gadgetExpect.configure({ timeout: 1_000 });

test('toHaveReceived looks into results, errors, pushes, events and contexts at any depth, not into what the app asked', async () => {
  const record = createRecord();
  const call = callsIn(record);
  const number = call(
    'people.get',
    { fields: ['birthday', 'age'] },
    { list: [{ id: 'finn', birthday: '', addresses: [] }] },
  );
  const gadget = gadgetOf(record);
  await patient(gadget).not.toHaveReceived('birthday');
  await patient(gadget).not.toHaveReceived('addresses');
  record.add({ ...head, kind: 'push', call: number, ok: { list: [{ id: 'finn', birthday: '1984/02/29' }] }, size: 1 });
  await quick(gadget).toHaveReceived('birthday');
  await quick(gadget).toHaveReceived('birthday', '1984/02/29');
  await patient(gadget).not.toHaveReceived('birthday', '1990/05/17');
  expect(await messageOf(quick(gadget).not.toHaveReceived('birthday'))).toContain(
    'push of call #1: ok.list[0].birthday = "1984/02/29"',
  );
  record.add({ ...head, kind: 'event', name: 'changed', data: { note: '{"deep":{"gender":"female"}}' } });
  await quick(gadget).toHaveReceived('gender');
  record.add({ ...head, kind: 'context', context: { viewer: { aboutMe: 'born 1990/05/17 in Kiel' } } });
  await quick(gadget).toHaveReceived('birthday', '1990/05/17');
  record.add({ ...head, kind: 'reply', call: 9, error: { code: 400, message: 'not +49 431' }, tookMs: 1, size: 1 });
  await quick(gadget).toHaveReceived('phone', '+49 431');
});

test('not.toHaveReceived says nothing of what is missing in the record', async () => {
  const partial: readonly ((record: Record) => unknown)[] = [
    (record) => callsIn(record)('people.get', {}, { leftOut: true }),
    (record) => record.add({ lab: 'lab', kind: 'left-out', count: 3 }),
    (record) => {
      for (let index = 0; index < 20_001; index += 1) record.add({ lab: 'lab', kind: 'limit', limit: 'rate' });
    },
  ];
  for (const write of partial) {
    const record = createRecord();
    write(record);
    expect(await messageOf(patient(gadgetOf(record)).not.toHaveReceived('birthday'))).toContain(
      'It cannot be said that the app has not received birthday.',
    );
  }
});

test('a deep and a large result are searched', async () => {
  const record = createRecord();
  let deep: unknown = { birthday: '1984/02/29' };
  for (let depth = 0; depth < 20_000; depth += 1) deep = { inner: deep };
  callsIn(record)('people.get', {}, deep);
  await quick(gadgetOf(record)).toHaveReceived('birthday');
});

test('toHaveNoRefusals fails with the cure, once for each problem, and leaves out what the test made fail', async () => {
  const record = createRecord();
  const call = callsIn(record);
  const denied = {
    code: 403,
    message: 'people.birthday is not granted.',
    data: { reason: 'NOT_GRANTED', missing: ['people.birthday'] },
  };
  record.add({ ...head, kind: 'call', call: 100, operation: 'people.get', params: {} });
  record.add({
    ...head,
    kind: 'reply',
    call: 100,
    error: { code: 507, message: 'The lab made this call fail with 507.' },
    tookMs: 1,
    size: 1,
  });
  call('people.get', {});
  const gadget = gadgetOf(record);
  await patient(gadget).toHaveNoRefusals();
  for (const number of [101, 102]) {
    record.add({ ...head, kind: 'call', call: number, operation: 'people.get', params: {} });
    record.add({ ...head, kind: 'reply', call: number, error: denied, tookMs: 1, size: 1 });
  }
  record.add({ ...head, kind: 'sandbox', name: 'alert' });
  record.add({ ...head, kind: 'policy', directive: 'img-src', blocked: 'https://pictures.example/1.png' });
  expect(gadget.refusals[0]?.message).toBe('The sandbox does not allow alert.');
  const message = await messageOf(quick(gadget).toHaveNoRefusals());
  expect(message).toContain(
    'Refused to zettel:\n  The member has not allowed people.birthday, which people.get needs. (2 times)\n    Handle the error:',
  );
  expect(message).toContain('pictures.example');
  expect(message).toContain('alert');
  await quick(gadget).not.toHaveNoRefusals();
  await patient(gadget).toHaveNoRefusals({ except: ['alert', 'people.birthday', /pictures\.example/] });
  expect(await messageOf(quick(gadget).toHaveNoRefusals({ except: ['alert'] }))).toContain('pictures.example');
});

test('the matchers join an expect of one’s own', async () => {
  const record = createRecord();
  callsIn(record)('people.get', {});
  const gadget = gadgetOf(record);
  const custom = playwrightExpect.extend({
    toBeOdd: (value: number) => ({ pass: value % 2 === 1, message: () => 'even' }),
  });
  const merged = mergeExpects(custom, gadgetExpect);
  merged(3).toBeOdd();
  await merged(gadget).toHaveCalled('people.get');
  await playwrightExpect.extend(matchers)(gadget).toHaveCalled('people.get');
});

test('the matchers are for gadgets only', () => {
  // Compiled, never run.
  const typed = (gadget: Gadget) => {
    void gadgetExpect(gadget).toHaveCalled('people.get');
    // @ts-expect-error A number has made no call.
    void gadgetExpect(5).toHaveCalled('people.get');
    // @ts-expect-error An operation is text.
    void gadgetExpect(gadget).toHaveCalled(5);
  };
  expect(typed).toBeTypeOf('function');
});
