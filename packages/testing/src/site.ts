import { type Lab, nobody } from '@gantry/lab';
import type { KitPage } from './kit-protocol.ts';
import type { Gadget, Site } from './types.ts';

declare const gantryKit: KitPage;

/** Makes the actions of the site's owner and pages. */
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
