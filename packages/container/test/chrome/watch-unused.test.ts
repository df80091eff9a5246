import { expect, test } from 'vitest';
import { createStillClock } from '../../../bridge/test/still-clock.ts';
import { watchUnused } from '../../src/chrome/watch-unused.ts';

function watched(declared: readonly string[]) {
  const used = new Set<string>();
  const said: string[] = [];
  const clock = createStillClock();
  const gadget = { declared, used, clock, context: { app: { id: 'notes', title: 'Notes' } } };
  const dispatch = (_: string, { text }: { text: string }) => said.push(text) > 0;
  const end = watchUnused({ gadget, dispatch } as never);
  const pass = () => clock.jump(10_000);
  return { used, said, pass, end };
}

test('unused permissions are reported once, when the app has made no new kind of call for ten seconds', () => {
  const { used, said, pass } = watched(['people.get', 'appdata.get', 'activities.create']);
  used.add('people.get');
  pass();
  expect(said).toEqual([]);
  used.add('appdata.get');
  pass();
  expect(said).toEqual([]);
  pass();
  pass();
  expect(said).toEqual(['Notes asks members for activities.create in gadget.json and has made no such call yet.']);
});

test('nothing is reported of an app that uses all permissions, or has ended', () => {
  const thrifty = watched(['people.get']);
  thrifty.used.add('people.get');
  thrifty.pass();
  const gone = watched(['people.get']);
  gone.end();
  gone.pass();
  expect([...thrifty.said, ...gone.said]).toEqual([]);
});
