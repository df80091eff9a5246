import { acceptAgents, openReplay, type Replay, type Report, whereIn } from '@gantry/lab/page';
import type { KitPage, ReplayRequest } from '@gantry/testing/kit-protocol';

/** Replays on the kit's page, for any runner. */
export type KitReplays = Pick<KitPage, 'replay' | 'replayed'>;

interface Running {
  readonly replay: Replay;
  readonly agents: ReturnType<typeof acceptAgents>;
  shown: Parameters<typeof whereIn>[0];
}

/** Makes the replays of a page. `place` ends what is mounted and returns an empty element. */
export function createKitReplays(options: { readonly place: () => HTMLElement; readonly report: Report }): KitReplays {
  const { place, report } = options;
  let running: Running | undefined;

  function begin({ lab, tape, subject }: ReplayRequest & { readonly tape: object }): Running {
    running?.agents.close();
    const persona = subject.scenario.persona ?? 'nobody';
    const begun: Running = {
      shown: () => [],
      agents: acceptAgents({ window, whereIs: whereIn(() => begun.shown()), report }),
      replay: openReplay({
        tape,
        report,
        lab: { lab, personas: [{ id: persona }] },
        setTime: (atMs) => void begun.agents.setClock(lab, { aheadMs: atMs - Date.now(), stoppedAtMs: atMs }),
      }),
    };
    return begun;
  }

  return {
    async replay(request) {
      const { lab, tape, subject } = request;
      running = tape ? begin({ ...request, tape }) : running;
      if (!running) throw new Error('There is no replay to go on with.');
      const shown = running.replay.open(place(), subject);
      const facts = { gadget: shown.gadget, lab: { lab }, app: subject.app, viewer: shown.viewer };
      running.shown = () => [facts];
      await shown.settled;
    },
    async replayed(limitMs) {
      if (!running) throw new Error('There is no replay.');
      return running.replay.finished(limitMs);
    },
  };
}
