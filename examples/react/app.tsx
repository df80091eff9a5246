import '@gantry/container/react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

// A page of gadgets in React 19, which needs no wrapper: attributes, events and children are as in
// HTML.

export function Gadgets({ apps }: { readonly apps: readonly string[] }) {
  const [shown, setShown] = useState(apps);
  const [ready, setReady] = useState<readonly string[]>([]);
  return (
    <main>
      <button type="button" onClick={() => setShown(shown.toReversed())}>
        Reverse
      </button>
      <button type="button" onClick={() => setShown(shown.slice(1))}>
        Remove the first
      </button>
      <p role="status">{ready.length} ready</p>
      {shown.map((app) => (
        <gantry-gadget
          key={app}
          app={app}
          heading=""
          budgets={{ startMs: 20_000 }}
          ongantry-ready={() => setReady((before) => [...before, app])}
        >
          <a href={`/apps/${app}`}>Open {app}</a>
        </gantry-gadget>
      ))}
    </main>
  );
}

export function mount(element: Element, apps: readonly string[]): void {
  createRoot(element).render(<Gadgets apps={apps} />);
}
