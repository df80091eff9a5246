import { expect, test } from 'vitest';
import { createInputGuard } from '../src/chrome/input-guard.ts';

function open() {
  const clock = { nowMs: 10_000 };
  return { clock, guard: createInputGuard(() => clock.nowMs) };
}

test('a click counts only half a second after the dialog appeared (security rule 7)', () => {
  const { clock, guard } = open();
  guard.hold();
  clock.nowMs += 499;
  expect(guard.takeClick()).toBe(false);
  clock.nowMs += 1;
  expect(guard.takeClick()).toBe(true);
});

test('the half second begins anew when the window regains focus (security rule 7)', () => {
  const { clock, guard } = open();
  guard.hold();
  clock.nowMs += 600;
  guard.hold();
  expect(guard.isHeld).toBe(true);
  expect(guard.takeClick()).toBe(false);
});

test('a press that began too early clicks nothing when it ends later, and spoils only itself (security rule 7)', () => {
  const { clock, guard } = open();
  guard.hold();
  guard.press({ repeat: false });
  clock.nowMs += 700;
  expect(guard.takeClick()).toBe(false);
  expect(guard.takeClick()).toBe(true);
});

test('a key that is held down since before the dialog clicks nothing (security rule 7)', () => {
  const { guard } = open();
  guard.press({ repeat: true });
  expect(guard.takeClick()).toBe(false);
  guard.press({ repeat: false });
  expect(guard.takeClick()).toBe(true);
});
