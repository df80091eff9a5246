import { expect, test } from 'vitest';
import { growth, mostGrowth } from '../../wire/test/growth.ts';
import { readJson } from '../src/formats/read-json.ts';
import { readXml } from '../src/formats/read-xml.ts';
import { xmlBody } from '../src/formats/xml-body.ts';
import { etagMatches } from '../src/http/answer.ts';
import { parseRecordsBody } from '../src/http/body.ts';
import { parseGuids } from '../src/http/guids.ts';
import { parseQuery } from '../src/http/query.ts';
import { exactIds } from '../src/rpc/exact-ids.ts';
import { findMethod, type RpcMethod } from '../src/rpc/methods.ts';
import { toOperationRequest } from '../src/rpc/operation-request.ts';
import { parseLineRecord } from '../src/world/line-record.ts';

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${index}`);

/** Runs work whose refusal counts as work too. */
function tried(work: () => unknown): () => unknown {
  return () => {
    try {
      return work();
    } catch (error) {
      return error;
    }
  };
}

const xml = (text: string) => tried(() => readXml(text));
const json = (text: string) => tried(() => readJson(text));
const entries = (size: number) =>
  names(size)
    .map((n) => `<entry><key>${n}</key><value>x</value></entry>`)
    .join('');

test.each<[string, number, (size: number) => () => unknown]>([
  [
    'XML of AppData',
    200,
    (size) => {
      const text = `<appdata>${entries(size)}</appdata>`;
      return tried(() => xmlBody(readXml(text), 'appData'));
    },
  ],
  [
    'XML of an activity with many children',
    200,
    (size) => {
      const text = `<activity>${'<a/>'.repeat(size)}</activity>`;
      return tried(() => xmlBody(readXml(text), 'activities'));
    },
  ],
  ['XML of open elements', 500, (size) => xml('<a>'.repeat(size))],
  [
    'XML of attributes',
    500,
    (size) =>
      xml(
        `<a ${names(size)
          .map((n) => `${n}="x"`)
          .join(' ')}/>`,
      ),
  ],
  [
    'XML of namespaces',
    500,
    (size) =>
      xml(
        `<a ${names(size)
          .map((n) => `xmlns:${n}="u:${n}"`)
          .join(' ')}/>`,
      ),
  ],
  ['XML of entities', 1_000, (size) => xml(`<a>${'&amp;'.repeat(size)}</a>`)],
  ['XML with an entity that does not end', 5_000, (size) => xml(`<a>&${'a'.repeat(size)}`)],
  ['XML of CDATA', 500, (size) => xml(`<a>${'<![CDATA[x]]>'.repeat(size)}</a>`)],
  ['XML with a CDATA that does not end', 5_000, (size) => xml(`<a><![CDATA[${']'.repeat(size)}`)],
  ['XML with a comment that does not end', 5_000, (size) => xml(`<a><!--${'- '.repeat(size)}`)],
  ['JSON of keys', 3_000, (size) => json(JSON.stringify(Object.fromEntries(names(size).map((n) => [n, n]))))],
  ['JSON of numbers', 1_500, (size) => json(`[${'1,'.repeat(size)}1]`)],
  ['JSON of backslashes', 5_000, (size) => json(JSON.stringify('\\"'.repeat(size)))],
  ['JSON with a text that does not end', 5_000, (size) => json(`"${'\\"'.repeat(size)}`)],
  ['JSON of white space', 5_000, (size) => json(`[${' \n'.repeat(size)}]`)],
  ['JSON of open lists', 5_000, (size) => json('['.repeat(size))],
  [
    'records as lines',
    200,
    (size) => {
      const body = Buffer.from('{"kind":"site"}\n'.repeat(size));
      return () =>
        parseRecordsBody({ header: (name) => (name === 'content-type' ? 'application/jsonl' : undefined), body });
    },
  ],
  [
    'a record of many members',
    3_000,
    (size) => {
      const record = { kind: 'member', ...Object.fromEntries(names(size).map((n) => [n, n])) };
      return () => parseLineRecord(record);
    },
  ],
  [
    'fields in a query',
    100,
    (size) => {
      const fields = names(size).join();
      return tried(() => parseQuery([['fields', fields]], { pageSize: 20, operationId: 'people.getSelf' }));
    },
  ],
  [
    'fields beyond the bound',
    1_500,
    (size) => {
      const fields = names(size).join();
      return tried(() => parseQuery([['fields', fields]], { pageSize: 20, operationId: 'people.getSelf' }));
    },
  ],
  [
    'ids in a path',
    1_500,
    (size) => {
      const ids = names(size).join();
      return tried(() => parseGuids(ids, '1'));
    },
  ],
  [
    'keys of a JSON-RPC call',
    100,
    (size) => {
      const keys = names(size);
      return tried(() => toOperationRequest(findMethod('appdata.get') as RpcMethod, { keys }, { apiVersion: '1.2' }));
    },
  ],
  [
    'ids that numbers would round',
    500,
    (size) => {
      const text = `[{"id":12345678901234567890,"params":[${'1,'.repeat(size)}1]}]`;
      const calls = readJson(text) as [];
      return () => exactIds(calls, text);
    },
  ],
  ['JSON of escapes', 1_000, (size) => json(`"${'\\\\'.repeat(size)}"`)],
  ['JSON of texts', 1_000, (size) => json(`[${'"a",'.repeat(size)}"a"]`)],
  ['JSON of quotes', 1_000, (size) => json('"'.repeat(size))],
  ['JSON of signs', 1_000, (size) => json('-'.repeat(size))],
  [
    'validators of a condition',
    1_000,
    (size) => {
      const condition = '"x",'.repeat(size);
      return () => etagMatches(condition, '"y"');
    },
  ],
])('%s: the cost grows no faster than the input (security rule 25)', async (_, n, prepare) => {
  expect(await growth(n, prepare)).toBeLessThan(mostGrowth);
});

test('control: reading a text again from its beginning for each part grows with the square (security rule 25)', async () => {
  const again = (size: number) => {
    const [text, parts] = ['x'.repeat(size), names(size)];
    return () => parts.map((_, index) => [...text.slice(0, index)].length);
  };
  expect(await growth(100, again)).toBeGreaterThan(mostGrowth);
});
