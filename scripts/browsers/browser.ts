/** One browser, as the scenarios need it. */
export interface Browser {
  readonly name: 'Chromium' | 'Firefox' | 'WebKitGTK';
  readonly version: string;
  /** Opens a tab with cookies and storage of its own. */
  openTab(): Promise<Tab>;
  close(): Promise<void>;
}

/**
 * A page. Elements and frames are expressions of JavaScript, which find those in shadow trees too:
 * `element` is evaluated in the document of `frame`, and `frame` in the page.
 */
export interface Tab {
  goTo(address: string): Promise<void>;
  setCookie(cookie: { readonly name: string; readonly value: string; readonly url: string }): Promise<void>;
  /** Resolves with the value of an expression, after its promise. */
  read<T>(expression: string, frame?: string): Promise<T>;
  click(element: string, frame?: string): Promise<void>;
  /** Makes it the visible tab: one that is hidden may wait with what it shows. */
  bringToFront(): Promise<void>;
  press(key: Key): Promise<void>;
  type(text: string): Promise<void>;
  close(): Promise<void>;
}

export type Key = 'Tab' | 'Enter' | 'Escape';

export const viewport = { width: 1280, height: 900 }; // in a smaller one, frames below the fold wait

/** Starts a browser, or rejects with a message that names Debian's package. */
export async function startOr<T>(name: string, debianPackage: string, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${name} does not start (Debian's package ${debianPackage}): ${why}`, { cause });
  }
}
