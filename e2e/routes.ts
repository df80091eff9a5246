import '@gantry/container/react';
import { createElement, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';

// A page of one gadget a route, for `leaks.spec.ts`.

function Route({ at }: { readonly at: number }) {
  const [ready, setReady] = useState(0);
  const listener = { 'ongantry-ready': () => setReady((before) => before + 1) };
  return createElement(
    'main',
    {},
    createElement('h1', {}, `Route ${at}`),
    createElement('p', { role: 'status' }, `${ready} ready`),
    createElement('gantry-gadget', { app: 'calm', heading: '', ...listener }, createElement('a', {}, 'Open')),
  );
}

function Routes() {
  const [at, setAt] = useState(0);
  Object.assign(globalThis, { goOn: () => setAt((before) => before + 1) });
  return createElement(Route, { at, key: at });
}

createRoot(document.querySelector('#root') as Element).render(createElement(StrictMode, {}, createElement(Routes)));
