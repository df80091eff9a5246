import type { AgentMessage, AgentSettings, PageMessage } from '@gantry/lab/agent-protocol';
import { createJumpingClock } from '@gantry/lab/jumping-clock';
import { takeDate, takeFormats } from './frame-date.ts';
import { takeNetwork } from './frame-network.ts';
import { machineTime, takeTimers } from './frame-timers.ts';
import { createReport } from './report.ts';
import { createTimeZone } from './time-zone.ts';
import { watchConsole } from './watch-console.ts';
import { watchErrors } from './watch-errors.ts';
import { watchHeight } from './watch-height.ts';
import { watchInputs } from './watch-inputs.ts';
import { watchSandbox } from './watch-sandbox.ts';
import { watchStart } from './watch-start.ts';
import { watchStyles } from './watch-styles.ts';
import { watchTasks } from './watch-tasks.ts';

/** A frame that is out of sight draws nothing. */
const hiddenMs = 100;

/**
 * Watches the document of an app for the page around it, and moves its clock. Runs before the app.
 *
 * @param options.port The agent's own: the app's is not touched.
 */
export function startAgent({ port, settings }: { readonly port: MessagePort; readonly settings: AgentSettings }): void {
  const after = window.setTimeout.bind(window); // the browser's own, not yet replaced
  const post = (message: AgentMessage): void => port.postMessage(message);
  const later = (ms: number, run: () => void): void => void after(run, ms);
  const onFrame = window.requestAnimationFrame.bind(window);
  const parsed = new Promise<void>((resolve) => {
    if (document.readyState !== 'loading') resolve();
    window.addEventListener('DOMContentLoaded', () => resolve());
  });
  const drawn = (): Promise<void> =>
    new Promise((resolve) => {
      onFrame(() => later(0, resolve)); // after the app's own frame callbacks
      later(hiddenMs, resolve);
    });
  const now = performance.now.bind(performance);
  const reporting = () => createReport({ send: (event) => post({ type: 'seen', event }), now, after: later });
  const report = reporting();
  watchErrors(window, report);
  watchConsole(console, report);
  watchSandbox(window, report);
  watchStyles(report);
  watchTasks(report);
  watchInputs(window, { report: reporting(), after: later }); // separate from the rate limit of errors
  watchStart(window, { report, after: later });
  watchHeight(document, { report, after: later });

  const { clock, timeZone } = settings;
  const zone = timeZone ? createTimeZone(timeZone, Intl) : undefined;
  const time = createJumpingClock(machineTime(window), clock);
  takeDate(window, { now: time.now, zone });
  if (zone) takeFormats(Intl, zone);
  takeTimers(window, time);
  const setOnline = takeNetwork(window);

  port.addEventListener('message', ({ data }: MessageEvent<PageMessage>) => {
    if (data.type === 'network') setOnline(data.isOnline);
    if (data.type === 'draw') void parsed.then(drawn).then(() => post({ type: 'followed', turn: data.turn }));
    if (data.type !== 'clock') return;
    time.set(data.clock, { isBeginning: data.isBeginning === true });
    later(0, () => post({ type: 'followed', turn: data.turn })); // after the timers that became due
  });
  port.start();
}
