import type { ContainerConnection } from '@gantry/bridge';
import { documentHeight } from './document-height.ts';

/** What gadgets ask of their frame and page. */
export interface Gadgets {
  readonly window: {
    /** Makes the frame as tall as its document, or `height` CSS pixels. 0 and what is no number are ignored. */
    adjustHeight(height?: number): void;
  };
  readonly util: {
    /** Runs `handler` when the document is parsed and the container has welcomed the app, or found missing; later, at once. */
    registerOnLoadHandler(handler: () => void): void;
  };
}

/** @param document Undefined outside a browser, where the module can be imported but has nothing to measure. */
export function createGadgets(connection: ContainerConnection, document: Document | undefined): Gadgets {
  const loaded = Promise.allSettled([parsed(document), connection.welcome]);
  return {
    window: {
      adjustHeight(height = document ? documentHeight(document) : 0) {
        const pixels = Math.ceil(Number(height));
        if (pixels > 0 && Number.isFinite(pixels)) void connection.act('adjustHeight', pixels);
      },
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
