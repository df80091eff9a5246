import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { isolatedName, nameProblem, shownName } from '../src/names.ts';
import { growth, mostGrowth } from './growth.ts';

/** Names of people and apps as they are written. */
const honest = [
  'Ann',
  'Ångström & Söhne – 3',
  'عبد الرحمن بن محمد الحداد 🎉',
  'שִׁירָה (Shira) 3 ג׳',
  'क्षमा', // conjunct
  'क्\u200dष', // half form
  'می\u200cخواهم', // Persian
  'රාජ්\u200dය', // Sinhala
  'രാജന്\u200d', // a last letter in Malayalam
  'ད\u0fb7\u0fb2\u0f72', // Tibetan
  'Nguyễn Thị'.normalize('NFD'),
  '葛\u{e0100}城市', // a variant of a letter
  'ᠠ\u180bᠡ',
  '👩🏽\u200d👩🏿\u200d👧🏻\u200d👦🏾',
  '🏳️\u200d🌈 ❤️ ☎︎ 1️⃣ #️⃣',
  '🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}', // Wales
  '🇩🇪',
  'x',
  '💡',
];

/** Names that turn or hide what stands around them. */
const hostile: readonly (readonly [name: string, shown: string])[] = [
  ['\u202eevil', 'evil'],
  ['Lee \u202egpj.exe', 'Lee gpj.exe'],
  ['a\u2069\u202eb', 'ab'],
  ['a\u2066b', 'ab'],
  ['Ann\u200b', 'Ann'],
  ['\u200fAnn\u200e', 'Ann'],
  ['A\u00adnn', 'Ann'],
  ['Ann\u200d', 'Ann'],
  ['\u200dAnn', 'Ann'],
  ['Ann \u200c', 'Ann '],
  ['An\ufeffn', 'Ann'],
  ['A\u0000n\u001b[2Jn', 'An[2Jn'],
  ['Anna\nBerta\tChris\u2028D', 'Anna Berta Chris D'],
  ['\u3164\u200c\u{20000}', '\u{20000}'],
  ['\ufe0f\u200d👩', '👩'],
  ['a\u200c\u3164', 'a'],
  [`Z${'\u0301\u0301\u0301\u200b'.repeat(9)}`, `Z${'\u0301'.repeat(3)}`],
  ['A\u3164n\u115fn\uffa0', 'Ann'],
  ['Ann\u{e0041}\u{e0042}', 'Ann'],
  ['🏴\u{e0067}', '🏴'],
  ['\ud800Ann', 'Ann'],
  ['A\u180b', 'A'],
  ['A\ufe0f\ufe0f\ufe0f', 'A\ufe0f'],
  [`Z${'\u0301'.repeat(40)}`, `Z${'\u0301'.repeat(3)}`],
  [`ש${'\u05b4'.repeat(40)}`, `ש${'\u05b4'.repeat(6)}`],
  [`Z${'\u20dd'.repeat(40)}algo`, `Z${'\u20dd'.repeat(3)}algo`],
];

const unseen = ['\u200b', '\u202e\u2066', ' ', '\u3164', '\u00ad\u00ad', '\u2800\u2800', '\u0301', '\ufe0f', '\u200d'];

describe('names (security rule 38)', () => {
  test.each(honest)('%j is taken and shown as it is', (name) => {
    expect([nameProblem(name), shownName(name)]).toEqual([undefined, name]);
  });

  test.each(hostile)('%j is refused, and one that is stored already is shown as %j', (name, shown) => {
    expect(nameProblem(name)).toMatch(/^must not have invisible characters/);
    expect(shownName(name)).toBe(shown);
    expect(shownName(shown)).toBe(shown);
  });

  test.each(unseen)('%j has no visible character, and is shown as its codes', (name) => {
    expect(nameProblem(name)).toBe('must have a visible character');
    expect(shownName(name)).toMatch(/^(U\+[0-9A-F]{4,6} ?)+$/);
  });

  test('a name without letters is no text', () => {
    expect([shownName(''), nameProblem('')]).toEqual(['', 'must have a visible character']);
    expect(shownName('\u200b'.repeat(1_000))).toBe('U+200B U+200B U+200B');
  });

  test('no name of any characters turns what follows it, and each keeps what can be seen', () => {
    const special = '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c\u200b\u200c\u200d';
    const unit = fc.oneof(
      fc.constantFrom(
        ...special,
        'a',
        '1',
        ' ',
        'ש',
        'ع',
        'क',
        '्',
        '👩',
        '🏽',
        '\u0301',
        '\ufe0f',
        '\n',
        '\ud800',
        '\u{e0067}',
      ),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    );
    const names = fc.array(unit, { maxLength: 20 }).map((units) => units.join(''));
    const turns = /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;
    fc.assert(
      fc.property(names, (name) => {
        const text = shownName(name);
        expect(text).not.toMatch(turns);
        expect(shownName(text)).toBe(text);
        expect(isolatedName(name).replace(/^\u2068|\u2069$/g, '')).toBe(text);
        expect(/[\u0590-\u08ff]/.test(text)).toBe(
          isolatedName(name).startsWith('\u2068') && /[\u0590-\u08ff]/.test(text),
        );
        if (name.trim() !== '') expect(text.trim()).not.toBe('');
        if (nameProblem(name) === undefined) expect(text).toBe(name);
      }),
      { numRuns: 2_000 },
    );
    expect('a\u2069\u202eb').toMatch(turns); // the control: isolation alone does not hold such a name
  });

  test.each(['\u0301', '\u200d', 'क्\u200d', '👩\u200d', '\u{1f3f4}\u{e0067}', '\u{e0067}'])(
    'work grows with the length of a name of %j (security rule 25)',
    async (unit) => {
      const ofName = (size: number) => {
        const name = unit.repeat(size);
        return () => nameProblem(name);
      };
      expect(await growth(400, ofName)).toBeLessThan(mostGrowth);
    },
  );
});

test('a name in plain letters is shown as it is, without an expression for all of Unicode (ADR 14)', () => {
  const replace = vi.spyOn(String.prototype, 'replace');
  expect(shownName('Ann O’Neil')).toBe('Ann O’Neil');
  expect(replace).toHaveBeenCalled(); // control
  replace.mockClear();
  expect([shownName("Ann O'Neil ~1"), isolatedName('this app')]).toEqual(["Ann O'Neil ~1", 'this app']);
  expect(replace).not.toHaveBeenCalled();
  replace.mockRestore();
  expect([shownName(' '), shownName('\x7f'), shownName('a\nb')]).toEqual(['U+0020', 'U+007F', 'a b']);
});
