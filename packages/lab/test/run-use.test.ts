import { expect, test } from 'vitest';
import { createRecord, createRunUse, type LabEvent, readKey } from '../src/index.ts';

function useOf(events: readonly LabEvent[], app = 'hello') {
  const record = createRecord({ now: () => Date.UTC(2026, 4, 1) });
  const collector = createRunUse(app);
  record.subscribe((entry) => collector.add(entry));
  for (const event of events) record.add({ ...event, lab: 'a', app: 'hello', place: '1' });
  return collector.use('digest');
}

const call = (number: number, operation: string, params: unknown = {}): LabEvent => ({
  ...{ kind: 'call', call: number, operation, params },
});
const ready: LabEvent = { kind: 'load', what: 'ready' };

test('a run says which calls an app made, which fields it asked for, and what was refused', () => {
  const forbidden = { code: 403, message: 'Not declared.', data: { reason: 'FORBIDDEN' } } as const;
  expect(
    useOf([
      ready,
      call(1, 'people.get', { userId: '@viewer', groupId: '@friends', fields: ['birthday', 'age'] }),
      call(2, 'albums.get', { userId: '@viewer' }),
      { kind: 'reply', call: 2, error: forbidden, tookMs: 1, size: 10 },
      {
        kind: 'policy',
        directive: 'img-src',
        blocked: 'https://pictures.example/a.jpg',
        where: { file: 'a.js', line: 3 },
      },
    ]),
  ).toEqual({
    ...{ version: 1, app: 'hello', at: '2026-05-01T00:00:00.000Z', manifest: 'digest', starts: 1 },
    operations: ['albums.get', 'people.get'],
    fields: ['age', 'birthday'],
    hosts: ['https://pictures.example'],
    reads: expect.arrayContaining([expect.stringContaining('@friends')]),
    refused: [
      { kind: 'call', name: 'albums.get', message: 'Not declared.' },
      {
        ...{ kind: 'host', name: 'https://pictures.example', message: 'img-src refused https://pictures.example.' },
        ...{ file: 'a.js', line: 3 },
      },
    ],
  });
});

test('two reads that mean the same have one key, however they are written', () => {
  expect(readKey('people.get', { userId: '@viewer', groupId: '@friends', fields: 'age,birthday' })).toBe(
    readKey('people.get', { fields: ['birthday', 'age'], groupId: '@friends', userId: ['@me'] }),
  );
  expect(readKey('people.get', { userId: '@owner' })).not.toBe(readKey('people.get', { userId: '@viewer' }));
  expect(readKey('people.frobnicate', {})).toBeUndefined();
});

test('calls that do not exist, other apps and refusals that no line allows count for nothing', () => {
  const nothing = { operations: [], fields: [], hosts: [], reads: [], refused: [] };
  expect(
    useOf([
      call(1, 'people.frobnicate'),
      { kind: 'policy', directive: 'connect-src', blocked: 'https://api.example/x' },
      { kind: 'policy', directive: 'img-src', blocked: 'http://plain.example/x' },
      { kind: 'policy', directive: 'script-src', blocked: 'eval' },
    ]),
  ).toMatchObject(nothing);
  expect(useOf([call(1, 'people.get')], 'other')).toMatchObject(nothing);
});

test('an app that makes many different calls fills no memory and no file (security rule 25)', () => {
  const many = Array.from({ length: 5_000 }, (_, index) => call(index, 'people.get', { userId: `m-${index}` }));
  const use = useOf(many);
  expect(use.reads).toHaveLength(200);
  expect(use.operations).toEqual(['people.get']);
});
