import type { OperationId } from '@gantry/wire';
import { expect, onTestFinished, test } from 'vitest';
import { checkAnswer } from '../src/call-answers.ts';
import { createLab, type Lab } from '../src/index.ts';
import { app, openPage, small, url } from './page.ts';

async function lab(): Promise<Lab> {
  const made = await createLab({ url, apps: [app], world: small, scenario: { interval: 0 } });
  onTestFinished(() => made.close());
  return made;
}

const post = (title: string) => ['activities.create', { activity: { title } }] as const;
const eva = { id: 'eva', displayName: 'Eva from the test' };

async function titles(made: Lab): Promise<readonly string[]> {
  const { ok } = (await openPage(made, 'eva').call('activities.get')) as { ok: { list: { title: string }[] } };
  return ok.list.map(({ title }) => title);
}

test('a handler gets operation, params, member and app of a call, and answers in the site’s place', async () => {
  const made = await lab();
  const seen: unknown[] = [];
  made.calls.route('people.get', (call) => {
    const { operation, params, viewer, app: id } = call;
    seen.push({ operation, params, viewer, id });
    call.answer(eva);
  });
  expect(await openPage(made, 'eva').call('people.get', { userId: '@viewer' })).toMatchObject({ ok: eva });
  expect(seen).toEqual([{ operation: 'people.get', params: { userId: '@viewer' }, viewer: 'eva', id: 'zettel' }]);
  expect(made.record.entries).toContainEqual(
    expect.objectContaining({ kind: 'fault', fault: 'answer', viewer: 'eva' }),
  );
  expect(made.calls.end()).toEqual([]);
});

test('fail refuses with the word of the status, and the site does nothing; pass and unroute let it do it', async () => {
  const made = await lab();
  const page = openPage(made, 'eva');
  made.calls.route('activities.create', (call) =>
    call.params.activity && JSON.stringify(call.params).includes('one') ? call.fail(507) : call.pass(),
  );
  expect(await page.call(...post('one'))).toMatchObject({ error: { code: 507, data: { reason: 'STORAGE_FULL' } } });
  expect(await page.call(...post('two'))).toHaveProperty('ok');
  made.calls.unroute('activities.create');
  expect(await page.call(...post('one'))).toHaveProperty('ok');
  expect(await titles(made)).toEqual(['one', 'two']);
});

test('the handler that was added last gets a call alone, a row of the API is a name too, and once ends with one call', async () => {
  const made = await lab();
  const page = openPage(made, 'eva');
  made.calls.route('people.get', (call) => call.fail(404));
  made.calls.once('people.getSelf', (call) => call.answer(eva));
  made.calls.route('*', (call) => call.fail(410), { viewer: 'finn' });
  expect(await page.call('people.get')).toMatchObject({ ok: eva });
  expect(await page.call('people.get')).toMatchObject({ error: { code: 404 } });
  expect(await openPage(made, 'finn').call('people.get')).toMatchObject({ error: { code: 410 } });
});

test('a read that the proxy could answer from its cache gets to the handler, and fail takes only statuses of failures', async () => {
  const made = await lab();
  const page = openPage(made, 'eva');
  await page.call('people.get');
  made.calls.once('people.getSelf', (call) => {
    expect(() => call.fail(200)).toThrow('400 to 599');
    call.fail(404, 'GONE');
  });
  expect(await page.call('people.get')).toMatchObject({ error: { code: 404, data: { reason: 'GONE' } } });
  expect(await page.call('people.get')).toHaveProperty('ok');
});

test('hold keeps a call until it is released, however far time jumps', async () => {
  const made = await lab();
  const page = openPage(made, 'eva');
  const held = made.calls.hold('activities.create');
  const posting = page.call(...post('one'));
  expect(await held.arrived).toMatchObject({ operation: 'activities.create', viewer: 'eva', app: 'zettel' });
  expect(made.calls.waiting).toMatchObject([{ heldBy: "calls.hold('activities.create')", viewer: 'eva' }]);
  made.clock.jump(60_000);
  expect(await titles(made)).toEqual([]);
  held.release();
  expect(await posting).toHaveProperty('ok');
  expect(await titles(made)).toEqual(['one']);
  expect(made.calls.waiting).toEqual([]);
});

test('a held call is answered or refused by the test, also before it arrived; the next one is not held', async () => {
  const made = await lab();
  const page = openPage(made, 'eva');
  made.calls.hold('activities.create').fail(500, 'LATER');
  expect(await page.call(...post('one'))).toMatchObject({ error: { code: 500, data: { reason: 'LATER' } } });
  expect(await page.call(...post('two'))).toHaveProperty('ok');
  const held = made.calls.hold('people.get');
  const reply = page.call('people.get');
  await held.arrived;
  expect(() => held.answer({ name: 'Eva' })).toThrow('This is no result of people.get: it.id must be text.');
  held.answer(eva);
  expect(await reply).toMatchObject({ ok: eva });
});

