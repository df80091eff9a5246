// Tries three browsers, and compares with the record.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { modes } from '../../e2e/hosted.ts';
import { exfiltrator } from '../../e2e/hostile/exfiltrator.ts';
import { openListeners } from '../../e2e/hostile/listeners.ts';
import { openPlainSite } from '../../e2e/hostile/plain-site.ts';
import { createReport } from '../cluster/report.ts';
import type { Browser } from './browser.ts';
import { startChromium } from './chromium.ts';
import { runContainer } from './container.ts';
import { runDevHost } from './dev-host.ts';
import { startFirefox } from './firefox.ts';
import { runKit } from './kit.ts';
import { findControls, runLeaks } from './leaks.ts';
import { joinOutcomes, type Outcomes } from './outcomes.ts';
import { findDifferences, findFailures, readRecord, writeRecord } from './record.ts';
import { runSelfTest } from './self-test.ts';
import { openSite } from './site.ts';
import { startWebkit } from './webkit.ts';

// The parent holds the other end of the channel. Programs end when this process exits.
process.on('disconnect', () => process.exit(1));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));

const isShort = process.argv.includes('--short');
const isRecording = process.argv.includes('--write');
const home = mkdtempSync(join(tmpdir(), 'gantry-browsers-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true, maxRetries: 3 }));

const report = createReport();
const record = readRecord();
const only = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const starts = { Chromium: startChromium, Firefox: () => startFirefox(home), WebKitGTK: () => startWebkit(home) };
const chosen = Object.entries(starts).filter(([name]) => only.length === 0 || only.includes(name.toLowerCase()));
const found: (readonly [name: string, tried: Awaited<ReturnType<typeof tryBrowser>>])[] = [];
// One after the other: beside two others a hostile page may not get as far as to try.
for (const group of isShort ? [chosen] : chosen.map((each) => [each])) {
  found.push(
    ...(await Promise.all(group.map(async ([name, start]) => [name, await tryBrowser(name, start)] as const))),
  );
}
const isComplete = report.failed === 0 && !isShort;
if (isRecording && isComplete) {
  writeRecord(Object.fromEntries(found));
  console.log('\nWrote scripts/browsers/record.json and the tables of docs/isolation.md.');
}
console.log(`\n${report.passed} passed, ${report.failed} failed`);
process.exit(report.failed === 0 && report.passed > 0 ? 0 : 1);

/** Starts a browser and tries everything there. A part that differs from the record fails. */
async function tryBrowser(name: string, start: () => Promise<Browser>) {
  const all: Outcomes[] = [];
  let browser: Browser | undefined;
  const check = (title: string, outcomes: Outcomes) => {
    all.push(outcomes);
    const differences = isRecording ? findFailures(outcomes) : findDifferences(outcomes, record[name]?.outcomes);
    report.check(`${name} ${browser?.version}: ${title}`, differences);
  };
  const listeners = await openListeners();
  const plain = await openPlainSite(exfiltrator(listeners));
  try {
    browser = await start();
    const controls = isShort ? undefined : await findControls(browser, { plain, listeners });
    for (const mode of isShort ? (['opaque'] as const) : modes) {
      const site = await openSite(mode, listeners);
      try {
        check(`self-test, ${mode}`, await runSelfTest(browser, site));
        check(`container, ${mode}`, await runContainer(browser, site));
        if (controls) check(`leaks, ${mode}`, await runLeaks(browser, site, { listeners, controls }));
      } finally {
        await site.close();
      }
    }
    if (!isShort) {
      check('dev host', await runDevHost(browser));
      check('kit', await runKit(browser));
    }
  } catch (error) {
    report.check(name, [error instanceof Error ? (error.stack ?? error.message) : String(error)]);
  } finally {
    await browser?.close();
    plain.close();
    await listeners.close();
  }
  return { version: browser?.version ?? '', outcomes: joinOutcomes(all) };
}
