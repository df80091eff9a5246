import { createHash } from 'node:crypto';
import { stylesheet } from '@gantry/wire/stylesheet';
import { html, raw } from 'hono/html';
import type { OpenApiDocument, OperationObject, Parameter, Reference, Response, Schema } from './document.ts';
import { referenceStyle } from './reference-style.ts';
import { type Html, intersperse, members, nameOf, prose, typeOf } from './schema-view.ts';

const style = stylesheet + referenceStyle;

/** Policy of a page without scripts or external resources. */
export const referencePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Renders the document for people: its operations, schemas and errors, each with an anchor. */
export async function referencePage(document: OpenApiDocument, { site }: { readonly site: string }): Promise<string> {
  const { info, servers, tags, components } = document;
  const listed = operationsOf(document);
  const sections = tags.map((tag) => ({
    ...tag,
    operations: listed.filter(({ object }) => object.tags[0] === tag.name),
  }));
  return String(
    await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference · ${site}</title>
<style>${raw(style)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top"><div>
<a class="brand" href="/" dir="auto">${site}</a>
<nav aria-label="Site"><a href="/reference" aria-current="page">API reference</a><a href="/openapi.json">OpenAPI</a></nav>
</div></header>
<main class="reference">
<nav class="contents" aria-label="Contents"><ul>
<li><a href="#start">Start</a></li>
${sections.map(
  ({ name, operations }) =>
    html`<li><a href="#${name}">${titles[name] ?? name}</a><ul>${operations
      .filter(isCard)
      .map(({ object }) => html`<li><a href="#${object.operationId}">${object.summary}</a></li>`)}</ul></li>`,
)}
<li><a href="#schemas">Schemas</a></li>
<li><a href="#failures">Failures</a></li>
</ul></nav>
<div class="body" id="content" tabindex="-1">
<section id="start">
<h1 dir="auto">${info.title}</h1>
<p class="lead">${prose(info.description)}</p>
<div class="card"><dl class="facts">
<div><dt>Root of the paths below</dt><dd><code>${servers[0]?.url ?? ''}</code></dd></div>
<div><dt>Version</dt><dd>${info.version}</dd></div>
<div><dt>Authorization</dt><dd>${prose(String(components.securitySchemes.oauth?.description ?? ''))}</dd></div>
<div><dt>Answers</dt><dd>JSON; with <code>format=xml</code> or <code>format=atom</code> the same in XML or Atom. Reads carry an <code>ETag</code>, and <code>HEAD</code> works wherever <code>GET</code> does.</dd></div>
</dl></div>
</section>
${sections.map(
  ({ name, description, operations }) => html`<section id="${name}">
<h2>${titles[name] ?? name}</h2>
<p class="lead">${prose(description)}</p>
${operations.filter(isCard).map((listing) => operationCard(listing, document, listed))}
${notYet(operations)}
</section>`,
)}
<section id="schemas">
<h2>Schemas</h2>
${Object.entries(components.schemas).map(([name, schema]) => schemaCard(name, schema))}
</section>
<section id="failures">
<h2>Failures</h2>
<p class="lead">A failure is an ${typeOf({ $ref: '#/Error' })}, and only the first one found is reported.</p>
<ul class="listed">${Object.entries(components.responses).map(
      ([name, { description }]) =>
        html`<li id="${name}"><strong>${name}</strong><span class="muted">${prose(description)}</span></li>`,
    )}</ul>
</section>
</div>
</main>
</body>
</html>
`,
  );
}

const titles: Readonly<Record<string, string>> = {
  people: 'People',
  activities: 'Activities',
  appData: 'AppData',
  albums: 'Albums',
  mediaItems: 'Media items',
  rpc: 'JSON-RPC',
  oauth: 'OAuth tokens',
};

interface Listing {
  readonly verb: string;
  readonly path: string;
  readonly object: OperationObject;
}

function operationsOf({ paths }: OpenApiDocument): readonly Listing[] {
  return Object.entries(paths).flatMap(([path, { servers: _, ...verbs }]) =>
    Object.entries(verbs).map(([verb, object]) => ({ verb, path, object: object as OperationObject })),
  );
}

/** True for an operation that works and is not another spelling. */
function isCard({ object }: Listing): boolean {
  return object['x-gantry-status'] === 'works' && object['x-gantry-spelling-of'] === undefined;
}

function operationCard({ verb, path, object }: Listing, document: OpenApiDocument, listed: readonly Listing[]): Html {
  const { operationId, summary, description, requestBody, responses } = object;
  const spellings = listed.filter((other) => other.object['x-gantry-spelling-of'] === operationId);
  const ofAll = [object, ...spellings.map((other) => other.object)].flatMap(({ parameters = [] }) => parameters);
  const parameterSet = new Set(ofAll.map((parameter) => parameterOf(parameter, document)));
  const body = requestBody?.content['application/json'];
  return html`<article class="card" id="${operationId}">
<header>
<h3><a href="#${operationId}">${summary}</a>${
    object['x-gantry-call'] === undefined ? '' : html`<span class="tag">${object['x-gantry-call']}</span>`
  }</h3>
${route(verb, path)}${spellings.map((other) => route(other.verb, other.path))}
${description && html`<p>${prose(description)}</p>`}
</header>
<div class="group"><h4>Parameters</h4>${members(asMembers([...parameterSet]))}</div>
${body && html`<div class="group"><h4>Body</h4><p>${typeOf(body.schema)}</p></div>`}
<div class="group"><h4>Answers</h4><ul class="answers">${Object.entries(responses).map(([status, response]) =>
    answerItem(status, response),
  )}</ul></div>
</article>`;
}

function route(verb: string, path: string): Html {
  const parts = path.split(/(\{\w+\})/).map((part) => (part.startsWith('{') ? html`<var>${part}</var>` : part));
  return html`<p class="route"><span class="verb ${verb}">${verb.toUpperCase()}</span><code>${parts}</code></p>`;
}

function parameterOf(parameter: Parameter | Reference, { components }: OpenApiDocument): Parameter {
  return '$ref' in parameter ? (components.parameters[nameOf(parameter.$ref)] as Parameter) : parameter;
}

/** Renders parameters like members of an object. */
function asMembers(parameters: readonly Parameter[]): Schema {
  return {
    properties: Object.fromEntries(
      parameters.map(({ name, description, schema }) => [name, { ...schema, description }]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

function answerItem(status: string, response: Response | Reference): Html {
  if ('$ref' in response) return html`<li><code>${status}</code> ${typeOf(response)}</li>`;
  const types = new Map(
    Object.values(response.content ?? {}).map(({ schema }) => [JSON.stringify(schema), typeOf(schema)] as const),
  );
  return html`<li><code>${status}</code> ${intersperse([...types.values()], ', ')}</li>`;
}

function notYet(operations: readonly Listing[]): Html | string {
  const rows = operations.filter(({ object }) => object['x-gantry-status'] === 'unimplemented');
  if (rows.length === 0) return '';
  return html`<h3>Listed, and answered by 501</h3><ul class="listed">${rows.map(
    ({ verb, path, object }) =>
      html`<li id="${object.operationId}">${route(verb, path)}<span class="muted">${object.summary}</span></li>`,
  )}</ul>`;
}

function schemaCard(name: string, schema: Schema): Html {
  const { description, examples = [] } = schema as {
    readonly description?: string;
    readonly examples?: readonly unknown[];
  };
  return html`<article class="card" id="${name}">
<header><h3><a href="#${name}">${name}</a></h3><p class="lead">${prose(description ?? '')}</p></header>
${schema.properties === undefined ? html`<p class="type">${typeOf(schema)}</p>` : members(schema)}
${examples.map((example) => html`<pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre>`)}
</article>`;
}
