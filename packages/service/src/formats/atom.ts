import { type Parameter, percentEncode } from '@gantry/oauth';
import { type ListEnvelope, operation } from '@gantry/wire';
import { type AtomResource, atomResources } from './atom-resources.ts';
import { element, elementParts, memberElements, valueElement, xmlDeclaration } from './elements.ts';
import { isList, type Result, type ResultContext } from './result.ts';

const atom = 'http://www.w3.org/2005/Atom';
const openSearch = 'http://a9.com/-/spec/opensearch/1.1';
const openSocial = 'http://ns.opensocial.org/2008/opensocial';
const never = '1970-01-01T00:00:00Z';

/** Yields a result as an Atom `entry`, or a `feed` for a list (contract §3). @see RFC 4287 */
export function* atomParts(result: Result, context: ResultContext): Generator<string> {
  const resource = atomResources[operation(context.operationId).topic];
  yield xmlDeclaration;
  if (isList(result)) {
    yield* elementParts('feed', feed(result, resource, context), { xmlns: atom, 'xmlns:osearch': openSearch });
    return;
  }
  yield* elementParts('entry', entryContent(result.entry, resource, context, author(context)), { xmlns: atom });
}

/** @param end Last element of an entry that is a document of its own. */
function* entryContent(
  item: unknown,
  resource: AtomResource<never>,
  context: ResultContext,
  end = '',
): Generator<string> {
  if (!resource.content) {
    yield shortContent(item, resource, context) + end;
    return;
  }
  yield elementsAbout(item, resource, context);
  const data = elementParts(resource.element, resource.content(item as never), { xmlns: openSocial });
  yield* elementParts('content', data, { type: 'application/xml' });
  yield end;
}

/** Returns the content of an entry in one part: parts of parts cost more than short text. */
function shortContent(item: unknown, resource: AtomResource<never>, context: ResultContext): string {
  const { element: name } = resource;
  const data = `<${name} xmlns="${openSocial}">${memberElements(item as object)}</${name}>`;
  return `${elementsAbout(item, resource, context)}<content type="application/xml">${data}</content>`;
}

function elementsAbout(item: unknown, resource: AtomResource<never>, context: ResultContext): string {
  const its = item as never; // a topic's items have the type of the topic's resource
  const about = valueElement('id', resource.id(its, context)) + valueElement('title', resource.title(its));
  return about + valueElement('updated', resource.updated?.(its, context) ?? never);
}

function* feed(list: ListEnvelope<unknown>, resource: AtomResource<never>, context: ResultContext): Generator<string> {
  const { entry, startIndex, itemsPerPage, totalResults } = list;
  const { publicUrl, target } = context;
  const next = startIndex + itemsPerPage;
  yield memberElements({
    id: publicUrl + target.path,
    title: resource.feedTitle,
    updated: latest(list, resource, context),
  });
  yield author(context);
  yield link('self', pageUrl(context, target.query));
  if (next < totalResults) yield link('next', pageUrl(context, withStart(target.query, next)));
  yield memberElements({
    'osearch:totalResults': totalResults,
    'osearch:startIndex': startIndex,
    'osearch:itemsPerPage': itemsPerPage,
  });
  for (const item of entry) yield element('entry', shortContent(item, resource, context)); // lists have short items
}

function latest({ entry }: ListEnvelope<unknown>, resource: AtomResource<never>, context: ResultContext): string {
  if (!resource.updated) return never;
  let last = { time: never, ms: Date.parse(never) };
  for (const item of entry) {
    const time = resource.updated(item as never, context);
    const ms = Date.parse(time); // not as text: offsets differ
    if (ms > last.ms) last = { time, ms };
  }
  return last.time;
}

// An Atom document names an author (RFC 4287 §4.1.1): for a site's data, the site.
function author({ siteName, publicUrl }: ResultContext): string {
  return valueElement('author', { name: siteName, uri: publicUrl });
}

function link(rel: string, href: string): string {
  return element('link', '', { rel, href });
}

function pageUrl({ publicUrl, target }: ResultContext, query: readonly Parameter[]): string {
  const pairs = query.filter(([name]) => !name.startsWith('oauth_')); // a signature covers one request
  const search = pairs.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`).join('&');
  return `${publicUrl}${target.path}${search === '' ? '' : '?'}${search}`;
}

function withStart(query: readonly Parameter[], startIndex: number): readonly Parameter[] {
  return [...query.filter(([name]) => name !== 'startIndex'), ['startIndex', String(startIndex)]];
}
