/** Controls of the app's page as the keyboard reaches them. In that page. */
export interface Controls {
  readonly count: number;
  /** Element that has the focus now; absent for none. */
  focused(): Focused | undefined;
  /** Names the controls at which none of these stops was. */
  unreached(stops: readonly number[]): readonly string[];
  blur(): void;
}

/** Element with the focus. */
export interface Focused {
  /** Names the element. */
  readonly id: number;
  /** Position in the page; absent for an element that was not there at first. */
  readonly order?: number;
  readonly name: string;
  /** Its style differs from that without the focus. */
  readonly isSeen: boolean;
}

/**
 * Finds the controls of a page, through open shadow roots, and remembers how they look without the
 * focus. Runs in the page: it can use nothing from outside.
 *
 * A control is what takes the focus by Tab, and what should: native controls, links, and elements
 * with a control's role.
 */
export function findControls(): Controls {
  const composites = 'radiogroup menu menubar toolbar tablist listbox tree treegrid grid combobox'.split(' ');
  const roles = 'button link checkbox switch textbox searchbox combobox slider spinbutton'.split(' ');
  const native = 'a[href], area[href], button, input, select, textarea, summary:first-of-type';
  const usual = 'a, area, button, input, select, textarea, summary, object, iframe, frame';
  const all: Element[] = [];
  const parents = new WeakMap<Element, Element>();

  function collect(element: Element, parent: Element | undefined): void {
    if (element.hasAttribute('inert') || !element.checkVisibility({ visibilityProperty: true })) {
      // A hidden element may have visible ones within, and an inert one may not.
      if (element.hasAttribute('inert') || getComputedStyle(element).display === 'none') return;
    } else if (isControl(element)) all.push(element);
    if (parent) parents.set(element, parent);
    for (const child of childrenOf(element)) collect(child, element);
  }

  function childrenOf(element: Element): readonly Element[] {
    if (element.shadowRoot) return [...element.shadowRoot.children];
    const assigned = element instanceof HTMLSlotElement ? element.assignedElements() : [];
    return assigned.length > 0 ? assigned : [...element.children];
  }

  function isControl(element: Element): boolean {
    if (element.matches(':disabled, iframe, frame, input[type=hidden]')) return false;
    return takesTab(element) || (shouldTakeTab(element) && !isInComposite(element));
  }

  function takesTab(element: Element): boolean {
    if (!(element instanceof HTMLElement || element instanceof SVGElement)) return false;
    if (element.tabIndex < 0) return false;
    const isUsual = element.matches(usual) && !element.hasAttribute('tabindex');
    return !isUsual || element.matches(native); // a link without an address has tabIndex 0
  }

  function shouldTakeTab(element: Element): boolean {
    if (element.closest('[aria-hidden=true]')) return false;
    const role = element.getAttribute('role')?.trim().split(/\s+/)[0] ?? '';
    const isWidget =
      roles.includes(role) && !element.querySelector(native) && element.getAttribute('aria-disabled') !== 'true';
    const isEditable =
      element instanceof HTMLElement && element.isContentEditable && !element.parentElement?.isContentEditable;
    return element.matches(native) || isWidget || isEditable;
  }

  /** Within one, arrows move the focus. */
  function isInComposite(element: Element): boolean {
    for (let at = parents.get(element) ?? element.parentElement; at; at = parents.get(at) ?? null) {
      if (composites.includes(at.getAttribute('role') ?? '')) return true;
    }
    return false;
  }

  function lookOf(element: Element): string {
    for (const one of [element, element.nextElementSibling, ...above(element)])
      for (const change of one?.getAnimations({ subtree: true }) ?? [])
        if (change instanceof CSSTransition) change.finish(); // only the end state is checked
    const parts = [partLook(element), partLook(element, '::before'), partLook(element, '::after')];
    const beside = [element.nextElementSibling, ...above(element)];
    for (const one of beside) {
      // Text around several controls does not say which of them has the focus.
      if (one && all.filter((control) => one.contains(control)).length <= 1 && !isOther(one, element))
        parts.push(partLook(one));
      else parts.push('');
    }
    return parts.join('|');
  }

  function isOther(one: Element, element: Element): boolean {
    return !one.contains(element) && all.some((control) => one.contains(control));
  }

  function above(element: Element): readonly (Element | undefined)[] {
    const parent = parents.get(element);
    const outer = parent && parents.get(parent);
    return [parent, outer].filter((one) => one !== document.body && one !== document.documentElement);
  }

  function partLook(element: Element, part?: string): string {
    const style = getComputedStyle(element, part);
    if (part && (style.content === 'none' || style.content === 'normal')) return '';
    if (Number(style.opacity) === 0) return '';
    const clear = /rgba\([^)]*, 0\)|transparent/;
    const line = (kind: string, width: string, color: string): string =>
      kind === 'none' || (kind !== 'auto' && Number.parseFloat(width) === 0) || clear.test(color)
        ? ''
        : `${kind} ${width} ${color}`;
    const shadow = style.boxShadow.replace(/rgba\([^)]*, 0\)[^,]*/g, '');
    const borders = (['Top', 'Right', 'Bottom', 'Left'] as const).map((side) =>
      line(style[`border${side}Style`], style[`border${side}Width`], style[`border${side}Color`]),
    );
    const outline = line(style.outlineStyle, style.outlineWidth, style.outlineColor);
    const { backgroundColor, backgroundImage, textDecorationLine } = style;
    const isWithoutShadow = shadow === 'none' || !/rgb|color|#|hsl|lab|lch/.test(shadow);
    return [
      outline,
      isWithoutShadow ? '' : shadow,
      ...borders,
      backgroundColor,
      backgroundImage,
      textDecorationLine,
    ].join(';');
  }

  function nameOf(element: Element): string {
    const id = element.id ? ` id="${element.id.slice(0, 40)}"` : '';
    const label = (element.getAttribute('aria-label') ?? element.textContent ?? '')
      .trim()
      .replace(/\s+/g, ' ')
      .slice(0, 40);
    return `<${element.localName}${id}>${label ? ` “${label}”` : ''}`;
  }

  /** Returns whether Tab reached a control, or one of the group of radio buttons that it is in. */
  function isReached(element: Element, reached: ReadonlySet<Element>): boolean {
    if (reached.has(element)) return true;
    if (!(element instanceof HTMLInputElement) || element.type !== 'radio' || element.name === '') return false;
    return [...reached].some(
      (one) =>
        one instanceof HTMLInputElement &&
        one.type === 'radio' &&
        one.name === element.name &&
        one.form === element.form,
    );
  }

  function isWithinOpenDialog(element: Element): boolean {
    const modal = [...document.querySelectorAll(':modal')].at(-1);
    return modal === undefined || modal.contains(element);
  }

  function deepestActive(): Element | null {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element;
  }

  function blur(): void {
    const element = deepestActive();
    if (element instanceof HTMLElement) element.blur();
  }

  if (document.documentElement) collect(document.documentElement, undefined);
  const controls = all.filter(isWithinOpenDialog);
  blur();
  const looks = new WeakMap(controls.map((element) => [element, lookOf(element)]));
  const ids = new Map<Element, number>(controls.map((element, index) => [element, index]));

  return {
    count: controls.length,
    focused() {
      const element = deepestActive();
      if (!element || element === document.body || element === document.documentElement || !document.hasFocus())
        return undefined;
      const id = ids.get(element) ?? ids.size;
      ids.set(element, id);
      const before = looks.get(element);
      const look = lookOf(element);
      const isSeen = element.matches('iframe, frame') || look !== (before ?? partLook(document.createElement('i')));
      return { id, ...(id < controls.length && { order: id }), name: nameOf(element), isSeen };
    },
    unreached(stops) {
      const reached = new Set([...ids].flatMap(([element, id]) => (stops.includes(id) ? [element] : [])));
      return controls.filter((element) => element.isConnected && !isReached(element, reached)).map(nameOf);
    },
    blur,
  };
}
