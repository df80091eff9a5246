import type { SocialError, WireError } from '@gantry/wire';
import { atomResult } from './atom.ts';
import { contentTypes, type Format, formatOfFailure } from './format.ts';
import type { Result, ResultContext } from './result.ts';
import { xmlError, xmlResult } from './xml.ts';

/** The document that says `result` in one format (contract §3); its type is in `contentTypes`. */
export function writeResult(format: Format, result: Result, context: ResultContext): string {
  switch (format) {
    case 'json':
      return JSON.stringify(result);
    case 'xml':
      return xmlResult(result, context);
    case 'atom':
      return atomResult(result, context);
  }
}

/** A document with its `Content-Type`. */
export interface Written {
  readonly type: string;
  readonly text: string;
}

/**
 * Says a failure as the request asks for it, wherever it is refused.
 *
 * @param rawTarget Path and query as the client sent them; `''` where they did not arrive.
 */
export function writeFailure(error: SocialError, rawTarget: string): Written {
  return writeError(formatOfFailure(rawTarget), error.toWire());
}

/** Says a failure in JSON, or in XML to those who asked for XML or Atom (contract §4). */
export function writeError(format: Format, { code, message }: Pick<WireError, 'code' | 'message'>): Written {
  if (format === 'json') return { type: contentTypes.json, text: JSON.stringify({ error: { code, message } }) };
  return { type: contentTypes.xml, text: xmlError({ code, message }) };
}
