/** Whether somebody sees the page. */
export interface Attention {
  isHidden(): boolean;
  /** Runs when somebody sees the page again, or when its device is online again. */
  onReturn(listener: () => void): void;
}

/** Where there is no document, everything counts as seen. */
export function pageAttention(): Attention {
  const page = globalThis.document;
  const isHidden = () => page?.visibilityState === 'hidden';
  return {
    isHidden,
    onReturn(listener) {
      page?.addEventListener('visibilitychange', () => isHidden() || listener());
      globalThis.addEventListener?.('online', () => isHidden() || listener());
    },
  };
}
