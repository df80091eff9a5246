import {
  type Agents,
  acceptAgents,
  createLabClock,
  createReport,
  type OpenStage,
  openStage,
  whereIn,
} from '@gantry/lab/page';
import type { KitPage, MountRequest } from '@gantry/testing/kit-protocol';
import { createKitClock } from './kit-clock.ts';
import { createKitReplays } from './replay.ts';

// The page in which a test mounts gadgets: one at a time, in a container of its own. Tests drive `window.gantryKit`.

interface Mounted {
  readonly request: MountRequest;
  readonly stage: OpenStage;
  readonly agents: Agents;
}

let mounted: Mounted | undefined;
const clock = createLabClock();
const report = createReport({
  address: '/kit/record',
  fetch: (url, init) => fetch(url, init),
  after: (ms, run) => void setTimeout(run, ms),
});

const kit: KitPage = {
  ...createKitClock(() => mounted && { lab: mounted.request.lab, clock, agents: mounted.agents }),
  async mount(request) {
    if (mounted?.request.lab === request.lab && mounted.stage.update(request.staged)) return;
    mounted?.agents.close();
    void clock.set(request.clock);
    const place = document.createElement('div');
    rootElement().replaceChildren(place);
    const { lab, persona: viewer } = request;
    const stage = openStage(place, request.staged, {
      lab: { lab, personas: [{ id: viewer }] },
      clock,
      report,
      follows: true,
    });
    const facts = { gadget: stage.gadget, lab: { lab }, app: request.staged.app, viewer };
    const agents = acceptAgents({ window, whereIs: whereIn(() => [facts]), report });
    void agents.setClock(lab, request.clock);
    mounted = { request, stage, agents };
    await stage.settled;
  },
  ...createKitReplays({
    report,
    place() {
      mounted?.agents.close();
      mounted = undefined;
      const place = document.createElement('div');
      rootElement().replaceChildren(place);
      return place;
    },
  }),
};
Object.assign(window, { gantryKit: kit });

function rootElement(): HTMLElement {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root.');
  return root;
}
