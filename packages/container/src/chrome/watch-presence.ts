import type { Place } from '../place.ts';

const suspendAfterMs = 60_000;

/**
 * Tells an app whether anybody can see it: `visible`, `hidden` (scrolled away, another tab), or `suspended` after a minute
 * of that or when the browser freezes the page. And when the page goes, which may come too late to be heard.
 */
export function watchPresence({ element, emit }: Place): () => void {
  const over = new AbortController();
  const { signal } = over;
  let isInView = true;
  let told = '';
  let timer: ReturnType<typeof setTimeout> | undefined;

  function say(state: 'visible' | 'hidden' | 'suspended'): void {
    if (told === state) return;
    told = state;
    clearTimeout(timer);
    if (state === 'hidden') timer = setTimeout(say, suspendAfterMs, 'suspended');
    emit('visibility', { state });
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
  addEventListener('pagehide', () => emit('teardown', {}), { signal });
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    over.abort();
  };
}
