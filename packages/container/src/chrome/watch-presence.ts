import type { Place } from '../place.ts';

const suspendAfterMs = 60_000;

/** Whether anybody can see an app. `hidden`: scrolled away, or in another tab. `suspended`: for a minute, or the browser froze the page. */
export type Visibility = 'visible' | 'hidden' | 'suspended';

/**
 * Tells an app and its page whether anybody can see it, and the app that the page goes, which may come too late to be heard. A
 * page that the browser keeps for the back button does not go: its apps are suspended.
 */
export function watchPresence({ element, gadget, emit, tell }: Place): () => void {
  const over = new AbortController();
  const { signal } = over;
  let isInView = true;
  let told: Visibility | undefined;
  let stopTimer = () => {};

  function say(state: Visibility): void {
    if (told === state) return;
    told = state;
    stopTimer();
    if (state === 'hidden') stopTimer = gadget.clock.after(suspendAfterMs, () => say('suspended'));
    element.toggleAttribute('suspended', state === 'suspended');
    emit('visibility', { state });
    tell('gantry-visibility', { app: gadget.context.app.id, state });
  }
  function look(): void {
    if (isInView && document.visibilityState === 'visible') say('visible');
    else if (told !== 'suspended') say('hidden');
  }

  const observer = new IntersectionObserver((entries) => {
    isInView = entries.at(-1)?.isIntersecting ?? false;
    look();
  });
  observer.observe(element);
  document.addEventListener('visibilitychange', look, { signal });
  document.addEventListener('freeze', () => say('suspended'), { signal });
  document.addEventListener('resume', look, { signal });
  addEventListener('pagehide', ({ persisted }) => (persisted ? say('suspended') : emit('teardown', {})), { signal });
  addEventListener('pageshow', look, { signal });
  return () => {
    stopTimer();
    observer.disconnect();
    over.abort();
    element.removeAttribute('suspended');
  };
}
