import { type SqlValue, type Statement, sql } from '@gantry/store';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

/** As a PostgreSQL driver writes it. */
function numbered({ strings }: Statement): string {
  return strings.reduce((text, part, index) => `${text}$${index}${part}`);
}

test('keeps values apart from text', () => {
  const statement = sql`select ${1} where a = ${"'"}`;
  expect(statement.strings).toEqual(['select ', ' where a = ', '']);
  expect(statement.values).toEqual([1, "'"]);
});

test('splices nested statements, so that placeholders count through', () => {
  const friends = sql`select friend_id from friendship where member_id = ${'7'}`;
  const statement = sql`select id from member where id in (${friends}) and app = ${'a'} limit ${20}`;
  expect(numbered(statement)).toBe(
    'select id from member where id in (select friend_id from friendship where member_id = $1) and app = $2 limit $3',
  );
  expect(statement.values).toEqual(['7', 'a', 20]);
});

test('joins values with commas and statements with what is asked for', () => {
  const conditions = [sql`a = ${1}`, sql`b is null`, sql`c = ${2}`];
  const statement = sql`select 1 where id in (${sql.join(['x', 'y'])}) and ${sql.join(conditions, sql` and `)}`;
  expect(numbered(statement)).toBe('select 1 where id in ($1, $2) and a = $3 and b is null and c = $4');
  expect(statement.values).toEqual(['x', 'y', 1, 2]);
});

test('lists of many lengths have few texts, so that prepared statements are kept (security rule 25)', () => {
  const listOf = (length: number) => sql.list(Array.from({ length }, (_, index) => index));
  expect(listOf(5).values).toEqual([0, 1, 2, 3, 4, 4, 4, 4]);
  const texts = new Set(Array.from({ length: 1_000 }, (_, index) => numbered(listOf(index + 1))));
  expect(texts.size).toBe(11);
});

test('a statement of many parts fits on the stack when it is spliced (security rule 25)', () => {
  const many = sql.join(Array.from({ length: 150_000 }, (_, index) => index));
  expect(sql`select 1 where a in (${many})`.values).toHaveLength(150_000);
});

test('takes no text but a plain name as a column', () => {
  expect(numbered(sql`select ${sql.names(['id', 'display_name'])} from member`)).toBe(
    'select id, display_name from member',
  );
  for (const name of ['', 'id; drop table member', 'id)', '"id"', 'Id', 'id\n']) {
    expect(() => sql.names(['id', name]), name).toThrow(TypeError);
  }
});

test('joins nothing to nothing', () => {
  expect(numbered(sql`a${sql.join([])}b${sql.empty}c`)).toBe('abc');
});

test.each([
  ['undefined', undefined],
  ['a boolean', true],
  ['NaN', Number.NaN],
  ['an array', ['1']],
  ['a date', new Date(0)],
])('refuses %s as a value', (_, value) => {
  expect(() => sql`select ${value as SqlValue}`).toThrow(TypeError);
});

test('refuses parsed JSON that looks like a statement, which would become SQL text (security rule 19)', () => {
  const fromClient = JSON.parse('{"strings":["1 or 1 = 1"],"values":[]}');
  expect(() => sql`delete from note where id = ${fromClient}`).toThrow(TypeError);
});

test('positive control: the same text from our own hand is spliced', () => {
  expect(numbered(sql`delete from note where id = ${sql`1 or 1 = 1`}`)).toBe('delete from note where id = 1 or 1 = 1');
});

test('rows are written for values, and need a value each', () => {
  const statement = sql`insert into t values ${sql.rows([
    [1, 'a'],
    [2, null],
  ])} on conflict do nothing`;
  expect(numbered(statement)).toBe('insert into t values ($1, $2), ($3, $4) on conflict do nothing');
  expect(statement.values).toEqual([1, 'a', 2, null]);
  expect(() => sql.rows([])).toThrow(TypeError);
  expect(() => sql.rows([[1, 2], [3]])).toThrow(TypeError);
});

