import type { BuildProblem } from '@gantry/dev/protocol';
import type { ClockState } from '@gantry/lab/jumping-clock';
import { acceptAgents, createReport, placeSeparator, type Report, type StageFacts, whereIn } from '@gantry/lab/page';
import type { DevEvents } from './dev-events.ts';
import { attachHot } from './hot/attach-hot.ts';

/** The frames of a page, connected to its server. */
export interface Frames {
  /** Adds happenings of containers to the record. */
  readonly report: Report;
  /** Sets the time of frames of a lab. Busy frames follow later. */
  setClock(lab: string, clock: ClockState): void;
  close(): void;
}

/**
 * Connects the frames of a page: sends agents' reports to the record, and updates to the frames.
 *
 * @param options.stages The gadgets that are on the page now.
 * @param options.onBuild Called with the problem of an app's build, or without one when it builds.
 */
export function connectFrames(options: {
  readonly stages: () => Iterable<StageFacts>;
  readonly events: DevEvents;
  readonly onBuild?: (app: string, problem: BuildProblem | undefined) => void;
}): Frames {
  const { stages, events, onBuild } = options;
  const report = createReport({
    address: '/dev/record',
    fetch: (url, init) => fetch(url, init),
    after: (ms, run) => void setTimeout(run, ms),
  });
  const hot = attachHot({
    gadgets: () => [...stages()].flatMap(({ gadget }) => gadget ?? []),
    events,
    report(happening, gadget) {
      const stage = [...stages()].find((one) => one.gadget === gadget);
      if (!stage?.lab) return;
      report({
        ...happening,
        lab: stage.lab.lab,
        app: stage.app,
        place: `${stage.viewer}${placeSeparator}${stage.app}#1`,
      });
    },
    ...(onBuild && { onBuild }),
  });
  const agents = acceptAgents({ window, whereIs: whereIn(stages), report, onAgent: hot.onAgent });
  return {
    report,
    setClock: (lab, clock) => void agents.setClock(lab, clock).catch(() => undefined),
    close() {
      agents.close();
      hot.close();
    },
  };
}
