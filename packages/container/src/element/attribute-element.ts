const Base: typeof HTMLElement = globalThis.HTMLElement ?? class {}; // absent on servers, which may import this

/**
 * An element whose properties are its attributes. Changes of a task are rendered once, at its end,
 * in Lit's words.
 */
export abstract class AttributeElement extends Base {
  #changed = new Set<string>();
  #isPending = false;
  #hasBegun = false;
  #hasUpdated = false;

  /** Called before `render` with the names of attributes that changed. */
  protected abstract willUpdate(changed: ReadonlySet<string>): void;
  protected abstract render(): void;

  /** Makes the shadow root at the first connection. */
  protected createRenderRoot(): ShadowRoot {
    return this.attachShadow({ mode: 'open' });
  }

  protected get hasUpdated(): boolean {
    return this.#hasUpdated;
  }

  connectedCallback(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.createRenderRoot();
    this.#adoptProperties();
    this.requestUpdate();
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now) return;
    this.#changed.add(name);
    this.requestUpdate();
  }

  protected requestUpdate(): void {
    if (this.#isPending || !this.#hasBegun) return;
    this.#isPending = true;
    queueMicrotask(() => {
      const changed = this.#changed;
      this.#changed = new Set();
      try {
        this.willUpdate(changed);
      } finally {
        this.#isPending = false;
      }
      this.#hasUpdated = true;
      this.render();
    });
  }

  /** Adopts properties that a page set before the element was defined. */
  #adoptProperties(): void {
    for (const name of (this.constructor as typeof HTMLElement & { observedAttributes: readonly string[] })
      .observedAttributes) {
      const properties = this as unknown as Record<string, unknown>;
      if (!Object.hasOwn(this, name)) continue;
      const value = properties[name];
      delete properties[name];
      properties[name] = value;
    }
  }
}

/**
 * Defines a property for each attribute: text, or null without.
 *
 * @param objects Names of attributes that hold JSON, `null` when malformed. Their properties take
 * JSON text, too, since frameworks set an attribute before the element is defined.
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
