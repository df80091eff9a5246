import { DOMParser, type Element } from '@xmldom/xmldom';

/** Parses a document strictly, with an independent parser, and returns its root. */
export function parseXml(text: string): Element {
  const document = new DOMParser({ onError: refuse }).parseFromString(text, 'application/xml');
  if (document.documentElement === null) throw new Error('a document without an element');
  return document.documentElement;
}

// The parser warns of U+FFFD, which the contract writes for characters that XML cannot hold.
function refuse(level: string, message: string): void {
  if (level === 'warning' && message.startsWith('Unicode replacement character')) return;
  throw new Error(message);
}

export function childrenOf(parent: Element, name?: string): readonly Element[] {
  const elements = [...parent.childNodes].filter((node): node is Element => node.nodeType === node.ELEMENT_NODE);
  return name === undefined ? elements : elements.filter((child) => child.localName === name);
}

/** Returns the only element at a path of names. */
export function at(root: Element, ...path: readonly string[]): Element {
  return path.reduce((parent, name) => {
    const [child, ...more] = childrenOf(parent, name);
    if (child === undefined || more.length > 0) throw new Error(`${more.length + 1} or no <${name}>`);
    return child;
  }, root);
}

export function textAt(root: Element, ...path: readonly string[]): string {
  return at(root, ...path).textContent ?? '';
}
