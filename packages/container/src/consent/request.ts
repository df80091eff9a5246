import { type PermissionName, SocialError } from '@gantry/wire';
import { openDialog, textElement } from '../chrome/dialog.ts';
import { fill } from '../messages/messages.ts';
import type { Place } from '../place.ts';
import { rememberLater, wasLater } from './later.ts';
import { sentenceList } from './sentence-list.ts';
import { loadWords } from './words.ts';

/**
 * Asks the member for optional permissions, in a dialog.
 *
 * @param names What the app asks for; anything it wrote.
 * @returns True if the app has all of them now. What was refused once is not asked again while the tab is open.
 * @throws SocialError BAD_REQUEST for what `gadget.json` does not declare, and what `attended` throws.
 */
export async function requestPermissions(
  { gadget, element, messages }: Place,
  { names, signal, attended }: Asking,
): Promise<boolean> {
  const asked = readNames(names);
  const { permissions, app } = gadget.context;
  const missing = asked.filter((name) => !permissions.includes(name));
  const undeclared = missing.find((name) => !gadget.consent.optional.includes(name));
  if (undeclared !== undefined) {
    throw new SocialError('BAD_REQUEST', `gadget.json does not declare ${undeclared} in optional.`);
  }
  if (missing.length === 0) return true;
  if (wasLater(gadget, missing)) return false;
  const words = await loadWords(element);
  const chosen = await attended(() =>
    openDialog({
      title: fill(words.asks, { title: app.title }),
      content: [sentenceList(missing, words), textElement('p', words.takeBackHint, { className: 'quiet' })],
      actions: [
        { id: 'later', label: words.notNow },
        { id: 'allow', label: words.allow, isPrimary: true },
      ],
      messages,
      place: element,
      signal,
    }),
  );
  if (signal.aborted) return false;
  if (chosen !== 'allow') {
    rememberLater(gadget, missing);
    return false;
  }
  const reply = await gadget.decide({ grant: missing });
  if ('error' in reply) throw new SocialError('UNAVAILABLE', reply.error.message);
  return missing.every((name) => reply.ok.granted.includes(name));
}

interface Asking {
  readonly names: unknown;
  readonly signal: AbortSignal;
  /** Runs what shows a dialog, if this is a moment to ask. */
  attended<T>(ask: () => Promise<T>): Promise<T>;
}

const maxNames = 20;

export function readNames(names: unknown): readonly PermissionName[] {
  const isList = Array.isArray(names) && names.length > 0 && names.length <= maxNames;
  if (isList && names.every((name) => typeof name === 'string' && name.length <= 64)) return names;
  throw new SocialError('BAD_REQUEST', `Name 1 to ${maxNames} permissions, such as ['activities.post'].`);
}
