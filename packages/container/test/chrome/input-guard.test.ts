import { expect, test } from 'vitest';
import { createInputGuard } from '../../src/chrome/input-guard.ts';

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

const standing = {
  left: 100,
  top: 200,
  width: 300,
  height: 150,
  scrolledX: 0,
  scrolledY: 50,
  isCovered: false,
  isUnderPointer: true,
};

test.each([
  ['moved', {}, { top: 240 }],
  ['was resized', {}, { height: 190 }],
  ['was covered until now', { isCovered: true }, { isCovered: false }],
  ['was scrolled under a pointer that did not move', {}, { top: 150, scrolledY: 100 }],
])('a question that %s takes no press for half a second (security rule 26)', (_, before, now) => {
  const { clock, guard } = open();
  guard.update({ ...standing, ...before });
  expect(guard.isHeld).toBe(false);
  guard.update({ ...standing, ...now });
  guard.update({ ...standing, ...now });
  clock.nowMs += 499;
  expect(guard.takeClick()).toBe(false);
  clock.nowMs += 1;
  expect(guard.takeClick()).toBe(true);
});

test.each([
  ['stands as before, give or take what browsers round', { top: 200.4 }],
  ['is scrolled where no pointer is', { top: 150, scrolledY: 100, isUnderPointer: false }],
  ['stands still while the page is scrolled', { scrolledY: 100 }],
])('a question that %s takes presses (security rule 26)', (_, now) => {
  const { guard } = open();
  guard.update(standing);
  guard.update({ ...standing, ...now });
  expect(guard.takeClick()).toBe(true);
});

test('a pointer that moves to a question after it was scrolled may press it (security rule 26)', () => {
  const { clock, guard } = open();
  guard.update(standing);
  guard.update({ ...standing, top: 150, scrolledY: 100, isUnderPointer: false });
  clock.nowMs += 50;
  guard.movePointer();
  guard.update({ ...standing, top: 150, scrolledY: 100 });
  expect(guard.takeClick()).toBe(true);
});

test('a question that keeps moving takes no press (security rule 26)', () => {
  const { clock, guard } = open();
  for (let top = 0; top < 1_000; top += 100) {
    guard.update({ ...standing, top });
    clock.nowMs += 400;
    if (top > 0) expect(guard.takeClick()).toBe(false);
  }
});
