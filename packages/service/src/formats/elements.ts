/** XML as text, built from values. Each function returns well-formed content. */

export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

// Characters with a meaning in XML, and those that a parser would change or refuse.
const everySpecial = /[&<>"\p{Cc}\p{Cs}\u2028\u2029\ufffe\uffff]/gu;

// Those and surrogate pairs, which most text lacks. A search by code units is faster.
const special = /[^ !#-%'-;=?-~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufffd]/;

/**
 * Escapes text for content and attributes. Line ends and tabs become references, since parsers
 * change them (XML 1.0 §2.11, §3.3.3; XML 1.1 §2.11); characters that XML 1.0 cannot hold become
 * U+FFFD (contract §3).
 */
export function escapeXml(text: string): string {
  return special.test(text) ? text.replace(everySpecial, reference) : text;
}

const names: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

function reference(character: string): string {
  const code = character.charCodeAt(0);
  const isCharacter = code >= 0x7f ? code < 0xd800 : code === 0x9 || code === 0xa || code === 0xd;
  return names.get(character) ?? (isCharacter ? `&#${code};` : '\ufffd');
}

type Attributes = Readonly<Record<string, string>>;

/** Returns an element. @param content XML; `''` gives an empty element. */
export function element(name: string, content: string, attributes?: Attributes): string {
  const tag = attributes === undefined ? name : tagOf(name, attributes);
  return content === '' ? `<${tag}/>` : `<${tag}>${content}</${name}>`;
}

/** Yields an element whose content is generated in parts. */
export function* elementParts(name: string, content: Iterable<string>, attributes?: Attributes): Generator<string> {
  const tag = tagOf(name, attributes);
  let isEmpty = true;
  for (const part of content) {
    if (part === '') continue;
    yield isEmpty ? `<${tag}>${part}` : part;
    isEmpty = false;
  }
  yield isEmpty ? `<${tag}/>` : `</${name}>`;
}

function tagOf(name: string, attributes: Attributes = {}): string {
  let tag = name;
  for (const key in attributes) tag += ` ${key}="${escapeXml(attributes[key] as string)}"`;
  return tag;
}

/**
 * Returns a value in the XML of the contract's §3: booleans as `1` and `0`, numbers as decimal
 * text, an array as one element that holds one of the same name for each item.
 */
export function valueElement(name: string, value: unknown): string {
  switch (typeof value) {
    case 'string':
      return element(name, escapeXml(value));
    case 'number':
      return element(name, String(value));
    case 'boolean':
      return element(name, value ? '1' : '0');
    case 'object':
      if (value === null) return element(name, '');
      if (Array.isArray(value)) return element(name, value.map((item) => valueElement(name, item)).join(''));
      return element(name, memberElements(value));
    default:
      return '';
  }
}

/** Returns one element for each member of an object, named after it. Not for AppData. */
export function memberElements(record: object): string {
  let content = '';
  for (const name in record) content += valueElement(name, record[name as keyof typeof record]);
  return content;
}
