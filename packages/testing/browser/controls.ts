import type { ActingMember } from '@gantry/lab';
import type { KitPage } from '@gantry/testing/kit-protocol';
import type { Ask } from '@gantry/testing/vitest';
import type { TestSite } from './test-site.ts';
import type { BrowserFaultChoice, BrowserGadget, BrowserMember } from './types.ts';

/** Makes the controls of time, network and other members: one request to Node for each. */
export function createControls(
  site: TestSite,
  kit: Pick<KitPage, 'setClock'>,
): Pick<BrowserGadget, 'clock' | 'faults' | 'social'> {
  async function follow(ask: Ask): Promise<void> {
    await site.ask(ask);
    await kit.setClock({ lab: site.opened.lab, clock: site.clock });
  }
  async function change(ask: Ask): Promise<void> {
    await site.ask(ask);
  }
  return {
    clock: {
      now: () => site.clock.stoppedAtMs ?? Date.now() + site.clock.aheadMs,
      jump: (by) => follow({ ask: 'jump', by }),
      stop: (at) => follow({ ask: 'stop', ...(at !== undefined && { at: new Date(at).getTime() }) }),
      start: () => follow({ ask: 'start' }),
    },
    faults: {
      once(operation, of) {
        const arm =
          (fault: keyof BrowserFaultChoice) =>
          (...values: readonly unknown[]) =>
            change({ ask: 'fault', operation, fault, values, ...(of && { of }) });
        return { fail: arm('fail'), dropReply: arm('dropReply'), delay: arm('delay'), kill: arm('kill') };
      },
      network: (network) => change({ ask: 'network', network }),
      deny: (permission) => change({ ask: 'deny', permission }),
      clear: () => change({ ask: 'clear' }),
    },
    social: { as: (member) => memberOf(site, member) },
  };
}

function memberOf(site: TestSite, member: string): BrowserMember {
  const act =
    <Name extends keyof ActingMember>(name: Name) =>
    (...values: Parameters<ActingMember[Name]>): ReturnType<ActingMember[Name]> =>
      site.ask({ ask: 'social', member, act: name, values }) as ReturnType<ActingMember[Name]>;
  return {
    ...{ post: act('post'), write: act('write'), activities: act('activities'), friends: act('friends') },
    ...{ befriend: act('befriend'), unfriend: act('unfriend'), block: act('block'), unblock: act('unblock') },
    ...{ addAlbum: act('addAlbum'), addPhoto: act('addPhoto'), albums: act('albums'), photos: act('photos') },
    appData: act('appData'),
  };
}
