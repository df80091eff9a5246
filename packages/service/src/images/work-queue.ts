import { SocialError } from '@gantry/wire';

/** Runs a few jobs at a time and keeps a few waiting. */
export interface WorkQueue {
  /** @throws SocialError UNAVAILABLE where too many wait already. */
  run<T>(job: () => Promise<T>): Promise<T>;
}

export function createWorkQueue({
  atOnce,
  mostWaiting,
}: {
  readonly atOnce: number;
  readonly mostWaiting: number;
}): WorkQueue {
  const waiting: (() => void)[] = [];
  let running = 0;

  return {
    async run(job) {
      if (running < atOnce) running++;
      else if (waiting.length < mostWaiting) await new Promise<void>((resolve) => waiting.push(resolve));
      else throw new SocialError('UNAVAILABLE', 'Too many photos are coming in: try again.', { retryAfter: 5 });
      try {
        return await job();
      } finally {
        const next = waiting.shift(); // takes the place over, so that nobody slips in between
        if (next) next();
        else running--;
      }
    },
  };
}
