import { isSeen } from '../chrome/activation.ts';
import { hasFocus } from '../chrome/keyboard.ts';
import { announce } from '../chrome/live-region.ts';
import { appName } from '../consent/app-name.ts';
import type { Place, Question } from '../gadget.ts';
import { layersOf } from '../layers/page-layers.ts';
import { fill } from '../messages/fill.ts';
import { loadMessagesAt } from '../messages/load-messages-at.ts';
import type { Messages } from '../messages/messages.ts';
import { askFirst } from './ask-first.ts';
import { awaitQuietMoment } from './quiet-moment.ts';

const asked = new WeakSet<Place['gadget']>(); // by gadget, since an app can reload itself

/**
 * Loads another version of an app at a quiet moment, or when the member says so, and offers a
 * preview. In the container's words, above the app's frame (security rules 7 and 26).
 *
 * @returns Call it when the load is over.
 */
export function watchVersion(place: Place): () => void {
  const { gadget, element, frame } = place;
  const over = new AbortController();
  const { signal } = over;
  let moment: ReturnType<typeof awaitQuietMoment> | undefined;
  let offer: (() => void) | undefined;

  function check(): void {
    const { outdatedAtMs, preview } = gadget;
    if (outdatedAtMs === undefined) {
      moment?.end();
      moment = undefined;
      place.ask('version');
    } else moment ??= awaitQuietMoment({ ...use, sinceMs: outdatedAtMs });
    if (preview === 'offered') offer ??= askFirst(gadget, () => void offerPreview());
    else {
      offer?.();
      offer = undefined;
      place.ask('preview');
    }
  }

  const use: Omit<Parameters<typeof awaitQuietMoment>[0], 'sinceMs'> = {
    clock: gadget.clock,
    // A question about to be answered is use, too, and may be this app's.
    isUsed: () => layersOf(document).hasModal || (hasFocus(frame) && isSeen(frame)),
    hasWrites: () => gadget.writes.reports().some(({ state }) => state !== 'done'),
    onQuiet: () => void loadQuietly(),
    onLate() {
      if (asked.has(gadget)) return;
      asked.add(gadget);
      void offerVersion();
    },
  };

  async function loadQuietly(): Promise<void> {
    if ((await gadget.loadAnew(() => !use.isUsed())) || signal.aborted) return;
    moment = undefined; // for another half minute
    check();
  }

  async function loadNow(): Promise<void> {
    place.ask('version');
    if (!(await gadget.loadAnew())) await offerVersion('failed');
  }

  function offerVersion(problem?: 'failed'): Promise<void> {
    return ask('version', problem ?? 'newVersion', (words) => [
      [words.later, () => place.ask('version')],
      [words.loadNow, () => void loadNow()],
    ]);
  }

  function offerPreview(problem?: 'failed'): Promise<void> {
    const decide = (accept: boolean) => async () => {
      place.ask('preview');
      const reply = await gadget.decidePreview(accept);
      if ('error' in reply && !signal.aborted) void offerPreview('failed');
    };
    return ask('preview', problem ?? 'previewOffered', (words) => [
      [words.noThanks, decide(false)],
      [words.tryPreview, decide(true)],
    ]);
  }

  async function ask(
    about: 'version' | 'preview',
    text: 'newVersion' | 'previewOffered' | 'failed',
    actions: (words: Messages) => Question['actions'],
  ): Promise<void> {
    const words = await loadMessagesAt(element).catch(() => undefined); // no question without words
    const isDue = about === 'version' ? gadget.outdatedAtMs !== undefined : gadget.preview === 'offered';
    if (words === undefined || signal.aborted || !isDue) return;
    const question = { text: fill(words[text], { title: appName(gadget) }), lang: words.language };
    place.ask(about, { ...question, actions: actions(words) });
    announce(question);
  }

  for (const event of ['focus', 'blur']) addEventListener(event, () => moment?.check(), { signal });
  document.addEventListener('visibilitychange', () => moment?.check(), { signal });
  gadget.onVersion = check;
  check();
  return () => {
    over.abort();
    moment?.end();
    offer?.();
  };
}
