import {
  type AppContext,
  type AppRequest,
  acceptHello,
  type ContainerConnection,
  connectToContainer,
  createDirectHello,
} from '@gantry/bridge';
import type { Reply, ResourceRequest } from '@gantry/wire';
import type { Container } from '../../src/container-api.ts';
import type { Gadget } from '../../src/gadget.ts';
import { tick } from '../setting.ts';
import { type HeldPort, holdPorts } from './held-ports.ts';

type Message = { readonly gantry?: string };

/** An app and its page, with a port whose messages the test delivers. */
export interface LeasedApp {
  readonly gadget: Gadget;
  readonly connection: ContainerConnection;
  /** The page's end of the port. */
  readonly page: HeldPort;
  /** The app's end of the port. */
  readonly app: HeldPort;
  /** Kinds of messages that the page posted; `answer` for replies that were ready. */
  readonly posted: string[];
  /** The page has replaced the gadget. */
  isReplaced: boolean;
  /** Sends a call; the list gets its reply. */
  ask(request: ResourceRequest): Reply[];
  /** Returns what the page would answer now, if that is fresh. */
  present(request: ResourceRequest): Reply | undefined;
}

export const callOf = ({ operation, params }: ResourceRequest): AppRequest => ({
  operation,
  params: JSON.stringify(params),
});

/** @param options.loses Picks messages of the page that do not arrive: planted faults. */
export async function openLeasedApp(
  container: Container,
  name: string,
  { loses = () => false }: { readonly loses?: (message: Message) => boolean } = {},
): Promise<LeasedApp> {
  const mounted = await container.mount({ app: name }, () => {
    leased.isReplaced = true;
    accepted.close();
  });
  if ('error' in mounted) throw new Error(mounted.error.message);
  const gadget = mounted.ok;
  for (let turn = 0; turn < 3; turn++) await tick(); // the document loads, and preloads arrive
  const { greeting, window } = createDirectHello();
  const posted: string[] = [];
  const accepted = acceptHello({
    greeting,
    context: () => gadget.context as AppContext,
    actions: new Map(),
    answer: gadget.answer,
    watch: gadget.watch,
    leases: gadget.leases,
    preloads: gadget.preloads,
  });
  const channels = holdPorts();
  const connection = connectToContainer({ window });
  const { port1: app, port2: page } = channels[0] as (typeof channels)[0];
  const { postMessage } = page;
  page.postMessage = (message: Message) => {
    posted.push(message.gantry ?? 'answer');
    if (!loses(message)) postMessage(message);
  };
  const probe = gadget.leases?.(() => {});
  const leased: LeasedApp = {
    ...{ gadget, connection, page, app, posted },
    isReplaced: false,
    ask(request) {
      const replies: Reply[] = [];
      connection.send(callOf(request), (reply) => replies.push(reply));
      return replies;
    },
    present(request) {
      const reply = probe?.grant(1, callOf(request))?.reply;
      probe?.stop();
      return reply;
    },
  };
  await Promise.resolve();
  return leased;
}

/** Delivers all messages of ports, both ways. */
export async function deliverAll(apps: readonly LeasedApp[]): Promise<void> {
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const { page, app } of apps) for (const end of [page, app]) while (end.deliver()) isDone = false;
    for (let turn = 0; turn < 5; turn++) await Promise.resolve(); // replies and ends go out in microtasks
    if (apps.some(({ page, app }) => page.waiting.length + app.waiting.length > 0)) isDone = false;
  }
}
