import { expect, test } from 'vitest';
import { type Box, placeToasts } from '../../src/layers/toast-place.ts';

const view = { width: 1280, height: 720 };
const box = (left: number, top: number, right: number, bottom: number): Box => ({ left, top, right, bottom });

test('toasts stand in the middle of the lower edge, at most half as high as the window', () => {
  expect(placeToasts({ view, width: 416, wanted: 900, obstacles: [] })).toEqual({
    edge: 'bottom',
    left: 432,
    maxHeight: 360,
  });
});

test.each([
  ['beside it', [box(430, 500, 850, 720)], { edge: 'bottom', left: 864 }],
  ['on its other side', [box(430, 500, 1280, 720)], { edge: 'bottom', left: 0 }],
  ['at the upper edge', [box(0, 500, 1280, 720)], { edge: 'top', left: 432 }],
])('toasts that would cover a question stand %s (security rule 26)', (_, obstacles, place) => {
  expect(placeToasts({ view, width: 416, wanted: 200, obstacles })).toMatchObject(place);
});

test('toasts have no place where a question leaves none (security rule 26)', () => {
  const obstacles = [box(0, 100, 360, 540)];
  expect(placeToasts({ view: { width: 360, height: 640 }, width: 416, wanted: 90, obstacles })).toBeUndefined();
});

test('toasts that fit nowhere as a whole are scrolled where most of them fits', () => {
  const obstacles = [box(0, 150, 360, 460)];
  expect(placeToasts({ view: { width: 360, height: 640 }, width: 416, wanted: 300, obstacles })).toEqual({
    edge: 'bottom',
    left: 0,
    maxHeight: 172,
  });
});

test('toasts stay where they are while that is free', () => {
  const options = { view, width: 416, wanted: 200, obstacles: [] };
  const current = { edge: 'top', left: 0, maxHeight: 360 } as const;
  expect(placeToasts({ ...options, current })).toEqual(current);
  expect(placeToasts({ ...options, current, obstacles: [box(0, 0, 100, 100)] })).toMatchObject({ edge: 'bottom' });
});

test('no place that is found overlaps an obstacle (security rule 26)', () => {
  let seed = 7;
  const random = (max: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % max;
  };
  let places = 0;
  for (let round = 0; round < 2_000; round += 1) {
    const view = { width: 180 + random(1_300), height: 320 + random(800) };
    const obstacles = Array.from({ length: random(4) }, () => {
      const [left, top] = [random(view.width), random(view.height)];
      return box(left, top, left + 20 + random(600), top + 20 + random(400));
    });
    const place = placeToasts({ view, width: 416, wanted: random(600), obstacles });
    if (!place) continue;
    places += 1;
    const width = Math.min(416, view.width);
    const top = place.edge === 'top' ? 0 : view.height - place.maxHeight;
    const isOver = obstacles.some(
      (one) =>
        one.left < place.left + width && one.right > place.left && one.top < top + place.maxHeight && one.bottom > top,
    );
    expect(isOver).toBe(false);
  }
  expect(places).toBeGreaterThan(500);
});
