import type { Place } from '../gadget.ts';

/** Fetches what the member is asked about versions, which stands on questions of other rooms. */
export type FetchVersionWatch = () => Promise<{ watchVersion(place: Place): () => void }>;

const retryMs = 30_000;

/**
 * Follows the version of an app, once there is another one or a preview.
 *
 * @returns Call it when the load is over.
 */
export function awaitVersion(place: Place, fetchVersionWatch: FetchVersionWatch): () => void {
  const { gadget } = place;
  let isOver = false;
  let end = () => {};

  async function check(): Promise<void> {
    if (gadget.outdatedAtMs === undefined && gadget.preview !== 'offered') return;
    try {
      const { watchVersion } = await fetchVersionWatch();
      if (isOver || gadget.onVersion !== onVersion) return;
      end = watchVersion(place);
    } catch {
      if (!isOver) end = gadget.clock.after(retryMs, () => void check()); // the page is offline
    }
  }
  function onVersion(): void {
    end();
    place.ask('preview'); // draws its mark anew
    void check();
  }
  gadget.onVersion = onVersion;
  void check();
  return () => {
    isOver = true;
    gadget.onVersion = undefined;
    end();
  };
}
