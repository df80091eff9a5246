import { SocialError } from '@gantry/wire';
import type { ChromeAction } from '../chrome-actions.ts';
import type { Actions, Place } from '../gadget.ts';
import type { Messages } from '../messages/messages.ts';
import { wordsAt } from '../shortcuts.ts';
import { isSeen, wasUsed } from './activation.ts';
import { readLine, readLines } from './app-text.ts';
import { openDialog } from './dialog.ts';
import { asksBefore, readLink } from './link.ts';
import { createSlidingWindow } from './sliding-window.ts';
import { textElement } from './text-element.ts';
import { showToast, toastKinds } from './toasts.ts';

/** A request of an app for permissions. */
export interface PermissionRequest {
  readonly names: unknown;
  readonly signal: AbortSignal;
  /** Runs `ask` if the member has just used the app. */
  ifJustUsed<T>(ask: () => Promise<T>): Promise<T>;
}

/** Fetches the dialog that asks for permissions, which stands on dialogs of this room. */
export type FetchPermissionDialog = () => Promise<{
  requestPermissions(place: Place, request: PermissionRequest): Promise<boolean>;
}>;

/**
 * Lets an app show dialogs, toasts, the share sheet and links in the container's chrome. Its texts
 * are shown as text, under the registered name of the app, which must be in view. Modal requests
 * also need a recent click or key in the app, one at a time.
 */
