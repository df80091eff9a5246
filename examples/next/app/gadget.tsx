'use client';

import type { GantryGadget } from '@gantry/container';
import type { GantryGadgetProps } from '@gantry/container/react';

/** One gadget of a page. The server renders the tag, and the browser makes it an app. */
export function Gadget({ app, heading }: Pick<GantryGadgetProps, 'app' | 'heading'>) {
  return <gantry-gadget ref={watch} app={app} heading={heading} loading="eager" />;
}

// A listener comes with the reference: React 19 hydrates a custom element without
// `ongantry-incident`.
function watch(gadget: GantryGadget) {
  const report = ({ detail }: CustomEvent<{ readonly app: string; readonly kind: string }>) =>
    console.warn(`The app ${detail.app} misbehaves: ${detail.kind}`); // your site may send it to its server
  gadget.addEventListener('gantry-incident', report);
  return () => gadget.removeEventListener('gantry-incident', report);
}
