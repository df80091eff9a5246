import type { Frame, Page } from '@playwright/test';

/** A line of the console in a frame of the page. */
export interface FrameLine {
  readonly type: string;
  readonly text: string;
  /** App in whose gadget the frame is; absent where that is not known. */
  readonly app?: string;
}

/**
 * Reads the console of each frame from the frame's own process, so that the browser says where a
 * line came from. Addresses in a line are no evidence: an app names its scripts as it likes, by
 * `sourceURL` (security rule 36).
 *
 * @param onLine Called with lines of frames in gadgets, also with those of before.
 */
export function readFrames(
  page: Page,
  onLine: (line: FrameLine) => void,
): {
  /** True if a frame of a gadget shares the page's process, or was gone: its lines are unknown. */
  readonly isBlind: boolean;
  /** Resolves when the frames so far are read. */
  attached(): Promise<void>;
} {
  const attaching = new Map<Frame, Promise<void>>();
  let isBlind = false;

  async function attach(frame: Frame): Promise<void> {
    const app = await appOf(frame);
    if (app === noApp) return;
    const line = (type: string, text: string): void => onLine({ type, text, ...(app !== undefined && { app }) });
    try {
      const session = await page.context().newCDPSession(frame);
      session.on('Log.entryAdded', ({ entry: { level, text } }) => line(level, text));
      session.on('Runtime.consoleAPICalled', ({ type, args }) => {
        line(type, args.map(({ value, description }) => String(value ?? description ?? '')).join(' '));
      });
      await Promise.all([session.send('Log.enable'), session.send('Runtime.enable')]);
    } catch {
      isBlind = true;
    }
  }

  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame() || attaching.has(frame) || !/^https?:/.test(frame.url())) return;
    attaching.set(frame, attach(frame));
  });
  page.on('framedetached', (frame) => attaching.delete(frame));
  return {
    get isBlind() {
      return isBlind;
    },
    async attached() {
      await Promise.all(attaching.values());
    },
  };
}

const noApp = '';

/** Returns the app of the gadget around a frame, by the page's own elements. */
async function appOf(frame: Frame): Promise<string | undefined> {
  let outer = frame;
  for (let parent = frame.parentFrame(); parent?.parentFrame(); parent = parent.parentFrame()) outer = parent;
  try {
    const element = await outer.frameElement();
    return await element.evaluate((iframe, none) => {
      const root = iframe.getRootNode();
      return (root instanceof ShadowRoot && root.host.getAttribute('app')) || none;
    }, noApp);
  } catch {
    return undefined;
  }
}