export function createAppDialogs(
  place: Place,
  fetchPermissionDialog: FetchPermissionDialog,
): {
  readonly actions: Actions<Extract<ChromeAction, `ui.${string}` | `permissions.${string}`>>;
  end(): void;
} {
  const { element, frame, gadget, messages } = place;
  const app = gadget.context.app.title;
  const over = new AbortController();
  const { clock } = gadget;
  const now = () => clock.elapsed();
  // Counts refused tries too, on the machine's clock: each lays out the page.
  const mayTry = createSlidingWindow({ count: 20, perMs: 1_000, now: () => performance.now() });
  const mayToast = createSlidingWindow({ count: 10, perMs: 60_000, now });
  const mayAsk = createSlidingWindow({ count: 10, perMs: 60_000, now });
  let isAsking = false;

  /** Runs `ask` if the member has just used the app and no other request is open. */
  async function ifJustUsed<T>(ask: () => Promise<T>): Promise<T> {
    requireTry();
    if (!isSeen(frame) || !(await wasUsed(frame))) {
      throw new SocialError('FORBIDDEN', 'The app may ask this only when the member has just used it.');
    }
    if (isAsking) throw new SocialError('RATE_LIMITED', 'The app is asking something already.');
    if (!mayAsk()) throw new SocialError('RATE_LIMITED', 'The app asks too often.');
    isAsking = true;
    try {
      return await ask();
    } finally {
      isAsking = false;
    }
  }

  function requireTry(): void {
    if (!mayTry()) throw new SocialError('RATE_LIMITED', 'The app asks too often.');
  }

  function ask<Id extends string>(
    options: Pick<Parameters<typeof openDialog<Id>>[0], 'title' | 'content' | 'actions'>,
  ) {
    return openDialog<Id>({ ...options, app, messages, place: element, signal: over.signal });
  }

  /** Asks with two buttons, the harmless one first. Resolves with true for the other one. */
  async function confirm(
    title: string,
    content: string | readonly Node[],
    [harmless, main]: readonly [string, string],
  ): Promise<boolean> {
    const actions = [
      { id: 'no', label: harmless },
      { id: 'yes', label: main, isPrimary: true },
    ];
    return (await ask({ title, content, actions })) === 'yes';
  }

  return {
    actions: {
      async 'ui.toast'(text, options) {
        const { kind, durationMs, action } = record(options);
        requireTry();
        if (!isSeen(frame)) throw new SocialError('FORBIDDEN', 'The app is not in view.');
        const line = readLine(text, 300);
        if (!line) throw new SocialError('BAD_REQUEST', 'A toast needs a text.');
        if (!mayToast()) throw new SocialError('RATE_LIMITED', 'The app shows too many toasts.');
        return showToast({
          app,
          text: line,
          kind: toastKinds.find((one) => one === kind) ?? 'info',
          durationMs: typeof durationMs === 'number' ? durationMs : undefined,
          action: readLine(action, 40) || undefined,
          messages,
          place: element,
          clock,
          signal: over.signal,
        });
      },
      'ui.dialog'(options) {
        const { title, text, buttons } = record(options);
        const labels = Array.isArray(buttons) ? buttons.slice(0, 3).map((button) => readLine(button, 40)) : [];
        const actions = (labels.length > 0 ? labels : [messages.ok]).map((label, index, all) => ({
          id: label,
          label,
          isPrimary: index === all.length - 1,
        }));
        return ifJustUsed(() => ask({ title: readLine(title, 100) || app, content: readLines(text), actions }));
      },
      'ui.confirm'(text) {
        return ifJustUsed(() => confirm(messages.confirmTitle, readLines(text), [messages.cancel, messages.ok]));
      },
      'ui.share'(options) {
        const fields = record(options);
        const url = fields.url === undefined ? undefined : readLink(fields.url, ['https:', 'http:']).href;
        const data = { title: readLine(fields.title, 100), text: readLines(fields.text), ...(url && { url }) };
        return ifJustUsed(() => ('share' in navigator ? shareNatively(data) : shareByCopy(data)));
      },
      'ui.openLink'(link) {
        const url = readLink(link, ['https:', 'http:', 'mailto:']);
        return ifJustUsed(async () => {
          const askBefore = wordsAt(element, 'data-gantry-ask-before');
          if (asksBefore(url, { origin: location.origin, askBefore })) {
            const { title, content } = linkQuestion(url, messages);
            if (!(await confirm(title, content, [messages.cancel, messages.openLink]))) return false;
          }
          window.open(url.href, '_blank', 'noopener,noreferrer');
          return true;
        });
      },
      'permissions.has': (name) => gadget.context.permissions.some((granted) => granted === name),
      async 'permissions.request'(names) {
        const { requestPermissions } = await fetchPermissionDialog();
        return requestPermissions(place, { names, signal: over.signal, ifJustUsed });
      },
    },
    end: () => over.abort(),
  };

  async function shareByCopy({ title, text, url }: ShareData): Promise<'copied' | 'cancelled'> {
    const field = textElement('textarea', [text, url].filter(Boolean).join('\n'), {
      className: 'field',
      readOnly: true,
      rows: 3,
    });
    field.ariaLabel = messages.shareText;
    const labels = [messages.close, messages.copy] as const;
    if (!(await confirm(title || messages.share, [field], labels))) return 'cancelled';
    await navigator.clipboard?.writeText(field.value); // absent on plain http: the text is there to select
    return 'copied';
  }
}

async function shareNatively(data: ShareData): Promise<'shared' | 'cancelled'> {
  try {
    await navigator.share(data);
    return 'shared';
  } catch {
    return 'cancelled'; // browsers give no other reason
  }
}

/** Returns the question before a link is opened. */
function linkQuestion(url: URL, messages: Messages): { readonly title: string; readonly content: readonly Node[] } {
  const isMail = url.protocol === 'mailto:';
  const isOwn = url.origin === location.origin;
  const target = isMail ? url.pathname : url.host; // punycode, which tells look-alikes apart
  const content = [
    textElement('p', isMail ? messages.openMailText : isOwn ? messages.openOwnText : messages.openLinkText),
    textElement('p', target, { className: 'host', dir: 'ltr' }),
    textElement('p', url.href, { className: 'quiet', dir: 'ltr' }),
  ];
  const title = isMail ? messages.openMailTitle : isOwn ? messages.openOwnTitle : messages.openLinkTitle;
  return { title, content };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
