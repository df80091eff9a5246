import type { ContainerConnection } from '@gantry/bridge';
import type { Gantry } from './create-app-api.ts';
import { documentHeight } from './document-height.ts';

/** The OpenSocial API for frame and page: height, title, views. */
export interface Gadgets {
  readonly window: {
    /** Sets the frame to `height` CSS pixels, its document's by default. Ignores 0 and NaN. */
    adjustHeight(height?: number): void;
    /** Sets the gadget's heading. */
    setTitle(title: string): void;
  };
  readonly views: {
    getCurrentView(): GadgetView;
    /** Returns the app's views by name. */
    getSupportedViews(): Readonly<Record<string, GadgetView>>;
    /** Returns the parameters of the current view. */
    getParams(): Readonly<Record<string, string>>;
    /** Navigates to a view, or a sub-view such as `canvas.map`. Does nothing if it is refused. */
    requestNavigateTo(view: string | GadgetView, params?: Readonly<Record<string, unknown>>): void;
    /** Fills `{name}` and `{name=default}` in a template with URL-encoded values. */
    bind(template: string, values: Readonly<Record<string, string>>): string;
  };
  readonly util: {
    /** Runs `handler` once the document is parsed and `osapi.ready` is settled. */
    registerOnLoadHandler(handler: () => void): void;
  };
}

/** A view of the app. */
export interface GadgetView {
  getName(): string;
}

/** Creates `gadgets`. Without a document, outside a browser, there is nothing to measure. */
export function createGadgets(
  connection: ContainerConnection,
  document: Document | undefined,
  gantry: Gantry,
): Gadgets {
  const loaded = Promise.allSettled([parsed(document), connection.welcome]);
  const named = (name: string): GadgetView => ({ getName: () => name });
  function act(...args: Parameters<typeof connection.act>): void {
    void connection.act(...args);
  }
  function adjustHeight(height = document ? documentHeight(document) : 0): void {
    const pixels = Math.ceil(Number(height));
    if (pixels > 0 && Number.isFinite(pixels)) act('adjustHeight', pixels);
  }
  void loaded.then(() => {
    if (document && gantry.context?.sizing === 'automatic')
      new ResizeObserver(() => adjustHeight()).observe(document.body);
  });
  return {
    window: { adjustHeight, setTitle: (title) => act('setTitle', title) },
    views: {
      getCurrentView: () => named(gantry.context?.view ?? 'home'),
      getSupportedViews: () => Object.fromEntries((gantry.context?.views ?? []).map((name) => [name, named(name)])),
      getParams: () => gantry.context?.params ?? {},
      requestNavigateTo: (view, params) =>
        act('views.navigate', typeof view === 'string' ? view : view.getName(), params),
      bind: (template, values) =>
        template.replace(/\{(\w+)\b=?(.*?)\}/g, (_, name, otherwise) => encodeURIComponent(values[name] ?? otherwise)),
    },
    util: {
      registerOnLoadHandler(handler) {
        void loaded.then(() => queueMicrotask(handler)); // a throwing handler stops no other
      },
    },
  };
}

function parsed(document: Document | undefined): Promise<unknown> {
  if (document?.readyState !== 'loading') return Promise.resolve();
  return new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve));
}
