import { SocialError } from '@gantry/wire';
import { SaxesParser, type SaxesTagNS } from 'saxes';

/** Element of a request body, without attributes, comments and the order of text and children. */
export interface XmlElement {
  readonly name: string;
  readonly children: readonly XmlElement[];
  /** The element's own text, CDATA included. */
  readonly text: string;
}

interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
  text: string;
}

const maxDepth = 64;
const maxElements = 10_000; // AppData has three for each of its 1,000 keys
const maxAttributes = 1_000; // only namespaces matter here

/**
 * Parses an XML 1.0 document with namespaces (contract §2).
 *
 * @throws SocialError BAD_REQUEST for a malformed document, one beyond the limits above, a DTD or a
 * processing instruction; UNSUPPORTED_MEDIA_TYPE for a declared encoding other than UTF-8.
 */
export function readXml(source: string): XmlElement {
  const open: OpenElement[] = [];
  let root: XmlElement | undefined;
  let elements = 0;
  let attributes = 0;
  const parser = new SaxesParser({ xmlns: true, defaultXMLVersion: '1.0', forceXMLVersion: true });

  parser.on('xmldecl', ({ encoding = 'UTF-8' }) => {
    if (encoding.toUpperCase() === 'UTF-8') return;
    throw new SocialError('UNSUPPORTED_MEDIA_TYPE', 'Send XML in UTF-8, and declare no other encoding.');
  });
  parser.on('doctype', () => {
    throw refused('Send XML without a DTD and without entities beyond those of XML itself.');
  });
  parser.on('processinginstruction', () => {
    throw refused('Send XML without processing instructions.');
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > maxAttributes) throw refused(`XML may have at most ${maxAttributes} attributes.`);
  });
  parser.on('opentag', ({ local }: SaxesTagNS) => {
    elements += 1;
    if (elements > maxElements) throw refused(`XML may have at most ${maxElements} elements.`);
    const opened: OpenElement = { name: local, children: [], text: '' };
    if (open.push(opened) > maxDepth) throw refused(`XML may nest at most ${maxDepth} elements deep.`);
    open.at(-2)?.children.push(opened);
    root ??= opened;
  });
  parser.on('closetag', () => {
    open.pop();
  });
  const addText = (text: string) => {
    const current = open.at(-1);
    if (current) current.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);

  try {
    parser.write(source).close();
  } catch (cause) {
    if (cause instanceof SocialError) throw cause;
    const what = cause instanceof Error ? cause.message.slice(0, 200) : '';
    throw refused(`The body is not well-formed XML: ${what}`, { cause });
  }
  if (root === undefined) throw refused('The body holds no XML element.');
  return root;
}

function refused(message: string, options?: ErrorOptions): SocialError {
  return new SocialError('BAD_REQUEST', message, options);
}
