import { nobody } from '@gantry/lab/scenario';
import type { Tape } from '@gantry/lab/tape';
import { createTapeHost, type ReplayReport } from '@gantry/lab/tape-host';
import { type MountedGadget, type MountGadgetOptions, mountGadget, type Subject } from './mount-gadget.ts';
import { observeFor } from './open-container.ts';
import { createTapeClock } from './tape-clock.ts';
import { type TapeTeller, tapeContainer } from './tape-container.ts';

/** An app that runs against a tape. */
export type Replay = ReturnType<typeof openReplay>;

export interface ReplayOptions extends Pick<MountGadgetOptions, 'lab' | 'report'> {
  readonly tape: Tape;
  /** Sets the time of the frame: milliseconds since the epoch. */
  readonly setTime: (atMs: number) => void;
}

const leastJumpMs = 100; // a message to the frame for each step would be too many

/**
 * Makes the host of a replay on a page, for any runner with a browser.
 *
 * @param options.lab Serves the documents of the app. The app sees nothing of its world.
 */
export function openReplay({ tape, lab, report, setTime }: ReplayOptions) {
  const { startMs } = tape.head;
  const clock = createTapeClock(startMs);
  let teller: TapeTeller | undefined;
  let frameAtMs = startMs;
  const host = createTapeHost(tape, {
    onTime(offsetMs) {
      const atMs = startMs + offsetMs;
      clock.moveTo(atMs);
      if (atMs < frameAtMs + leastJumpMs) return;
      frameAtMs = atMs;
      setTime(atMs);
    },
    onEvent: (name, data) => teller?.event(name, data),
    onContext: (context) => teller?.context(context),
    turn: nextTask,
    pictures: globalThis.location?.origin, // undefined in Node
  });

  return {
    /** Shows the app, again for each mount that the tape has. */
    open(place: HTMLElement, subject: Subject): MountedGadget {
      const viewer = subject.scenario.persona ?? lab.personas[0]?.id ?? nobody;
      const record = report && observeFor(lab, viewer, report);
      return mountGadget(place, subject, {
        lab,
        clock,
        follows: false,
        observe(observed) {
          record?.(observed);
          if (observed.kind === 'handshake') queueMicrotask(host.greet); // the context that follows is still the greeting's
        },
        host(container) {
          const taped = tapeContainer(container, host);
          teller = taped.teller;
          return taped.container;
        },
      });
    },
    report: host.report,
    /** Resolves when all of the tape happened, the app differed from it, or the limit passed. */
    finished: (limitMs: number): Promise<ReplayReport> =>
      host.finished(new Promise((resolve) => setTimeout(resolve, limitMs))),
  };
}

/** Resolves in another task. Not a timer: browsers delay nested timers by four milliseconds. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
