/** Visibility of the page. */
export interface Attention {
  isHidden(): boolean;
  /** Calls back when the page is visible again, or its device online again. */
  onReturn(listener: () => void): void;
}

/** Makes the attention of a document. Without one, the page counts as visible. */
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
