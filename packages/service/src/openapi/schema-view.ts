import { html } from 'hono/html';
import type { Reference, Schema } from './document.ts';

export type Html = ReturnType<typeof html>;

/** Renders text in which `backticks` mark code. */
export function prose(text: string): Html {
  const parts = text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
  return html`${parts}`;
}

/** Renders a value's type in a few words; named types are links. */
export function typeOf(schema: Schema | Reference): Html {
  const { $ref, type, items, oneOf, additionalProperties } = schema as Schema & Keywords;
  if ($ref !== undefined) return link($ref);
  if (oneOf !== undefined) return html`${intersperse(oneOf.map(typeOf), ' or ')}`;
  if ('const' in schema || 'enum' in schema) return choice(schema);
  if (type === 'array') return html`list of ${typeOf(items ?? {})}`;
  if (type === 'object' && typeof additionalProperties === 'object')
    return html`map to ${typeOf(additionalProperties)}`;
  return html`${Array.isArray(type) ? type.join(' or ') : (type ?? 'anything')}`;
}

interface Keywords {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
}

/** Returns the name at the end of a reference. */
export function nameOf($ref: string): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

function link($ref: string): Html {
  const name = nameOf($ref);
  return html`<a href="#${name}">${name}</a>`;
}

function choice(schema: Schema): Html {
  const values = (schema.enum ?? [schema.const]) as readonly unknown[];
  return html`${intersperse(
    values.map((value) => html`<code>${JSON.stringify(value)}</code>`),
    ', ',
  )}`;
}

export function intersperse(parts: readonly Html[], separator: string): readonly (Html | string)[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
}

/** Renders an object's members, nested objects included, as one list. */
export function members(schema: Schema): Html {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, Schema>>;
  const required = (schema.required ?? []) as readonly string[];
  return html`<dl class="members">${Object.entries(properties).map(
    ([name, member]) => html`
<div><dt><code>${name}</code> <span class="type">${typeOf(member)}</span>${
      required.includes(name) ? '' : html` <span class="type">optional</span>`
    }</dt>
<dd>${typeof member.description === 'string' ? prose(member.description) : ''}${
      member.properties === undefined ? '' : members(member)
    }</dd></div>`,
  )}</dl>`;
}
