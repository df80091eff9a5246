const Base: typeof HTMLElement = globalThis.HTMLElement ?? class {}; // a server has none, and may import this all the same

/**
 * An element whose properties are its attributes, as with the browser's own: what is set as the one is read as the other. All
 * that changes in a task is drawn once, at its end.
 */
export abstract class AttributeElement extends Base {
  #changed = new Set<string>();
  #isPending = false;
  #hasBegun = false;
  #hasDrawn = false;

  /** Puts into the shadow root what is there from the first connection on. */
  protected abstract begin(root: ShadowRoot): void;
  /** Takes notice of attributes that changed. */
  protected abstract heed(changed: ReadonlySet<string>): void;
  protected abstract draw(): void;

  protected get hasDrawn(): boolean {
    return this.#hasDrawn;
  }

  connectedCallback(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.begin(this.attachShadow({ mode: 'open' }));
    this.#adoptProperties();
    this.requestDraw();
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now) return;
    this.#changed.add(name);
    this.requestDraw();
  }

  protected requestDraw(): void {
    if (this.#isPending || !this.#hasBegun) return;
    this.#isPending = true;
    queueMicrotask(() => {
      const changed = this.#changed;
      this.#changed = new Set();
      try {
        this.heed(changed);
      } finally {
        this.#isPending = false;
      }
      this.#hasDrawn = true;
      this.draw();
    });
  }

  /** A page may have set properties before it had the script that makes attributes of them. */
  #adoptProperties(): void {
    for (const name of (this.constructor as typeof HTMLElement & { observedAttributes: readonly string[] })
      .observedAttributes) {
      const own = this as unknown as Record<string, unknown>;
      if (!Object.hasOwn(this, name)) continue;
      const value = own[name];
      delete own[name];
      own[name] = value;
    }
  }
}

/**
 * Makes properties of attributes: text, or null without.
 *
 * @param objects Names of those that hold JSON, `null` when malformed. Such a property takes JSON text too: frameworks set
 * a property where the element is defined and an attribute where it is not yet, so a page needs one value for both.
 */
export function defineProperties(
  element: { readonly prototype: HTMLElement; readonly observedAttributes: readonly string[] },
  objects: readonly string[],
): void {
  for (const name of element.observedAttributes) {
    const isObject = objects.includes(name);
    Object.defineProperty(element.prototype, name, {
      get(this: HTMLElement): unknown {
        const text = this.getAttribute(name);
        return isObject ? parsed(text) : text;
      },
      set(this: HTMLElement, value: unknown) {
        if (value === null || value === undefined) this.removeAttribute(name);
        else this.setAttribute(name, isObject && typeof value !== 'string' ? JSON.stringify(value) : String(value));
      },
    });
  }
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
