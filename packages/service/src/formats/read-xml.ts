import { SocialError } from '@gantry/wire';
import { SaxesParser, type SaxesTagNS } from 'saxes';

/** An element as the bodies of this API need it: attributes, comments and the order of text and children do not count. */
export interface XmlElement {
  /** Without prefix. */
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

/**
 * Parses an XML 1.0 document with namespaces (contract §2).
 *
 * @throws SocialError BAD_REQUEST for what is not well-formed, nested deeper than 64, or has a DTD or a processing instruction;
 * UNSUPPORTED_MEDIA_TYPE for a declared encoding that is not UTF-8.
 */
export function readXml(source: string): XmlElement {
  const open: OpenElement[] = [];
  let root: XmlElement | undefined;
  const parser = new SaxesParser({ xmlns: true, defaultXMLVersion: '1.0', forceXMLVersion: true });

  parser.on('xmldecl', ({ encoding = 'UTF-8' }) => {
    if (encoding.toUpperCase() === 'UTF-8') return;
    throw new SocialError('UNSUPPORTED_MEDIA_TYPE', 'Send XML in UTF-8, and declare no other encoding.');
  });
  parser.on('doctype', () => {
    throw new SocialError('BAD_REQUEST', 'Send XML without a DTD, and without entities but those of XML itself.');
  });
  parser.on('processinginstruction', () => {
    throw new SocialError('BAD_REQUEST', 'Send XML without processing instructions.');
  });
  parser.on('opentag', ({ local }: SaxesTagNS) => {
    const opened: OpenElement = { name: local, children: [], text: '' };
    if (open.push(opened) > maxDepth) throw new SocialError('BAD_REQUEST', `XML may nest ${maxDepth} elements deep.`);
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
    throw new SocialError('BAD_REQUEST', `The body is not well-formed XML: ${what}`, { cause });
  }
  if (root === undefined) throw new SocialError('BAD_REQUEST', 'The body holds no XML element.');
  return root;
}
