import { type SqlValue, type Statement, sql } from '@gantry/store';
import { expect, test } from 'vitest';

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
