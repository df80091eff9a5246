import {
  type Agents,
  acceptAgents,
  createLabClock,
  createReport,
  type LabClock,
  type MountedGadget,
  mountGadget,
  whereIn,
} from '@gantry/lab/page';
import type { KitPage, Missing, MountRequest } from '@gantry/testing/kit-protocol';
import { countText } from '@gantry/wire/runtime';
import { createKitNetwork } from './kit-network.ts';
import { createKitReplays } from './replay.ts';
import { seededChance } from './seeded-chance.ts';
import { nextFrame, waitUntil } from './wait-until.ts';
import { type Conversation, watchConversation } from './watch-conversation.ts';

interface Mounted {
  readonly request: MountRequest;
  readonly shown: MountedGadget;
  readonly conversation: Conversation;
  readonly clock: LabClock;
  readonly agents: Agents;
}

/** Makes the kit of a page: one gadget at a time, in a container of its own. */
export function createKitPage(root: HTMLElement): KitPage {
  const report = createReport({
    address: '/kit/record',
    fetch: (url, init) => fetch(url, init),
    after: (ms, run) => void setTimeout(run, ms),
  });
  let mounted: Mounted | undefined;
  const network = createKitNetwork(window, () => mounted?.agents);
  let clock: { readonly lab: string; readonly clock: LabClock } | undefined;

  /** Returns the clock of a lab, kept over its mounts: no clock goes back. */
  function clockOf({ lab, clock: time, seed }: MountRequest): LabClock {
    if (clock?.lab !== lab) {
      const machine = createLabClock();
      clock = { lab, clock: seed === undefined ? machine : { ...machine, ...seededChance(seed) } };
    }
    void clock.clock.set(time);
    return clock.clock;
  }

  function close(): void {
    mounted?.agents.close();
    mounted?.shown.close();
    mounted = undefined;
    root.replaceChildren();
  }

  function newPlace(): HTMLElement {
    const place = document.createElement('div');
    root.replaceChildren(place);
    return place;
  }

  async function unmount(): Promise<void> {
    close();
    await report.sent();
  }

  function missing({ shown: { gadget }, conversation }: Mounted, held: readonly string[]): readonly string[] {
    const open = without(conversation.openCalls(), held);
    const writes = without(conversation.waitingWrites(), held);
    return [
      ...(isReady(gadget) ? [] : [`the gadget is ${gadget.state}`]),
      ...(open.length > 0 ? [`${countText(open.length, 'call')} open: ${listed(open)}`] : []),
      ...(writes.length > 0 ? [`${countText(writes.length, 'write')} waiting: ${listed(writes)}`] : []),
    ];
  }

  async function ready(shown: MountedGadget, limitMs: number): Promise<Missing> {
    const late = (): Promise<Missing> =>
      waitUntil({ missing: () => [`the gadget is ${shown.gadget.state}`], frames: 1, limitMs, now, nextFrame }).then(
        (left) => ({ missing: left }),
      );
    return Promise.race([shown.settled.then((): Missing => ({ missing: [] })), late()]);
  }

  return {
    setOnline: network.setOnline,
    purge: async () => mounted?.shown.purge(),
    async setClock({ lab, clock }) {
      if (mounted?.request.lab !== lab) return;
      const isSet = mounted.clock.set(clock); // before the frames: waits of the page may reload one
      await Promise.all([isSet, mounted.agents.setClock(lab, clock)]);
    },
    ...createKitReplays({
      report,
      place() {
        close();
        return newPlace();
      },
    }),
    async mount(request, limitMs) {
      await unmount();
      const { lab, persona: viewer } = request;
      const conversation = watchConversation();
      const labClock = clockOf(request);
      const shown = mountGadget(newPlace(), request.subject, {
        lab: { lab, personas: [{ id: viewer }] },
        clock: labClock,
        observe: conversation.observe,
        report,
        follows: true,
        network: network.fetch,
      });
      const facts = { gadget: shown.gadget, lab: { lab }, app: request.subject.app, viewer };
      const agents = acceptAgents({ window, whereIs: whereIn(() => [facts]), report });
      void agents.setClock(lab, request.clock);
      mounted = { request, shown, conversation, clock: labClock, agents };
      return ready(shown, limitMs);
    },
    update(request) {
      const { lab, persona, subject } = mounted?.request ?? {};
      if (lab !== request.lab || persona !== request.persona || subject?.app !== request.subject.app) return false;
      return mounted?.shown.update(request.subject) ?? false;
    },
    async reload(limitMs) {
      const { gadget } = mountedNow(mounted).shown;
      const again = new Promise<void>((resolve) => {
        gadget.addEventListener('gantry-ready', () => resolve(), { once: true });
      });
      let isBack = false;
      void again.then(() => {
        isBack = true;
      });
      gadget.reload();
      const left = await waitUntil({
        missing() {
          if (gadget.state === 'failed') throw new Error('The app cannot be shown after it was loaded anew.');
          return isBack || gadget.state === 'asking' ? [] : [`the gadget is ${gadget.state}`];
        },
        frames: 1,
        limitMs,
        now,
        nextFrame,
      });
      return { missing: left };
    },
    unmount,
    async settled(limitMs, held) {
      const one = mountedNow(mounted);
      const endMs = now() + limitMs;
      const over = waitFor(limitMs);
      let [height, messages, isDrawn] = [-1, -1, true];
      const left = await waitUntil({
        missing() {
          const heightNow = one.shown.gadget.getBoundingClientRect().height;
          const messagesNow = one.conversation.messages();
          const found = [
            ...missing(one, held),
            ...(heightNow === height ? [] : ['height still changing']),
            ...(messagesNow === messages ? [] : ['messages until just now']),
          ];
          [height, messages] = [heightNow, messagesNow];
          return isDrawn || found.length > 0 ? found : ['the app is busy'];
        },
        // The page's, and the app's, which is drawn when its process gets its turn.
        async nextFrame() {
          const drawn = Promise.all([nextFrame(), one.agents.drawn(one.request.lab)]);
          isDrawn = await Promise.race([drawn.then(() => true), over]);
        },
        frames: 2,
        limitMs,
        now,
      });
      const isIn = await Promise.race([report.sent().then(() => true), waitFor(Math.max(0, endMs - now()))]);
      return { missing: isIn ? left : [...left, 'what the page saw is not in the record yet'] };
    },
    recorded: () => report.sent(),
  };
}

const now = (): number => performance.now();

function mountedNow(mounted: Mounted | undefined): Mounted {
  if (mounted) return mounted;
  throw new Error('No gadget is mounted.');
}

function isReady({ state }: MountedGadget['gadget']): boolean {
  if (state === 'failed' || state === 'stopped') throw new Error(`The gadget is ${state}, so it does not settle.`);
  return state === 'ready' || state === 'asking';
}

function waitFor(ms: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), ms));
}

/** Removes one name for each that is held. */
function without(names: readonly string[], held: readonly string[]): readonly string[] {
  const left = [...held];
  return names.filter((name) => {
    const at = left.indexOf(name);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

const mostListed = 8;

function listed(names: readonly string[]): string {
  const more = names.length - mostListed;
  return [...names.slice(0, mostListed), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
