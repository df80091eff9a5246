import { expect, test } from 'vitest';
import { changeList } from '../../src/app-check/manifest-text.ts';

test('a list keeps the way in which its author wrote it', () => {
  expect(changeList('{ "name": "A", "uses": ["people.get"] }', 'uses', { add: ['albums.get'] })).toBe(
    '{ "name": "A", "uses": ["people.get", "albums.get"] }',
  );
  const long = '{\r\n\t"uses": [\r\n\t\t"people.get",\r\n\t\t"albums.get"\r\n\t],\r\n\t"hosts": []\r\n}\r\n';
  expect(changeList(long, 'uses', { add: ['appdata.get'], drop: [0] })).toBe(
    '{\r\n\t"uses": [\r\n\t\t"albums.get",\r\n\t\t"appdata.get"\r\n\t],\r\n\t"hosts": []\r\n}\r\n',
  );
  expect(changeList('{"uses":[ "people.get" ]}', 'uses', { drop: [0] })).toBe('{"uses":[]}');
  expect(changeList('{"uses":[]}', 'uses', { add: ['a', 'b'] })).toBe('{"uses":["a", "b"]}');
});

test('a list that is missing is added where it usually stands', () => {
  expect(changeList('{\n  "name": "A",\n  "uses": [],\n  "storage": true\n}\n', 'fields', { add: ['age'] })).toBe(
    '{\n  "name": "A",\n  "uses": [],\n  "fields": ["age"],\n  "storage": true\n}\n',
  );
  expect(changeList('{"name":"A"}', 'uses', { add: ['people.get'] })).toBe('{"name":"A", "uses": ["people.get"]}');
  expect(changeList('{}', 'uses', { add: ['people.get'] })).toBe('{ "uses": ["people.get"]}');
});

test('elements of any kind are dropped, and texts with brackets and quotes do not mislead', () => {
  const text =
    '{ "name": "a ] \\" { b", "preload": [{ "operation": "x", "params": { "a": [1, "]"] } }, { "operation": "y" }] }';
  expect(changeList(text, 'preload', { drop: [0] })).toBe(
    '{ "name": "a ] \\" { b", "preload": [{ "operation": "y" }] }',
  );
  expect(changeList('{ "optional": { "uses": ["a"] }, "uses": ["b"] }', 'uses', { add: ['c'] })).toBe(
    '{ "optional": { "uses": ["a"] }, "uses": ["b", "c"] }',
  );
});

test('nothing to change leaves the text alone, and every change is JSON again', () => {
  const text = '\uFEFF{ "uses" : [ "a" , "b" , "c" ] , "name" : "A" }';
  expect(changeList(text, 'uses', {})).toBe(text);
  for (const drop of [[0], [1], [2], [0, 2], [0, 1, 2]]) {
    const changed = JSON.parse(changeList(text, 'uses', { drop, add: ['d'] }).slice(1));
    expect(changed).toEqual({ uses: [...['a', 'b', 'c'].filter((_, index) => !drop.includes(index)), 'd'], name: 'A' });
  }
});

test('a manifest that is nested without end is a SyntaxError, and the last of two lists counts, as for JSON', () => {
  expect(() => changeList(`{ "preload": ${'['.repeat(100_000)}`, 'uses', { add: ['a'] })).toThrow(SyntaxError);
  expect(changeList('{ "uses": ["a"], "uses": ["b"] }', 'uses', { add: ['c'] })).toBe(
    '{ "uses": ["a"], "uses": ["b", "c"] }',
  );
});
