import { renderToString } from 'react-dom/server';
import { ServedGadgets } from './served.tsx';

/** Renders the page on a server. In the browser `hydrate.tsx` goes on with it. */
export function renderPage(apps: readonly string[]): string {
  return renderToString(<ServedGadgets apps={apps} />);
}
