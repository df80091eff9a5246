import { expect as base } from '@playwright/test';
import { toBeAccessible } from './accessible.ts';
import { toHaveCalled, toHaveCalledOnce } from './called.ts';
import { toKeepWrites } from './keep-writes.ts';
import { toHaveLearned } from './learned.ts';
import { toHaveNoRefusals } from './refusals.ts';
import { toStandStill } from './stand-still.ts';
import { toBeWalkableByKeyboard } from './walkable.ts';

/**
 * Matchers for a gadget, for an `expect` of one's own: `base.extend(matchers)`. All of them wait,
 * and take `not`.
 */
export const matchers = {
  toBeAccessible,
  toBeWalkableByKeyboard,
  toHaveCalled,
  toHaveCalledOnce,
  toHaveLearned,
  toHaveNoRefusals,
  toKeepWrites,
  toStandStill,
};

/**
 * Playwright's `expect` with matchers for a gadget.
 *
 * @example
 * await expect(gadget).toHaveCalledOnce('activities.create', { activity: { title: 'I won' } });
 * await expect(gadget).not.toHaveLearned('birthday');
 */
export const expect = base.extend(matchers);
