import type { Clock } from '@gantry/wire/runtime';
import type { Sessions } from '../calls/sessions.ts';

const checkEveryMs = 60_000;

/**
 * Makes the list of paused gadgets. The site pushes that it resumes an app to pages that listen for
 * it. A page that was opened meanwhile has no token for that, so it asks once a minute while it is
 * visible.
 */
export function createPausedApps(options: {
  readonly sessions: Pick<Sessions, 'open'>;
  readonly clock: Pick<Clock, 'after' | 'random'>;
  readonly isHidden: () => boolean;
}) {
  const { sessions, clock, isHidden } = options;
  const waiting = new Set<{ readonly app: string; readonly onResume: () => void }>();
  let stop: (() => void) | undefined;

  async function ask(app: string): Promise<void> {
    const answer = await sessions.open({ app });
    if ('error' in answer) return;
    for (const one of [...waiting]) if (one.app === app && waiting.delete(one)) one.onResume();
  }

  /** Asks the site whether one app is resumed, or each that gadgets wait for. */
  function check(app?: string): void {
    const apps = new Set(Array.from(waiting, (one) => one.app));
    for (const each of apps) if (app === undefined || app === each) void ask(each);
  }

  function schedule(): void {
    // Apart, since all pages learn of the pause in the same moment.
    stop = clock.after(checkEveryMs * (1 + clock.random() / 2), () => {
      if (waiting.size === 0) return;
      if (!isHidden()) check();
      schedule();
    });
  }

  return {
    /**
     * Calls `onResume` once the site has resumed the app, unless the returned function is called.
     */
    wait(app: string, onResume: () => void): () => void {
      const one = { app, onResume };
      waiting.add(one);
      if (waiting.size === 1) schedule();
      return () => {
        waiting.delete(one);
        if (waiting.size === 0) stop?.();
      };
    },
    check,
  };
}
