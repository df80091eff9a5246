/**
 * Checks each frame until nothing is missing.
 *
 * @param options.missing Returns a line for each thing that is not there yet. Throws to end it.
 * @param options.frames Number of frames in a row in which nothing may be missing.
 * @returns The lines that are missing when the limit has passed.
 */
export async function waitUntil(options: {
  readonly missing: () => readonly string[];
  readonly frames: number;
  readonly limitMs: number;
  readonly now: () => number;
  readonly nextFrame: () => Promise<void>;
}): Promise<readonly string[]> {
  const { missing, frames, limitMs, now, nextFrame } = options;
  const endMs = now() + limitMs;
  for (let quiet = 0; ; await nextFrame()) {
    const left = missing();
    quiet = left.length === 0 ? quiet + 1 : 0;
    if (quiet >= frames) return [];
    if (now() >= endMs) return left.length > 0 ? left : ['it was quiet only just now'];
  }
}

/** Resolves with the next frame, or shortly after on a hidden page, which has none. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, 100);
    const frame = requestAnimationFrame(done);
    function done(): void {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      resolve();
    }
  });
}
