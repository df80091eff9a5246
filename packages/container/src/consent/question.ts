import { sentenceFor } from '@gantry/wire';
import { textElement } from '../chrome/text-element.ts';
import type { Gadget } from '../gadget.ts';
import { fill } from '../messages/fill.ts';
import type { Messages } from '../messages/messages.ts';
import { appName } from './app-name.ts';
import { sentenceList } from './sentence-list.ts';

/** Returns the question for what an app needs; allowing it grants `needed`, as it lists them. */
export function neededQuestion(gadget: Gadget, words: Messages) {
  const { needed } = gadget.consent;
  const server = needed.find((name) => name.startsWith('server:'));
  const others = needed.filter((name) => name !== server);
  const asks = gadget.context.permissions.length > 0 ? words.asksMore : words.asks;
  const content: Node[] = [];
  if (others.length > 0) content.push(sentenceList(others, words));
  if (server) content.push(textElement('p', `${sentenceFor(server, words.sentences)}.`, { className: 'remote' }));
  const heading = fill(others.length > 0 ? asks : words.remoteAsks, { title: appName(gadget) });
  return { heading, content, needed };
}