describe('strings of equal statements', () => {
  const item = (item: SqlValue | Statement) => sql`item = ${item}`;
  const either = (a: SqlValue | Statement, b: SqlValue | Statement) => sql`(${a} or ${b})`;

  test('are one array, by which drivers keep what they prepared', () => {
    const friends = (ids: readonly string[]) => sql`select 1 where ${sql`id`} in (${sql.list(ids)}) limit ${20}`;
    expect(friends(['1', '2', '3']).strings).toBe(friends(['4', '5', '6', '7']).strings);
    expect(friends(['1']).strings).not.toBe(friends(['1', '2']).strings);
    expect(either(item(1), 2).strings).not.toBe(either(1, item(2)).strings);
    expect(sql.repeated(item(1)).strings).toBe(item(2).strings);
    expect(Object.isFrozen(friends(['1']).strings)).toBe(true);
  });

  test('are not kept for text that a template does not have, nor for statements with such', () => {
    const limit = (rows: number): Statement => ({ ...sql.empty, strings: [`limit ${rows}`] });
    const texts = [1, 2, 1].map((rows) => numbered(sql`select id from member ${limit(rows)}`));
    expect(texts).toEqual([
      'select id from member limit 1',
      'select id from member limit 2',
      'select id from member limit 1',
    ]);
    expect(item(sql.names(['a'])).strings).not.toBe(item(sql.names(['a'])).strings);
  });

  test('are kept up to a length and a number for each template (security rule 25)', () => {
    const chain = (length: number): Statement => {
      let all = sql`${1}`;
      for (let count = 1; count < length; count++) all = sql`${all} and ${count}`;
      return all;
    };
    expect(chain(60).strings).toBe(chain(60).strings);
    expect(chain(70).strings).not.toBe(chain(70).strings);
    expect(numbered(chain(70))).toBe(Array.from({ length: 70 }, (_, index) => `$${index + 1}`).join(' and '));

    const pick = (bits: number) => (bit: number) => ((bits >> bit) & 1 ? item(1) : sql`absent`);
    const many = Array.from({ length: 512 }, (_, bits) => {
      const make = () => {
        const at = pick(bits);
        return sql`${at(0)} ${at(1)} ${at(2)} ${at(3)} ${at(4)} ${at(5)} ${at(6)} ${at(7)} ${at(8)}`.strings;
      };
      return new Set([make(), make()]).size === 1;
    });
    const kept = many.filter((isKept) => isKept).length;
    expect(kept).toBeGreaterThan(100);
    expect(kept).toBeLessThan(512); // of 1,022 forms with their beginnings
  });

  test('have the text and the values of their parts, however often and in which order they are made', () => {
    type Tree = number | { readonly kind: 0 | 1 | 2; readonly parts: readonly Tree[] };
    const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.nat(9),
        fc.record({ kind: fc.constantFrom(0, 1, 2), parts: fc.array(tie('tree'), { minLength: 2, maxLength: 2 }) }),
      ),
    }));
    const made = (one: Tree): SqlValue | Statement => {
      if (typeof one === 'number') return one;
      const [a, b] = one.parts.map(made) as [SqlValue | Statement, SqlValue | Statement];
      return [() => sql`(${a} or ${b})`, () => sql`(${a} and ${b})`, () => sql.join([a, b])][one.kind]?.() as Statement;
    };
    const plain = (one: Tree): string => {
      if (typeof one === 'number') return '?';
      const [a, b] = one.parts.map(plain);
      return [`(${a} or ${b})`, `(${a} and ${b})`, `${a}, ${b}`][one.kind] as string;
    };
    const valuesOf = (one: Tree): readonly number[] => (typeof one === 'number' ? [one] : one.parts.flatMap(valuesOf));
    fc.assert(
      fc.property(tree, (one) => {
        const { strings, values } = sql`select ${made(one)}`;
        expect(strings.join('?')).toBe(`select ${plain(one)}`);
        expect(values).toEqual(valuesOf(one));
      }),
      { numRuns: 500 },
    );
  });
});
