import { SocialError } from '@gantry/wire';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readXml } from '../../src/formats/read-xml.ts';
import { parseBody } from '../../src/http/body.ts';
import { databases } from '../databases.ts';
import { openSite, village } from '../site.ts';

const appData = '/appData/@me/@self/@app';
const mebibyte = 1_048_576;

/** Repeats `unit` up to the size of a body, within `frame`. */
function filled(unit: string, [before, after]: readonly [string, string]): string {
  const room = mebibyte - before.length - after.length;
  return before + unit.repeat(Math.floor(room / unit.length)) + after;
}

const laughs = Array.from({ length: 9 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`).join(
  '',
);

const hostile: readonly (readonly [string, string])[] = [
  ['billion laughs', `<!DOCTYPE a [<!ENTITY l0 "ha">${laughs}]><appdata>&l9;</appdata>`],
  [
    'a quadratic entity',
    `<!DOCTYPE a [<!ENTITY a "${'a'.repeat(50_000)}">]><appdata>${'&a;'.repeat(50_000)}</appdata>`,
  ],
  ['an external entity', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><appdata>&x;</appdata>'],
  ['a parameter entity', '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1/x"> %x;]><appdata/>'],
  ['an external DTD', '<!DOCTYPE appdata SYSTEM "http://127.0.0.1/x.dtd"><appdata/>'],
  ['a DTD alone', '<!DOCTYPE appdata><appdata/>'],
  ['a DTD without end', filled('<!ENTITY a "b">', ['<!DOCTYPE a [', ''])],
  ['a processing instruction', '<?xml-stylesheet href="http://127.0.0.1/x"?><appdata/>'],
  ['a processing instruction within', '<appdata><?php x?></appdata>'],
  ['deep nesting', filled('<a>', ['<appdata>', ''])],
  ['nesting of 65, closed', `${'<appdata>'.repeat(65)}${'</appdata>'.repeat(65)}`],
  ['attributes all over', filled(' a1="b"', ['<appdata', '>'])],
  ['many attributes, each another', `<appdata${Array.from({ length: 80_000 }, (_, n) => ` a${n}=""`).join('')}>`],
  ['many namespaces', `<appdata${Array.from({ length: 40_000 }, (_, n) => ` xmlns:a${n}="urn:x"`).join('')}>`],
  ['a long name', filled('a', ['<', '>'])],
  ['a long attribute', filled('a', ['<appdata a="', ''])],
  ['a comment without end', filled('- ', ['<!--', ''])],
  ['CDATA without end', filled(']]', ['<appdata><![CDATA[', ''])],
  ['an unclosed tag', filled('<', ['<appdata>', ''])],
  ['empty elements', filled('<a/>', ['<appdata>', '</appdata>'])],
  ['entries without end', filled('<entry><key/><value/></entry>', ['<appdata>', ''])],
  ['one key again and again', filled('<entry><key>k</key><value/></entry>', ['<appdata>', '</appdata>'])],
  ['many keys in an entry', filled('<key/>', ['<appdata><entry>', '</entry></appdata>'])],
  ['references without end', filled('&amp;', ['<appdata>', ''])],
  ['a reference that never ends', filled('0', ['<appdata>&#', ''])],
  ['a number beyond all', `<appdata>&#x${'f'.repeat(100_000)};</appdata>`],
];

describe('a hostile XML body', () => {
  test.each(hostile)('%s is refused at once and in few words (contract §2, security rule 18)', (_, body) => {
    const bytes = Buffer.from(body);
    for (const type of ['application/xml', 'application/atom+xml']) {
      const header = (name: string) => (name === 'content-type' ? type : undefined);
      const before = process.cpuUsage();
      const message = refusal(() => parseBody({ header, body: bytes }, 'appData'));
      const { user } = process.cpuUsage(before); // other tests would slow the clock down
      expect(user / 1_000).toBeLessThan(1_500);
      expect(message.length).toBeLessThan(300);
      expect(message).not.toMatch(/root:|\bat \w+ \(|saxes|node_modules/);
    }
  });
});

test('an XML body has at most 10,000 elements (security rule 34)', () => {
  const elements = (count: number) => `<a>${'<b/>'.repeat(count - 1)}</a>`;
  expect(readXml(elements(10_000)).children).toHaveLength(9_999); // the control
  expect(refusal(() => readXml(elements(10_001)))).toBe('XML may have at most 10000 elements.');
});

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof SocialError && error.code === 'BAD_REQUEST') return error.message;
    throw error;
  }
  throw new Error('not refused');
}

describe.each(databases)('hostile XML on $name', ({ open }) => {
  test('a hostile body saves nothing (contract §2)', async () => {
    const site = await openSite(open, village);
    const pair = '<entry><key>k</key><value>v</value></entry>';
    for (const body of [
      `<appdata>${pair}${'<a>'.repeat(70)}`,
      `<appdata>${pair}&x;</appdata>`,
      `<appdata>${pair}<?x?>`,
    ]) {
      const headers = { 'content-type': 'application/xml' };
      expect((await site.send({ method: 'POST', path: appData, headers, body })).status).toBe(400);
    }
    expect((await site.get(appData)).json).toEqual({ entry: { 1: {} } });
  });

  test('a body of tokens in any order is read or refused, never a fault (security rule 18)', async () => {
    const site = await openSite(open, village);
    const token = fc.oneof(
      fc.constantFrom(
        ...['<appdata>', '</appdata>', '<entry>', '</entry>', '<key>', '</key>', '<value>', '</value>', '<activity>'],
        ...['</activity>', '<title>', '</title>', '<content>', '</content>', '<a b="c">', '<o:a xmlns:o="x"/>', '<'],
        ...[
          '<?xml version="1.0"?>',
          '<!DOCTYPE a>',
          '<![CDATA[',
          ']]>',
          '<!--',
          '-->',
          '&amp;',
          '&#x41;',
          '&',
          'k',
          ' ',
        ],
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    const shape = fc.record({
      body: fc.array(token, { minLength: 1, maxLength: 14 }).map((tokens) => tokens.join('')),
      type: fc.constantFrom('application/xml', 'text/xml', 'application/atom+xml'),
      path: fc.constantFrom(appData, '/activities/@me/@self'),
      format: fc.constantFrom('json', 'xml', 'atom'),
    });
    await fc.assert(
      fc.asyncProperty(shape, async ({ body, type, path, format }) => {
        const headers = { 'content-type': type };
        const call = { method: 'POST', path: `${path}?format=${format}`, headers, body: body.toWellFormed() };
        expect([200, 400]).toContain((await site.send(call)).status);
        site.nowMs += 30_000;
      }),
      { numRuns: 400 },
    );
  });
});
