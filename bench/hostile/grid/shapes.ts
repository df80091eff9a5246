import type { Delivery } from './attack.ts';
import type { RoutePlan } from './routes.ts';
import type { Ask } from './who.ts';

/** A hostile way to send the plain request of a route. */
export interface Shape extends Delivery {
  readonly name: string;
  /** Changes the plain request. */
  readonly change?: (ask: Ask) => Ask;
  /** Makes the request instead of the plain one. */
  readonly list?: RoutePlan['plain'];
  /** Returns whether it can be done to a route. Default: to every one. */
  readonly fits?: (method: string, plan: RoutePlan) => boolean;
}

const reads = (method: string) => method === 'GET';
const writes = (method: string) => method === 'POST' || method === 'PUT';
const answersShortly = (_: string, { isFile, isStream }: RoutePlan) => !isFile && !isStream;
const mib = 2 ** 20;

const head = (ask: Ask): Ask => ({ ...ask, method: 'HEAD' });
const withBody = (make: (type: string) => string) => (ask: Ask) => {
  const type = ask.headers?.['Content-Type'] ?? 'application/json';
  return { ...ask, headers: { ...ask.headers, 'Content-Type': type }, body: make(type) };
};
const isForm = (type: string) => type.startsWith('application/x-www');
/** A megabyte of the smallest parts that a body of this type can have. */
const smallParts = (type: string) => (isForm(type) ? 'a&'.repeat(mib / 2) : `[${'0,'.repeat(mib / 2 - 2)}0]`);
/** A megabyte of the JSON whose values take the most memory for each character. */
const emptyObjects = (type: string) => (isForm(type) ? '=&'.repeat(mib / 2) : `[${'{},'.repeat(mib / 3 - 2)}{}]`);
const manyNames = (type: string) => {
  const names = Array.from({ length: 60_000 }, (_, index) => `k${index}`);
  return isForm(type) ? names.map((name) => `${name}=1`).join('&') : `{${names.map((name) => `"${name}":0`).join()}}`;
};
const longText = (type: string) =>
  isForm(type) ? `title=${'%61'.repeat(mib / 3 - 10)}` : `{"title":"${'x'.repeat(mib - 20)}"}`;
const withQuery = (query: string) => (ask: Ask) => ({
  ...ask,
  target: `${ask.target}${ask.target.includes('?') ? '&' : '?'}${query}`,
});
const numbered = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index));

/** The shapes of the grid: every route meets each of them that fits it. */
export const shapes: readonly Shape[] = [
  { name: '120 HEAD in a row, unread', pipelined: 120, reading: 'no more', change: head, fits: reads },
  { name: '100 HEAD at once', connections: 100, change: head, fits: reads },
  { name: '120 in a row, unread', pipelined: 120, reading: 'no more' },
  { name: '60 at once, unread', connections: 60, reading: 'no more' },
  { name: '30 at once, read slowly', connections: 30, reading: 'slowly' },
  { name: '60 at once, left in the answer', connections: 60, reading: 'then leaves' },
  { name: '60 at once', connections: 60, fits: answersShortly },
  { name: '8 files at once', connections: 8, fits: (_, { isFile }) => isFile === true },
  {
    name: 'another method with a megabyte',
    connections: 8,
    change: (ask) => withBody(longText)({ ...ask, method: 'PATCH' }),
  },
  { name: 'a body where there is none', connections: 8, change: withBody(longText), fits: (method) => !writes(method) },
  { name: '900 parameters', connections: 8, change: withQuery(numbered(900, (index) => `p${index}=%2531`).join('&')) },
  { name: 'a parameter of 14 kB', connections: 8, change: withQuery(`filterBy=${'%25'.repeat(4_700)}`) },
  {
    name: '80 headers of 150 bytes',
    connections: 8,
    change: (ask) => ({
      ...ask,
      headers: {
        ...ask.headers,
        ...Object.fromEntries(numbered(80, (index) => `X-${index}`).map((name) => [name, 'x,'.repeat(75)])),
      },
    }),
  },
  {
    name: 'lists in headers',
    connections: 8,
    change: (ask) => ({
      ...ask,
      headers: {
        'Accept-Language': 'aa-bb;q=0.1,'.repeat(250),
        Accept: 'text/*;q=0.1,'.repeat(200),
        'Accept-Encoding': 'br;q=0.1,'.repeat(200),
        'If-None-Match': '"a",'.repeat(700),
        Range: `bytes=${numbered(300, (index) => `${index}-${index}`).join()}`,
        ...ask.headers,
      },
    }),
  },
  {
    name: 'a megabyte in one-byte chunks, 4 at once',
    connections: 4,
    sending: 'in one-byte chunks',
    change: withBody(longText),
    fits: writes,
  },
  {
    name: '100 announced bodies',
    connections: 100,
    sending: 'announced only',
    change: withBody(longText),
    fits: writes,
  },
  { name: '32 slow bodies', connections: 32, sending: 'six bytes a second', fits: writes },
  { name: 'a deep body', connections: 4, change: withBody(() => '['.repeat(mib / 2)), fits: writes },
  { name: 'a body of small parts', connections: 4, change: withBody(smallParts), fits: writes },
  { name: 'a body of empty objects', connections: 4, change: withBody(emptyObjects), fits: writes },
  { name: 'a body of many names', connections: 4, change: withBody(manyNames), fits: writes },
  { name: 'a body of one text', connections: 16, change: withBody(longText), fits: writes },
];
