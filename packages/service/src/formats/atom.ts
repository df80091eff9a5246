import { type Parameter, percentEncode } from '@gantry/oauth';
import { type ListEnvelope, operation } from '@gantry/wire';
import { type AtomResource, atomResources } from './atom-resources.ts';
import { element, memberElements, valueElement, xmlDeclaration } from './elements.ts';
import { isList, type Result, type ResultContext } from './result.ts';

const atom = 'http://www.w3.org/2005/Atom';
const openSearch = 'http://a9.com/-/spec/opensearch/1.1';
const openSocial = 'http://ns.opensocial.org/2008/opensocial';
const never = '1970-01-01T00:00:00Z';

/**
 * A result as an Atom document: an `entry`, or for a list a `feed` (contract §3).
 *
 * @see RFC 4287
 */
export function atomResult(result: Result, context: ResultContext): string {
  const resource = atomResources[operation(context.operationId).topic];
  if (isList(result)) return xmlDeclaration + feed(result, resource, context);
  const content = entryContent(result.entry, resource, context) + author(context);
  return xmlDeclaration + element('entry', content, { xmlns: atom });
}

function entryContent(item: unknown, resource: AtomResource<never>, context: ResultContext): string {
  const its = item as never; // a topic's items have the type of the topic's resource
  const data = element(resource.element, resource.content(its), { xmlns: openSocial });
  return (
    memberElements({
      id: resource.id(its, context),
      title: resource.title(its),
      updated: resource.updated?.(its, context) ?? never,
    }) + element('content', data, { type: 'application/xml' })
  );
}

function feed(list: ListEnvelope<unknown>, resource: AtomResource<never>, context: ResultContext): string {
  const { entry, startIndex, itemsPerPage, totalResults } = list;
  const { publicUrl, target } = context;
  const next = startIndex + itemsPerPage;
  const content = [
    memberElements({
      id: publicUrl + target.path,
      title: resource.feedTitle,
      updated: latest(list, resource, context),
    }),
    author(context),
    link('self', pageUrl(context, target.query)),
    next < totalResults ? link('next', pageUrl(context, withStart(target.query, next))) : '',
    valueElement('osearch:totalResults', totalResults),
    valueElement('osearch:startIndex', startIndex),
    valueElement('osearch:itemsPerPage', itemsPerPage),
    ...entry.map((item) => element('entry', entryContent(item, resource, context))),
  ];
  return element('feed', content.join(''), { xmlns: atom, 'xmlns:osearch': openSearch });
}

function latest({ entry }: ListEnvelope<unknown>, resource: AtomResource<never>, context: ResultContext): string {
  let found = never;
  if (resource.updated === undefined) return found;
  for (const item of entry) {
    const updated = resource.updated(item as never, context);
    if (Date.parse(updated) > Date.parse(found)) found = updated; // offsets differ, so text does not tell
  }
  return found;
}

// An Atom document names an author (RFC 4287 §4.1.1); of a site's data that is the site.
function author({ siteName, publicUrl }: ResultContext): string {
  return valueElement('author', { name: siteName, uri: publicUrl });
}

function link(rel: string, href: string): string {
  return element('link', '', { rel, href });
}

function pageUrl({ publicUrl, target }: ResultContext, query: readonly Parameter[]): string {
  const kept = query.filter(([name]) => !name.startsWith('oauth_')); // a signature is for one request
  const search = kept.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`).join('&');
  return `${publicUrl}${target.path}${search === '' ? '' : '?'}${search}`;
}

function withStart(query: readonly Parameter[], startIndex: number): readonly Parameter[] {
  return [...query.filter(([name]) => name !== 'startIndex'), ['startIndex', String(startIndex)]];
}
