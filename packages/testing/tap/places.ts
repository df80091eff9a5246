/** App and place of a gadget, as tools name them. */
export interface Place {
  readonly app: string;
  readonly place: string;
}

/** Names the places of gadgets on a page. */
export type Places = ReturnType<typeof createPlaces>;

type Root = Document | ShadowRoot;

/**
 * Numbers the gadgets of each app in the order of the document, shadow roots included, and those
 * that come later after them: the order in which elements are mounted.
 */
export function createPlaces(document: Document) {
  const places = new WeakMap<object, Place>();
  const counts: Record<string, number> = Object.create(null);

  function number(spot: object, app: string): Place {
    const earlier = places.get(spot);
    if (earlier?.app === app) return earlier;
    counts[app] = (counts[app] ?? 0) + 1;
    const place = { app, place: `${app}#${counts[app]}` };
    places.set(spot, place);
    return place;
  }
  function numberAll(app: string): void {
    for (const root of rootsOf(document))
      for (const element of root.querySelectorAll('[app]'))
        if (isGadget(element) && element.getAttribute('app') === app) number(element, app);
  }

  return {
    /**
     * Returns the gadget in whose frame a window is. @param app Id of the app, as the page welcomed
     * it.
     */
    ofWindow(source: MessageEventSource, app: string): Place {
      for (const root of rootsOf(document))
        for (const frame of root.querySelectorAll('iframe')) {
          if (frame.contentWindow !== source) continue;
          const root = frame.getRootNode();
          const host = root instanceof ShadowRoot && isGadget(root.host) ? root.host : undefined;
          if (host) numberAll(app);
          return number(host ?? frame, app);
        }
      return number(source, app);
    },
    /** Returns the place of an element; `undefined` for one that shows no app. */
    ofElement(element: EventTarget | undefined): Place | undefined {
      if (!(element instanceof Element) || !isGadget(element)) return undefined;
      const app = element.getAttribute('app');
      if (app === null) return undefined;
      numberAll(app);
      return number(element, app);
    },
  };
}

/** Elements have other names on pages with several containers. */
function isGadget(element: Element): boolean {
  return element.localName.startsWith('gantry-gadget');
}

/** The document and all open shadow roots in it, in the order of the document. */
function rootsOf(root: Root): readonly Root[] {
  const roots: Root[] = [root];
  for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(...rootsOf(element.shadowRoot));
  return roots;
}
