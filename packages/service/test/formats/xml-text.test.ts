import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { element, escapeXml } from '../../src/formats/elements.ts';
import { databases, openServiceSqlite } from '../databases.ts';
import { items, openSite, village } from '../site.ts';
import { at, childrenOf, parseXml, textAt } from '../xml.ts';

const appData = '/appData/@me/@self/@app';

/** True for the characters of XML 1.0 (§2.2), written down independently. */
function canCarry(code: number): boolean {
  if (code === 0x9 || code === 0xa || code === 0xd) return true;
  return (code >= 0x20 && code <= 0xd7ff) || (code >= 0xe000 && code <= 0xfffd) || code >= 0x10000;
}

/** Returns a text as a reader of XML gets it. */
function carried(text: string): string {
  return [...text].map((character) => (canCarry(character.codePointAt(0) ?? 0) ? character : '\ufffd')).join('');
}

// Characters that XML or its parsers treat specially.
const awkward = fc.constantFrom(
  ...'&<>"\'\t\n\r \u0000\u0001\u001f\u007f\u0085\u009f\u2028\ufeff\ufffe\uffff😀',
  ']]>',
  '\r\n',
  '&amp;',
  '&#13;',
  '<!--',
  '<![CDATA[',
  '?>',
);
const text = fc
  .array(fc.oneof(awkward, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 12 })
  .map((parts) => parts.join('').toWellFormed());

/** Writes a text as an independent client may: references where required, or everywhere. */
function asWritten(value: string, everything: boolean): string {
  return [...value]
    .map((character) =>
      everything || /[&<>\r]/.test(character) ? `&#x${character.codePointAt(0)?.toString(16)};` : character,
    )
    .join('');
}

describe('text in XML', () => {
  test('half a surrogate pair is U+FFFD, and a whole one itself', () => {
    expect(escapeXml('a\ud800b\udc00c\ud83d\ude00')).toBe('a\ufffdb\ufffdc\u{1f600}');
  });

  test('an attribute keeps tabs and line ends, which parsers make spaces (XML 1.0 §3.3.3)', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(parseXml(element('a', '', { b: value })).getAttribute('b')).toBe(carried(value));
      }),
      { numRuns: 500 },
    );
    expect(element('a', '', { b: '\t\n\r"' })).toBe('<a b="&#9;&#10;&#13;&quot;"/>');
  });

  test('any text in the query comes back in the links of a feed (contract §3)', async () => {
    const site = await openSite(openServiceSqlite, village);
    await fc.assert(
      fc.asyncProperty(text, async (value) => {
        const path = `/people/@me/@friends?format=atom&count=1&x=${encodeURIComponent(value)}`;
        const links = childrenOf(parseXml((await site.get(path)).text), 'link');
        const hrefs = links.map((link) => new URL(link.getAttribute('href') ?? '').searchParams.get('x'));
        expect(hrefs).toEqual([value, value]);
      }),
      { numRuns: 100 },
    );
  });
});

describe.each(databases)('text in XML on $name', ({ name, open }) => {
  const numRuns = name === 'SQLite' ? 100 : 30; // both share the XML writers

  test('every character that XML can hold arrives through an independent parser; others are U+FFFD (contract §3)', async () => {
    const site = await openSite(open, village);
    for (let start = 0; start < 0x10000; start += 0x4000) {
      const codes = Array.from({ length: 0x4000 }, (_, offset) => start + offset);
      const value = String.fromCharCode(...codes.filter((code) => code < 0xd800 || code > 0xdfff));
      await site.send({ method: 'POST', path: appData, body: { k: value } });
      const xml = parseXml((await site.get(`${appData}?format=xml`)).text);
      expect(textAt(xml, 'entry', 'entry', 'value') === carried(value), `from ${start}`).toBe(true);
      const atom = parseXml((await site.get(`${appData}?format=atom`)).text);
      expect(textAt(atom, 'content', 'appData', 'entry', 'entry', 'value') === carried(value)).toBe(true);
    }
  });

  test('any text goes out in XML and Atom, and in again in both, unchanged (contract §2, §3)', async () => {
    const site = await openSite(open, village);
    await fc.assert(
      fc.asyncProperty(text, fc.boolean(), async (any, everything) => {
        const value = carried(any);
        const inner = `<appdata><entry><key>k</key><value>${asWritten(value, everything)}</value></entry></appdata>`;
        const bodies = [
          ['application/xml', inner],
          ['application/atom+xml', `<entry><content>${inner}</content></entry>`],
        ] as const;
        for (const [type, body] of bodies) {
          await site.send({ method: 'DELETE', path: appData });
          const headers = { 'content-type': type };
          expect((await site.send({ method: 'PUT', path: appData, headers, body })).status).toBe(200);
          expect((await site.get(appData)).json.entry).toEqual({ 1: { k: value } });
          const xml = parseXml((await site.get(`${appData}?format=xml`)).text);
          expect(textAt(xml, 'entry', 'entry', 'value')).toBe(value);
          const atom = parseXml((await site.get(`${appData}?format=atom`)).text);
          expect(textAt(atom, 'content', 'appData', 'entry', 'entry', 'value')).toBe(value);
        }
      }),
      { numRuns },
    );
  });

  test('any title of an activity goes out as element and as title of its entry (contract §3)', async () => {
    const site = await openSite(open, village);
    const title = text.filter((value) => /\S/.test(value));
    await fc.assert(
      fc.asyncProperty(title, async (value) => {
        site.nowMs += 30_000;
        const path = '/activities/@me/@self?count=1';
        expect((await site.send({ method: 'POST', path, body: { title: value } })).status).toBe(200);
        expect(items(await site.get(path))[0]?.title).toBe(value);
        expect(textAt(parseXml((await site.get(`${path}&format=xml`)).text), 'entry', 'title')).toBe(carried(value));
        const entry = at(parseXml((await site.get(`${path}&format=atom`)).text), 'entry');
        expect(textAt(entry, 'title')).toBe(carried(value));
        expect(textAt(entry, 'content', 'activity', 'title')).toBe(carried(value));
      }),
      { numRuns, examples: [['\u0000']] }, // PostgreSQL cannot store NUL
    );
  });
});
