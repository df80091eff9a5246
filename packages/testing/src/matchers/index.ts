import { expect as base } from '@playwright/test';
import { toBeAccessible } from './accessible.ts';
import { toHaveCalled, toHaveCalledOnce } from './called.ts';
import { toFit } from './fit.ts';
import { toKeepWrites } from './keep-writes.ts';
import { toHaveReceived } from './received.ts';
import { toHaveNoRefusals } from './refusals.ts';
import { toStayInPlace } from './stay-in-place.ts';
import { toShowTextOnly } from './text-only.ts';
import { toBeWalkableByKeyboard } from './walkable.ts';

/** Matchers for a gadget, for an `expect` of one's own. All of them wait, and take `not`. */
export const matchers = {
  toBeAccessible,
  toBeWalkableByKeyboard,
  toFit,
  toHaveCalled,
  toHaveCalledOnce,
  toHaveReceived,
  toHaveNoRefusals,
  toKeepWrites,
  toShowTextOnly,
  toStayInPlace,
};

/**
 * Playwright's `expect` with matchers for a gadget.
 *
 * @example
 * await expect(gadget).toHaveCalledOnce('activities.create', { activity: { title: 'I won' } });
 * await expect(gadget).not.toHaveReceived('birthday');
 */
export const expect = base.extend(matchers);
