import { type PermissionName, SocialError } from '@gantry/wire';
import type { PermissionRequest } from '../chrome/app-dialogs.ts';
import { openDialog } from '../chrome/dialog.ts';
import { textElement } from '../chrome/text-element.ts';
import type { Place } from '../gadget.ts';
import { fill } from '../messages/fill.ts';
import { loadMessagesAt } from '../messages/load-messages-at.ts';
import { appName } from './app-name.ts';
import { rememberNotNow, wasNotNow } from './not-now.ts';
import { sentenceList } from './sentence-list.ts';

/**
 * Asks the member for optional permissions in a dialog. A permission that was refused once is not
 * asked for again while the tab is open.
 *
 * @param options.names Permissions, as the app wrote them: any value.
 * @returns True if the app has all of them now.
 * @throws SocialError BAD_REQUEST if `gadget.json` does not declare one as optional, and errors of
 * `ifJustUsed`.
 */
export async function requestPermissions(
  { gadget, element, messages }: Place,
  { names, signal, ifJustUsed }: PermissionRequest,
): Promise<boolean> {
  const permissionNames = readNames(names);
  const { permissions } = gadget.context;
  const missing = permissionNames.filter((name) => !permissions.includes(name));
  const undeclared = missing.find((name) => !gadget.consent.optional.includes(name));
  if (undeclared !== undefined) {
    throw new SocialError('BAD_REQUEST', `gadget.json does not declare ${undeclared} in optional.`);
  }
  if (missing.length === 0) return true;
  if (wasNotNow(gadget, missing)) return false;
  const words = await loadMessagesAt(element);
  const chosen = await ifJustUsed(() =>
    openDialog({
      title: fill(words.asks, { title: appName(gadget) }),
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
    rememberNotNow(gadget, missing);
    return false;
  }
  const reply = await gadget.decide({ grant: missing });
  if ('error' in reply) throw new SocialError('UNAVAILABLE', reply.error.message);
  return missing.every((name) => reply.ok.granted.includes(name));
}

const maxNames = 20;

/** Validates a list of permission names from an app. */
export function readNames(names: unknown): readonly PermissionName[] {
  const isList = Array.isArray(names) && names.length > 0 && names.length <= maxNames;
  if (isList && names.every((name) => typeof name === 'string' && name.length <= 64)) return names;
  throw new SocialError('BAD_REQUEST', `Name 1 to ${maxNames} permissions, such as ['activities.post'].`);
}
