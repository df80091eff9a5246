import {
  type Agents,
  acceptAgents,
  createLabClock,
  createReport,
  type LabClock,
  type OpenStage,
  openStage,
  whereIn,
} from '@gantry/lab/page';
import type { KitPage, Missing, MountRequest } from '@gantry/testing/kit-protocol';
import { createKitNetwork } from './kit-network.ts';
import { createKitReplays } from './replay.ts';
import { seededChance } from './seeded-chance.ts';
import { nextFrame, waitUntil } from './wait-until.ts';
import { type Conversation, watchConversation } from './watch-conversation.ts';

interface Mounted {
  readonly request: MountRequest;
  readonly stage: OpenStage;
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
    mounted?.stage.close();
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

  function missing({ stage: { gadget }, conversation }: Mounted): readonly string[] {
    const open = conversation.openCalls();
    const writes = conversation.waitingWrites();
    return [
      ...(isReady(gadget) ? [] : [`the gadget is ${gadget.state}`]),
      ...(open.length > 0 ? [`${counted(open.length, 'call')} open: ${listed(open)}`] : []),
      ...(writes.length > 0 ? [`${counted(writes.length, 'write')} waiting: ${listed(writes)}`] : []),
    ];
  }

  async function ready(stage: OpenStage, limitMs: number): Promise<Missing> {
    const late = (): Promise<Missing> =>
      waitUntil({ missing: () => [`the gadget is ${stage.gadget.state}`], frames: 1, limitMs, now, nextFrame }).then(
        (left) => ({ missing: left }),
      );
    return Promise.race([stage.settled.then((): Missing => ({ missing: [] })), late()]);
  }

  return {
    setOnline: network.setOnline,
    purge: async () => mounted?.stage.purge(),
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
      const stage = openStage(newPlace(), request.staged, {
        lab: { lab, personas: [{ id: viewer }] },
        clock: labClock,
        observe: conversation.observe,
        report,
        follows: true,
        network: network.fetch,
      });
      const facts = { gadget: stage.gadget, lab: { lab }, app: request.staged.app, viewer };
      const agents = acceptAgents({ window, whereIs: whereIn(() => [facts]), report });
      void agents.setClock(lab, request.clock);
      mounted = { request, stage, conversation, clock: labClock, agents };
      return ready(stage, limitMs);
    },
    update(request) {
      const { lab, persona, staged } = mounted?.request ?? {};
      if (lab !== request.lab || persona !== request.persona || staged?.app !== request.staged.app) return false;
      return mounted?.stage.update(request.staged) ?? false;
    },
    async reload(limitMs) {
      const { gadget } = mountedNow(mounted).stage;
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
        ...{ frames: 1, limitMs, now, nextFrame },
      });
      return { missing: left };
    },
    unmount,
    async settled(limitMs) {
      const one = mountedNow(mounted);
      const endMs = now() + limitMs;
      let height = -1;
      const left = await waitUntil({
        missing() {
          const heightNow = one.stage.gadget.getBoundingClientRect().height;
          const isStill = heightNow === height;
          height = heightNow;
          return [...missing(one), ...(isStill ? [] : ['height still changing'])];
        },
        ...{ frames: 2, limitMs, now, nextFrame },
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

function isReady({ state }: OpenStage['gadget']): boolean {
  if (state === 'failed' || state === 'stopped') throw new Error(`The gadget is ${state}, so it does not settle.`);
  return state === 'ready' || state === 'asking';
}

function waitFor(ms: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), ms));
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const mostListed = 8;

function listed(names: readonly string[]): string {
  const more = names.length - mostListed;
  return [...names.slice(0, mostListed), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
