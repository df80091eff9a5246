import type { SocialError, WireError } from '@gantry/wire';
import { atomParts } from './atom.ts';
import { contentTypes, type Format, formatOfFailure } from './format.ts';
import { jsonParts } from './json.ts';
import { joinWithin, type Parts } from './parts.ts';
import type { Result, ResultContext } from './result.ts';
import { xmlError, xmlParts } from './xml.ts';

/**
 * The document that says `result` in one format (contract §3); its type is in `contentTypes`.
 *
 * @throws SocialError TOO_LARGE
 */
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
