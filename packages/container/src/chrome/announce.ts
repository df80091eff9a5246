import { isolatedName, SocialError } from '@gantry/wire';
import type { Actions, Place } from '../gadget.ts';
import { isSeen } from './activation.ts';
import { readLine } from './app-text.ts';
import { hasFocus } from './keyboard.ts';
import { announce } from './live-region.ts';
import { createSlidingWindow } from './sliding-window.ts';

const maxText = 300;

/** Lets an app announce texts to screen readers. */
export function createAnnouncements({ frame, gadget, locale }: Place): Actions<'announce'> {
  const { title } = gadget.context.app;
  // On the machine's clock: each try lays out the page to find out if the app is in view.
  const mayTry = createSlidingWindow({ count: 20, perMs: 1_000, now: () => performance.now() });
  const mayAnnounce = createSlidingWindow({ count: 10, perMs: 10_000, now: () => gadget.clock.elapsed() });
  return {
    announce(spoken, politeness) {
      const text = readLine(spoken, maxText);
      if (!text) throw new SocialError('BAD_REQUEST', 'An announcement needs a text.');
      if (!mayTry()) throw new SocialError('RATE_LIMITED', 'The app announces too much.');
      if (!isSeen(frame)) throw new SocialError('FORBIDDEN', 'The app is not in view.');
      if (!mayAnnounce()) throw new SocialError('RATE_LIMITED', 'The app announces too much.');
      const isNear = hasFocus(frame); // outside the app its text could pass for the site's
      announce({
        text: isNear ? text : `${isolatedName(title)}: ${text}`,
        lang: locale,
        isUrgent: isNear && politeness === 'assertive',
      });
    },
  };
}
