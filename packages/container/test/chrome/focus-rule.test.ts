import { expect, test } from 'vitest';
import { createFocusRule, createStormRule } from '../../src/chrome/focus-rule.ts';

const nothing = { isPointerOverFrame: false, hasTouchScreen: false };

function open() {
  const clock = { nowMs: 5_000 };
  return { clock, rule: createFocusRule<string>(() => clock.nowMs) };
}

test.each(['key', 'mouse'] as const)(
  'the focus is taken within a second of a %s in the field that had it (security rule 28)',
  (kind) => {
    const { clock, rule } = open();
    rule.press('password', kind);
    clock.nowMs += 999;
    expect(rule.isTaken({ ...nothing, field: 'password' })).toBe(true);
  },
);

test.each([
  ['nothing was typed or pressed', () => {}, {}],
  ['it was typed in another field', (rule) => rule.press('name', 'key'), {}],
  ['Tab was pressed', (rule) => rule.press('password', 'tab'), {}],
  ['the last press was a touch', (rule) => rule.press('password', 'touch'), {}],
  ['the pointer is over the frame', (rule) => rule.press('password', 'key'), { isPointerOverFrame: true }],
  [
    'a touch screen is in use',
    (rule) => {
      rule.press('elsewhere', 'touch');
      rule.press('password', 'key');
    },
    {},
  ],
  [
    'the window was left after the last key',
    (rule) => {
      rule.press('password', 'key');
      rule.leaveWindow();
    },
    {},
  ],
] as [string, (rule: ReturnType<typeof open>['rule']) => void, object][])(
  'the focus is not taken if %s (security rule 28)',
  (_, before, options) => {
    const { rule } = open();
    before(rule);
    expect(rule.isTaken({ ...nothing, field: 'password', ...options })).toBe(false);
  },
);

test('the focus is not taken a second after the last key, or sooner where a touch could have moved it (security rule 28)', () => {
  const { clock, rule } = open();
  rule.press('password', 'key');
  clock.nowMs += 200;
  expect(rule.isTaken({ ...nothing, field: 'password', hasTouchScreen: true })).toBe(false);
  clock.nowMs += 800;
  expect(rule.isTaken({ ...nothing, field: 'password' })).toBe(false);
});

test('an app that waits and tries again fails again (security rule 28)', () => {
  const { clock, rule } = open();
  rule.press('password', 'key');
  for (let times = 0; times < 30; times += 1) {
    clock.nowMs += 900;
    expect(rule.isTaken({ ...nothing, field: 'password' })).toBe(true);
  }
});

test('twenty times within a second are a storm, and slower ones are none (security rule 28)', () => {
  const clock = { nowMs: 5_000 };
  const isStorm = createStormRule(() => clock.nowMs);
  const take = (afterMs: number) => {
    clock.nowMs += afterMs;
    return isStorm();
  };
  expect(Array.from({ length: 30 }, () => take(900))).not.toContain(true);
  clock.nowMs += 1_000;
  expect(Array.from({ length: 20 }, () => take(40))).toEqual([...Array(19).fill(false), true]);
});