test('the end lets go what is held, and names what got no decision; nothing is held after it', async () => {
  const made = await lab();
  const page = openPage(made, 'eva');
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  made.calls.route('people.get', () => resolve());
  const held = made.calls.hold('activities.create');
  const missing = made.calls.hold('appdata.get').arrived;
  const [read, posted] = [page.call('people.get'), page.call(...post('one'))];
  await Promise.all([arrived, held.arrived]);
  expect(made.calls.end().map(({ message }) => message)).toEqual([
    "calls.route('people.get') made no decision about people.get of zettel, for eva: call answer(), fail() or pass() before the test ends.",
    "calls.hold('appdata.get') met no call. Remove it, or allow that with { optional: true }.",
  ]);
  await expect(missing).rejects.toThrow('met no call');
  expect(await read).toHaveProperty('ok');
  expect(await posted).toHaveProperty('ok');
  expect(await page.call('people.get')).toHaveProperty('ok');
  expect(made.calls.end()).toEqual([]);
});

test('a handler that throws is an error of the test, and its call fails', async () => {
  const made = await lab();
  const page = openPage(made, 'eva');
  const wrong = new Error('wrong in the test');
  made.calls.once('people.get', async () => {
    await Promise.resolve();
    throw wrong;
  });
  expect(await page.call('people.get')).toMatchObject({ error: { code: 500, data: { reason: 'UPSTREAM_FAILED' } } });
  made.calls.once('people.get', (call) => {
    call.pass();
    call.answer(eva);
  });
  await page.call('people.get');
  expect(made.calls.end().map(({ message }) => message)).toEqual([
    'wrong in the test',
    "calls.once('people.get'): the call got answer(), and had got pass() before. Decide once.",
  ]);
});

test('closing a lab lets go what is held', async () => {
  const made = await createLab({ url, apps: [app], world: small });
  const held = made.calls.hold('people.get');
  const call = openPage(made, 'eva').call('people.get');
  await held.arrived;
  await made.close();
  await call;
});

const cycle: { self?: unknown } = {};
cycle.self = cycle;
const page = { startIndex: 0, totalResults: 1, itemsPerPage: 20 };
const wrongAnswers: readonly (readonly [row: OperationId, value: unknown, complaint: string])[] = [
  ['people.getSelf', undefined, 'The answer is not plain data: it is undefined.'],
  ['people.getSelf', { ...eva, say: () => 'hi' }, 'The answer.say is not plain data: it is function.'],
  ['people.getSelf', { ...eva, at: new Date(0) }, 'The answer.at is not plain data: it is an instance of Date.'],
  ['people.getSelf', { ...eva, age: Number.NaN }, 'The answer.age is not plain data: it is NaN.'],
  ['people.getSelf', cycle, 'The answer.self is not plain data: it contains itself.'],
  ['people.getFriends', [eva], 'This is no result of people.get: it must be an object.'],
  ['people.getFriends', { list: [eva] }, 'This is no result of people.get: startIndex must be a number,'],
  ['people.getFriends', { ...page, list: [{ id: 'x' }] }, 'list[0].displayName must be text.'],
  [
    'appData.getSelf',
    { eva: { score: 12 } },
    'This is no result of appdata.get: eva must be an object of keys and texts',
  ],
  ['activities.create', 'done', 'This is no result of activities.create: it must be an object.'],
];

test.each(wrongAnswers)('an answer of another shape is an error: %s %j', (row, value, complaint) => {
  expect(() => checkAnswer(row, value)).toThrow(complaint);
});

test('an answer is a copy, and may be what the site itself answers', () => {
  const list = [eva];
  const answer = checkAnswer('people.getFriends', { ...page, list });
  list.push(eva);
  expect(answer).toEqual({ ...page, list: [eva] });
  expect(checkAnswer('appData.getSelf', JSON.parse('{"eva":{"__proto__":"a"}}'))).toEqual({
    eva: { ['__proto__']: 'a' },
  });
});

test('an unknown operation is an error, one that every object has too', async () => {
  const made = await lab();
  for (const name of ['people.gte', 'toString', '__proto__']) {
    expect(() => made.calls.route(name, () => {})).toThrow(`There is no operation ${name}`);
  }
});

test('a handler cannot change what the site is asked', async () => {
  const made = await lab();
  made.calls.once('activities.create', (call) => {
    Object.assign(call.params, { activity: { title: 'changed' } });
    call.pass();
  });
  await openPage(made, 'eva').call(...post('one'));
  expect(await titles(made)).toEqual(['one']);
});
