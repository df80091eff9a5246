import type { SocialError } from '@gantry/wire';
import { atomParts } from './atom.ts';
import { contentTypes, type Format, formatOfFailure } from './format.ts';
import { jsonParts } from './json.ts';
import { joinWithin, type Parts } from './parts.ts';
import type { Result, ResultContext } from './result.ts';
import { xmlError, xmlParts } from './xml.ts';

/** Writes a result; its type is in `contentTypes` (contract §3). @throws SocialError TOO_LARGE */
export function writeResult(format: Format, result: Result, context: ResultContext): string {
  return joinWithin(partsOf(format, result, context));
}

function partsOf(format: Format, result: Result, context: ResultContext): Parts {
  switch (format) {
    case 'json':
      return jsonParts(result, context.operationId);
    case 'xml':
      return xmlParts(result, context);
    case 'atom':
      return atomParts(result, context);
  }
}

export interface Written {
  readonly type: string;
  readonly text: string;
}

/**
 * Writes an error in the format that the request asks for, at any stage of its handling: JSON, or
 * XML for requests of XML or Atom (contract §4).
 *
 * @param rawTarget Path and query as the client sent them; `''` if they did not arrive.
 */
export function writeFailure(error: SocialError, rawTarget: string): Written {
  const { code, message } = error.toWire();
  if (formatOfFailure(rawTarget) === 'json') {
    return { type: contentTypes.json, text: JSON.stringify({ error: { code, message } }) };
  }
  return { type: contentTypes.xml, text: xmlError({ code, message }) };
}
