import { SocialError, type Topic } from '@gantry/wire';
import type { Json } from './read-json.ts';
import type { XmlElement } from './read-xml.ts';

/** XML and Atom request bodies, converted to the shape of JSON (contract §2). */

/** Converts `<appdata>` or `<activity>`, in any letter case. @throws SocialError BAD_REQUEST */
export function xmlBody(root: XmlElement, topic: Topic): Json {
  const rootName = topic === 'appData' ? 'appdata' : 'activity';
  if (root.name.toLowerCase() !== rootName) throw malformed(`its root element must be <${rootName}>`);
  refuseText(root);
  return topic === 'appData' ? appData(root) : activity(root);
}

/** Converts an Atom entry, whose `<content>` holds the element. @throws SocialError BAD_REQUEST */
export function atomBody(root: XmlElement, topic: Topic): Json {
  if (root.name.toLowerCase() !== 'entry') throw malformed('its root element must be an Atom <entry>');
  refuseText(root);
  const content = only(root, 'content');
  const [data, ...more] = content?.children ?? [];
  if (content === undefined || data === undefined || more.length > 0)
    throw malformed('an Atom <entry> must have one <content> with one element');
  refuseText(content);
  const body = xmlBody(data, topic);
  const title = only(root, 'title');
  if (topic === 'appData' || title === undefined) return body;
  const text = textOf(title);
  return text === '' ? body : { ...(body as object), title: text }; // Atom requires a title, which may be empty
}

function appData(root: XmlElement): Json {
  const values: Record<string, string> = Object.create(null);
  for (const entry of root.children) {
    const [key, value] = [only(entry, 'key'), only(entry, 'value')];
    const isPair = entry.name === 'entry' && key !== undefined && value !== undefined && entry.children.length === 2;
    if (!isPair) throw malformed('each <entry> must have one <key>, one <value> and nothing else');
    refuseText(entry);
    const name = textOf(key);
    if (name in values) throw malformed('a key must not be repeated');
    values[name] = textOf(value);
  }
  return values;
}

// Fields that a post may not set are ignored, as in JSON.
function activity(root: XmlElement): Json {
  const members: Record<string, string> = Object.create(null);
  for (const name of ['title', 'url']) {
    const child = only(root, name);
    if (child !== undefined) members[name] = textOf(child);
  }
  return members;
}

function only(parent: XmlElement, name: string): XmlElement | undefined {
  const [child, ...more] = parent.children.filter((child) => child.name === name);
  if (more.length > 0) throw malformed(`<${name}> must not be repeated`);
  return child;
}

function textOf(element: XmlElement): string {
  if (element.children.length > 0) throw malformed(`<${element.name.slice(0, 64)}> must hold text only`);
  return element.text;
}

function refuseText({ text, name }: XmlElement): void {
  if (/[^ \t\r\n]/.test(text)) throw malformed(`<${name.slice(0, 64)}> must hold elements only`);
}

function malformed(rule: string): SocialError {
  return new SocialError('BAD_REQUEST', `The XML body is invalid: ${rule}.`);
}
