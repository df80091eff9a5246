import { SocialError } from '@gantry/wire';
import type { Action } from '../place.ts';
import { isSeen } from './activation.ts';
import { line } from './app-text.ts';
import type { ChromePlace } from './attend.ts';
import { hasFocus } from './keyboard.ts';
import { createRate } from './rate.ts';
import { say } from './voice.ts';

const maxText = 300;

/** Lets an app speak to those who listen instead of looking. */
export function createAnnouncing({ frame, gadget, locale }: ChromePlace): {
  readonly actions: { readonly announce: Action };
} {
  const { title } = gadget.context.app;
  // To look whether it is seen lays out the page, which takes the machine's time.
  const mayTry = createRate({ count: 20, perMs: 1_000, now: () => performance.now() });
  const mayAnnounce = createRate({ count: 10, perMs: 10_000, now: () => gadget.clock.elapsed() });
  return {
    actions: {
      announce(wanted, politeness) {
        const text = line(wanted, maxText);
        if (!text) throw new SocialError('BAD_REQUEST', 'An announcement needs a text.');
        if (!mayTry()) throw new SocialError('RATE_LIMITED', 'The app announces too much.');
        if (!isSeen(frame)) throw new SocialError('FORBIDDEN', 'Nobody sees the app now.');
        if (!mayAnnounce()) throw new SocialError('RATE_LIMITED', 'The app announces too much.');
        const isNear = hasFocus(frame); // whoever is in the app knows who speaks; elsewhere it could pass for the site
        say({
          text: isNear ? text : `${title}: ${text}`,
          lang: locale,
          isUrgent: isNear && politeness === 'assertive',
        });
      },
    },
  };
}
