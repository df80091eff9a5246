import { type Lab, nobody } from '@gantry/lab';
import type { KitPage } from './kit-protocol.ts';
import type { Gadget, Site } from './types.ts';

declare const gantryKit: KitPage;

/** Makes what the owner of a site and its pages do around a gadget. */
export function createSite(gadget: Gadget, lab: Pick<Lab, 'apply'>): Site {
  return {
    of: (other) => createSite(other, lab),
    settings: (settings) => lab.apply(settings),
    async signOut() {
      await gadget.page.evaluate(() => gantryKit.purge());
      await gadget.update({ persona: nobody });
    },
    signIn: (persona) => gadget.update({ persona }),
  };
}
