import { systemClock } from '@gantry/container';
import type { Entry, Record as LabRecord } from '@gantry/lab';
import { createTape, type Tape } from '@gantry/lab/tape';
import type { KitPage } from '@gantry/testing/kit-protocol';
import type { Host } from '@gantry/testing/node';
import type { Page } from '@playwright/test';
import { openMember } from '../../node/member.ts';
import { runScenario, type Scenario, signals } from './scenarios.ts';
import type { Site } from './sites.ts';
import { appId, membersOf } from './world.ts';

declare const gantryKit: KitPage;

type Save = (member: string, data: Readonly<Record<string, string>>) => Promise<unknown>;

/** Runs a scenario in a host in Node. */
export async function recordInNode(host: Host, scenario: Scenario): Promise<Tape> {
  const { params, persona, owner } = casting(scenario);
  const ended = ending(host.lab.record, persona, async (member, data) => {
    const other = await host.open(member, { params });
    await other.osapi.appdata.update({ data });
    await other.close();
  });
  const member = await host.open(persona, {
    params,
    ...(owner && { owner }),
    ...(scenario.view && { view: scenario.view }),
  });
  await runScenario(member, params);
  const entries = await ended;
  await member.close();
  return createTape({ host: 'mock', app: appId, scenario: {} }, entries);
}

/** Runs a scenario in a frame on a page of a running site. */
export async function recordInPage(page: Page, site: Site, scenario: Scenario): Promise<Tape> {
  const { params, persona, owner } = casting(scenario);
  const ended = ending(site.record, persona, async (member, data) => {
    const other = await openMember({
      ...{ url: site.url, app: appId, scenario: {}, clock: systemClock, observe: () => {} },
      fetch: (address, init) => fetch(address, { ...init, headers: { ...init.headers, ...headersOf(site, member) } }),
    });
    await other.sdk.osapi.appdata.update({ data });
    await other.close();
  });
  const subject = {
    id: scenario.name,
    app: appId,
    scenario: { params, ...(owner && { owner }), ...(scenario.view && { view: scenario.view }) },
  };
  const request = { lab: 'drift', persona, subject, clock: { aheadMs: 0 } };
  const { missing } = await page.evaluate((order) => gantryKit.mount(order, 10_000), request);
  if (missing.length > 0) throw new Error(`${scenario.name}: ${missing.join('; ')}`);
  return createTape({ host: 'site', app: appId, scenario: {} }, await ended);
}

function headersOf({ url }: Site, member: string): { readonly [name: string]: string } {
  return { Origin: url, 'Sec-Fetch-Site': 'same-origin', 'Gantry-Persona': member };
}

function casting(scenario: Scenario) {
  const members = membersOf(scenario);
  const [me, friend, , stranger] = members;
  const owner = scenario.owner && { friend, stranger }[scenario.owner];
  return { persona: scenario.as ?? me, owner, params: { name: scenario.name, members: members.join() } };
}

/**
 * Resolves with what one member's gadget said and heard, from now on to the end of its scenario.
 */
function ending(record: LabRecord, persona: string, save: Save): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`${persona} did not come to an end: ${JSON.stringify(entries.slice(-3))}`)),
      15_000,
    );
    const stop = record.subscribe((entry) => {
      if (!entry.place?.startsWith(`${persona}/`)) return;
      const said = entry.kind === 'action' && entry.name === 'setTitle' ? String((entry.params as unknown[])[0]) : '';
      if (said.startsWith(signals.elsewhere)) {
        const { member, data } = JSON.parse(said.slice(signals.elsewhere.length));
        save(member, data).catch(reject);
      }
      entries.push({ ...entry, place: 'me' });
      if (!said.startsWith(signals.end)) return;
      clearTimeout(late);
      stop();
      resolve(entries);
    });
  });
}
