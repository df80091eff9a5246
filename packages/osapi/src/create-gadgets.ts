import type { ContainerConnection } from '@gantry/bridge';
import type { Gantry } from './create-gantry.ts';
import { documentHeight } from './document-height.ts';

/** What gadgets ask of their frame and page. */
export interface Gadgets {
  readonly window: {
    /** Makes the frame as tall as its document, or `height` CSS pixels. 0 and what is no number are ignored. */
    adjustHeight(height?: number): void;
    /** Shows a text as the gadget's heading. */
    setTitle(title: string): void;
  };
  readonly views: {
    getCurrentView(): GadgetView;
    /** By name. */
    getSupportedViews(): Readonly<Record<string, GadgetView>>;
    /** Parameters of the present view. */
    getParams(): Readonly<Record<string, string>>;
    /** Goes to a view of the app, also a sub-view such as `canvas.map`. What the container refuses does nothing. */
    requestNavigateTo(view: string | GadgetView, params?: Readonly<Record<string, unknown>>): void;
    /** Fills `{name}` and `{name=default}` of a template, each value encoded for a URL. */
    bind(template: string, values: Readonly<Record<string, string>>): string;
  };
  readonly util: {
    /** Runs `handler` when the document is parsed and the container has welcomed the app, or found missing; later, at once. */
    registerOnLoadHandler(handler: () => void): void;
  };
}

/** A view as gadgets know it. */
export interface GadgetView {
  getName(): string;
}

/** @param document Undefined outside a browser, where the module can be imported but has nothing to measure. */
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
        template.replace(/\{(\w+)=?(.*?)\}/g, (_, name, otherwise) => encodeURIComponent(values[name] ?? otherwise)),
    },
    util: {
      registerOnLoadHandler(handler) {
        void loaded.then(() => queueMicrotask(handler)); // each in its own, so that one that throws stops no other
      },
    },
  };
}

function parsed(document: Document | undefined): Promise<unknown> {
  if (document?.readyState !== 'loading') return Promise.resolve();
  return new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve));
}
