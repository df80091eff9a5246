import { writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { createTape, type Tape, writeTape } from '@gantry/lab/tape';
import type { TestInfo } from '@playwright/test';
import type { SiteGadget } from './site-types.ts';

/**
 * Leaves the tape of a gadget whose test did not end as expected. It names no member of the site: contents of replies, parameters and
 * events are left out. Never rejects: it must not hide the failure.
 *
 * @param suffix Tells several gadgets of one test apart: `-2`.
 */
export async function leaveTape(gadget: SiteGadget, suffix: string, testInfo: TestInfo): Promise<void> {
  if (testInfo.status === testInfo.expectedStatus || testInfo.status === 'skipped' || gadget.app === '') return;
  try {
    if (!gadget.page.isClosed()) await gadget.context(); // by then all that passed is in the record
    const { titlePath, file } = testInfo;
    const test = { title: titlePath.slice(1).join(' › '), file: relative(testInfo.config.rootDir, file) };
    const tape = createTape({ host: 'site', app: gadget.app, scenario: {}, test }, gadget.record);
    const path = testInfo.outputPath(`failure${suffix}.tape`);
    await writeFile(path, writeTape(withoutContents(tape)), { mode: 0o600 });
    await testInfo.attach(`failure${suffix}.tape`, { path, contentType: 'application/jsonl' });
  } catch (error) {
    const body = error instanceof Error ? error.message : String(error);
    await testInfo.attach(`failure${suffix} not recorded`, { body, contentType: 'text/plain' }).catch(() => undefined);
  }
}

const contents: ReadonlySet<string> = new Set(['ok', 'params', 'context', 'data', 'detail', 'text', 'blocked']);

/** Takes out what a site and its members wrote: names, texts and ids. */
export function withoutContents({ head, entries }: Tape): Tape {
  const isKept = ([name]: readonly [string, unknown]): boolean => !contents.has(name);
  return {
    head: { ...head, isRedacted: true },
    entries: entries.map((entry) => {
      const place = entry.place?.slice(entry.place.indexOf('/') + 1);
      const error = 'error' in entry && entry.error ? { error: { ...entry.error, message: '' } } : {};
      return {
        ...Object.fromEntries(Object.entries(entry).filter(isKept)),
        ...(place && { place }),
        ...error,
      } as typeof entry;
    }),
  };
}
