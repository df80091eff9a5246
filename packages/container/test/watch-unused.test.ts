import { expect, test } from 'vitest';
import { createStillClock } from '../../bridge/test/still-clock.ts';
import { noticeUnused } from '../src/chrome/watch-unused.ts';

function watched(declared: readonly string[]) {
  const used = new Set<string>();
  const said: string[] = [];
  const clock = createStillClock();
  const end = noticeUnused(
    { title: 'Notes', declared, used },
    {
      say: (_, text) => said.push(text),
      clock,
    },
  );
  const pass = () => clock.jump(10_000);
  return { used, said, pass, end };
}

test('an app that asks for more than it uses is told so once, when it has called nothing new for ten seconds', () => {
  const { used, said, pass } = watched(['people.get', 'appdata.get', 'activities.create']);
  used.add('people.get');
  pass();
  expect(said).toEqual([]); // it was busy
  used.add('appdata.get');
  pass();
  expect(said).toEqual([]);
  pass();
  pass();
  expect(said).toEqual(['Notes asks members for activities.create in gadget.json and has made no such call yet.']);
});

test('an app that uses all that it asks for hears nothing, nor does one that is gone', () => {
  const thrifty = watched(['people.get']);
  thrifty.used.add('people.get');
  thrifty.pass();
  const gone = watched(['people.get']);
  gone.end();
  gone.pass();
  expect([...thrifty.said, ...gone.said]).toEqual([]);
});
