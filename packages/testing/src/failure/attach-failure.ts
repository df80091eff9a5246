import { writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Scenario } from '@gantry/lab';
import { createTape, entriesOf, readExpectation, redactTape, type Tape, writeTape } from '@gantry/lab/tape';
import type { Locator, TestInfo } from '@playwright/test';
import { callsOf } from '../record-view.ts';
import type { Gadget } from '../types.ts';
import { describeFailure, type FailureTexts } from './describe-failure.ts';

const pictureLimitMs = 2_000;

/** A gadget whose test is over, as a failure shows it. */
export interface EndedGadget {
  /** Members of a running site are people: all texts about them are redacted. */
  readonly host: 'lab' | 'site';
  readonly gadget: Pick<Gadget, 'app' | 'page' | 'element' | 'record' | 'calls' | 'refusals' | 'logs'>;
  /** State of the latest mount. */
  readonly mounted: { readonly scenario: Scenario };
  /** Waits briefly for reports of the page. Never rejects. */
  recorded(): Promise<void>;
}

/**
 * Attaches tape, calls, refusals, console and picture of a gadget whose test failed, and the
 * command that opens the tape. Never rejects: it must not hide the failure.
 *
 * @param suffix Tells several gadgets of one test apart: `-2`.
 */
export async function attachFailure(ended: EndedGadget, suffix: string, testInfo: TestInfo): Promise<void> {
  if (ended.gadget.app === '') return;
  try {
    await ended.recorded();
    const tape = tapeOf(ended, testInfo);
    const path = await leaveTape(tape, suffix, testInfo);
    const texts = describeFailure(
      ended.host === 'site'
        ? { calls: callsOf(entriesOf(tape, 'site')), refusals: ended.gadget.refusals, logs: ended.gadget.logs }
        : ended.gadget,
    );
    for (const [name, body] of Object.entries(texts)) {
      if (body !== '') await testInfo.attach(`gadget${suffix} ${name}`, { body, contentType: 'text/plain' });
    }
    const open = `npx @gantry/cli open ${shellWord(relative('', path))}`;
    // The terminal shows it too.
    await testInfo.attach(`gadget${suffix} tape`, { body: open, contentType: 'text/plain' });
    await attachPicture(ended, suffix, testInfo);
    await addContext(ended, { open, texts, testInfo });
  } catch (error) {
    const body = error instanceof Error ? error.message : String(error);
    await testInfo.attach(`gadget${suffix} not recorded`, { body, contentType: 'text/plain' }).catch(() => undefined);
  }
}

function tapeOf({ host, gadget, mounted }: EndedGadget, { titlePath, file, error, config }: TestInfo): Tape {
  const line = error?.stack?.split(`${file}:`)[1]?.match(/^\d+/)?.[0];
  const expectation = readExpectation(stripVTControlCharacters(error?.message ?? '').slice(0, 4_000));
  const test = {
    title: titlePath.slice(1).join(' › '),
    file: relative(config.rootDir, file),
    ...(line !== undefined && { line: Number(line) }),
    ...(expectation && { expectation }),
  };
  const { app, record } = gadget;
  return redactTape(createTape({ host, app, scenario: mounted.scenario, test }, record));
}

async function leaveTape(tape: Tape, suffix: string, testInfo: TestInfo): Promise<string> {
  const path = testInfo.outputPath(`failure${suffix}.tape`);
  await writeFile(path, writeTape(tape), { mode: 0o600 });
  // Not with `attach`, which copies the file: the error context names this one.
  testInfo.attachments.push({ name: `failure${suffix}.tape`, path, contentType: 'application/jsonl' });
  return path;
}

async function attachPicture(
  { gadget: { page, element } }: EndedGadget,
  suffix: string,
  testInfo: TestInfo,
): Promise<void> {
  if (page.isClosed()) return;
  const [name, path] = [`gadget${suffix}.png`, testInfo.outputPath(`gadget${suffix}.png`)];
  const options = { path, timeout: pictureLimitMs, animations: 'disabled' } as const;
  const picture = await element.screenshot(options).catch(() => undefined);
  if (picture) testInfo.attachments.push({ name, path, contentType: 'image/png' });
}

/** Adds to `error-context.md`, which Playwright writes for people and agents. */
async function addContext(
  { gadget: { app, element, page } }: EndedGadget,
  { open, texts, testInfo }: { readonly open: string; readonly texts: FailureTexts; readonly testInfo: TestInfo },
): Promise<void> {
  const error = testInfo.errors.at(-1);
  if (!error) return;
  // With a context of ours Playwright leaves out its own snapshot of the page.
  const snapshot = async (of: Locator): Promise<string | undefined> =>
    (await of.count().catch(() => 0)) === 1 ? of.ariaSnapshot({ timeout: pictureLimitMs }).catch(() => '') : undefined;
  const isOpen = !page.isClosed();
  const parts = [
    error.errorContext,
    `Everything that ${app} and the page said to each other: ${open}`,
    part('Last calls', texts.calls),
    part('Refusals', texts.refusals),
    part('Console of the gadget', texts.console),
    part('Gadget', isOpen ? await snapshot(element) : undefined),
    part('Frame of the gadget', isOpen ? await snapshot(element.frameLocator('iframe').locator('body')) : undefined),
  ];
  error.errorContext = parts.filter((one) => one !== undefined).join('\n\n');
}

function part(title: string, text: string | undefined): string | undefined {
  return text ? `${title}:\n${text.slice(0, 8_000).replaceAll('```', "'''")}` : undefined;
}

/** Quotes a path for a shell, where it needs that: folders are named by titles of tests. */
function shellWord(path: string): string {
  return /^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
