import type { BuildProblem } from '@gantry/dev/protocol';
import type { ClockState } from '@gantry/lab/jumping-clock';
import { acceptAgents, createReport, type GadgetFacts, placeSeparator, whereIn } from '@gantry/lab/page';
import type { DevEvents } from './dev-events.ts';
import { attachHot } from './hot/attach-hot.ts';

export type Frames = ReturnType<typeof connectFrames>;

/**
 * Connects the frames of a page: sends agents' reports to the record, and updates to the frames.
 *
 * @param options.shown The gadgets that are on the page now.
 * @param options.onBuild Called with the problem of an app's build, or without one when it builds.
 */
export function connectFrames(options: {
  readonly shown: () => Iterable<GadgetFacts>;
  readonly events: DevEvents;
  readonly onBuild?: (app: string, problem: BuildProblem | undefined) => void;
}) {
  const { shown, events, onBuild } = options;
  /** Adds events of containers to the record. */
  const report = createReport({
    address: '/dev/record',
    fetch: (url, init) => fetch(url, init),
    after: (ms, run) => void setTimeout(run, ms),
  });
  const hot = attachHot({
    gadgets: () => [...shown()].flatMap(({ gadget }) => gadget ?? []),
    events,
    report(event, gadget) {
      const facts = [...shown()].find((one) => one.gadget === gadget);
      if (!facts?.lab) return;
      report({ ...event, lab: facts.lab.lab, app: facts.app, place: `${facts.viewer}${placeSeparator}${facts.app}#1` });
    },
    ...(onBuild && { onBuild }),
  });
  const agents = acceptAgents({ window, whereIs: whereIn(shown), report, onAgent: hot.onAgent });
  return {
    report,
    /** Sets the time of frames of a lab. Busy frames follow later. */
    setClock: (lab: string, clock: ClockState): void => void agents.setClock(lab, clock).catch(() => undefined),
    close(): void {
      agents.close();
      hot.close();
    },
  };
}
