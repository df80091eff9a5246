import '@gantry/container/react';
import type { GantryGadget } from '@gantry/container';
import { useCallback, useState } from 'react';

/**
 * A page that a server rendered. React 19 hydrates a custom element without its listeners
 * (https://github.com/react/react/issues/35446) and without properties that are objects. So the
 * listener comes with the reference, and budgets are JSON.
 */
export function ServedGadgets({ apps }: { readonly apps: readonly string[] }) {
  const [ready, setReady] = useState(0);
  const listen = useCallback((gadget: GantryGadget) => {
    const onReady = () => setReady((before) => before + 1);
    gadget.addEventListener('gantry-ready', onReady);
    return () => gadget.removeEventListener('gantry-ready', onReady);
  }, []);
  return (
    <main>
      <p role="status">{ready} ready</p>
      {apps.map((app) => (
        <gantry-gadget key={app} ref={listen} app={app} heading="" budgets={JSON.stringify({ startMs: 20_000 })}>
          <a href={`/apps/${app}`}>Open {app}</a>
        </gantry-gadget>
      ))}
    </main>
  );
}
