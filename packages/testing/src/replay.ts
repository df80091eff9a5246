import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import type { Lab, Scenario } from '@gantry/lab';
import { createTape, readTape, redactTape, type Tape, writeTape } from '@gantry/lab/tape';
import { expect as base, type ExpectMatcherState, type Page, test } from '@playwright/test';
import type { GadgetReplay, ReplayOptions } from './gadget-replay.ts';
import { appearanceOf, differenceOf, type KitPage, type MountRequest } from './kit-protocol.ts';
import { requireKnown } from './known-options.ts';
import type { Gadget } from './types.ts';

declare const gantryKit: KitPage;

export type Replays = ReturnType<typeof createReplays>;

/** Environment variable; `update` records tapes instead of replaying them. */
export const tapesVariable = 'GANTRY_TAPES';
/** Returns the part of a test's own time in which it reports the difference, with a picture. */
const reportMs = (timeoutMs: number): number => Math.max(1_500, timeoutMs / 5);
const leastMs = 100;

/** A matcher, since these know the time that the project lets its expectations wait. */
const expect = base.extend({
  async toBeFinished(this: ExpectMatcherState, differs: (limitMs: number) => Promise<string | undefined>) {
    const difference = await differs(this.timeout);
    return { pass: difference === undefined, message: () => difference ?? '' };
  },
});

/** @param options.show Called with what is mounted, so that the gadget knows its app and member. */
export function createReplays(options: {
  readonly page: Page;
  /** Time of `performance.now()` when the test's own time began. */
  readonly startedAtMs: number;
  readonly lab: Lab;
  readonly url: string;
  readonly scenario: Scenario;
  readonly gadget: () => Gadget;
  readonly show: (shown: { readonly app: string; readonly viewer: string }) => void;
  /** Returns whether tapes are to be recorded; read at each replay. */
  readonly isUpdate: () => boolean;
}) {
  const { page, startedAtMs, lab, url, scenario: usual, gadget, show, isUpdate } = options;
  let open: { readonly finished: GadgetReplay['finished']; isAsked: boolean } | undefined;

  async function replay(tape: Tape, path: string | undefined, { app = tape.head.app, state }: ReplayOptions) {
    const viewer = usual.persona ?? lab.personas[0]?.id ?? 'nobody';
    const scenario = { ...appearanceOf(tape.head.scenario), persona: viewer }; // the tape's context names the viewer
    const subject: MountRequest['subject'] = { id: app, app, scenario, ...(state !== undefined && { state }) };
    lab.clock.stop(tape.head.startMs);
    if (!page.url().startsWith(`${url}/`)) await page.goto(`${url}/`);
    show({ app, viewer });
    const begin = (taped: Tape | undefined): Promise<void> =>
      page.evaluate((request) => gantryKit.replay(request), { lab: lab.name, subject, ...(taped && { tape: taped }) });
    await begin({ ...tape, head: { ...tape.head, app } });
    /** Returns the difference within `limitMs`, and before the time of the test is over. */
    async function differs(limitMs: number): Promise<string | undefined> {
      const { timeout } = test.info();
      const leftMs = timeout === 0 ? limitMs : startedAtMs + timeout - reportMs(timeout) - performance.now();
      const waitMs = Math.max(leastMs, Math.min(limitMs, leftMs));
      const report = await page.evaluate((limit) => gantryKit.replayed(limit), waitMs);
      if (report.isFinished) return undefined;
      const difference = differenceOf(report, path && relative('.', path));
      return `${difference}\n\nIf the change is meant, record it again:\n  ${recordCommand()}`;
    }
    return {
      mount: () => begin(undefined),
      finished: (waiting = {}) => expect.configure(waiting)(differs).toBeFinished(),
    } satisfies GadgetReplay;
  }

  async function record(path: string, { app, state, record: act }: ReplayOptions): Promise<GadgetReplay> {
    const before = await readFile(path, 'utf8').then(readTape, () => undefined);
    const id = app ?? before?.head.app;
    const { world: _, ...scenario } = before?.head.scenario ?? {};
    const mount = () => gadget().mount(id, { ...scenario, ...(state !== undefined && { state }) });
    await mount();
    await act?.();
    return {
      mount,
      async finished() {
        await gadget().settled();
        const { title, file } = test.info();
        const head = {
          host: 'lab' as const,
          app: gadget().app,
          scenario: { ...usual, ...scenario },
          test: { title, file: relative(test.info().config.rootDir, file) },
        };
        await mkdir(dirname(path), { recursive: true });
        const entries = gadget().record;
        await writeFile(path, writeTape(redactTape(createTape(head, entries))), { mode: 0o600 });
      },
    };
  }

  return {
    async begin(tape: string | Tape, chosen: ReplayOptions = {}): Promise<GadgetReplay> {
      requireKnown('replay', chosen, ['app', 'state', 'record']);
      const path = typeof tape === 'string' ? resolve(dirname(test.info().file), tape) : undefined;
      let begun: GadgetReplay;
      if (path !== undefined && isUpdate()) begun = await record(path, chosen);
      else begun = await replay(typeof tape === 'string' ? await tapeAt(path as string) : tape, path, chosen);
      const state = { finished: begun.finished, isAsked: false };
      open = state;
      return {
        mount: begun.mount,
        finished(waiting?: Parameters<GadgetReplay['finished']>[0]) {
          state.isAsked = true;
          return begun.finished(waiting);
        },
      };
    },
    /** Finishes a replay that the test did not await. @throws Error as `finished`. */
    async end(): Promise<void> {
      if (open && !open.isAsked) await open.finished();
    },
  };
}

async function tapeAt(path: string): Promise<Tape> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Error(`There is no tape ${relative('.', path)}. Record it: ${recordCommand()}`, { cause });
  });
  return readTape(text);
}

/** Writes the line that records the tape of the running test. */
function recordCommand(): string {
  const { file, line, config } = test.info();
  return `${tapesVariable}=update npx playwright test ${relative(config.rootDir, file)}:${line}`;
}
