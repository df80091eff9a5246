import { bounds, type HttpRequest, maxBodyBytes, SocialError, type Topic } from '@gantry/wire';
import { readBytes } from '@gantry/wire/runtime';
import { type Json, readJson } from '../formats/read-json.ts';
import { readXml } from '../formats/read-xml.ts';
import { atomBody, xmlBody } from '../formats/xml-body.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads a body up to the limit; `undefined` for an empty one. @throws SocialError TOO_LARGE */
export async function readBody(request: Request): Promise<Uint8Array | undefined> {
  if (request.method === 'GET' || request.method === 'HEAD' || request.body === null) return undefined;
  if (Number(request.headers.get('content-length') ?? 0) > maxBodyBytes) throw tooLarge();
  const bytes = await readBytes(request.body, maxBodyBytes);
  if (bytes === undefined) throw tooLarge();
  return bytes.byteLength === 0 ? undefined : bytes;
}

function tooLarge(): SocialError {
  return new SocialError('TOO_LARGE', `A body has at most ${maxBodyBytes} bytes, in chunks of reasonable size.`);
}

type Parser = (text: string, topic: Topic) => Json;

const parsers: ReadonlyMap<string, Parser> = new Map([
  ['application/json', (text) => readJson(text)],
  ['application/xml', (text, topic) => xmlBody(readXml(text), topic)],
  ['text/xml', (text, topic) => xmlBody(readXml(text), topic)],
  ['application/atom+xml', (text, topic) => atomBody(readXml(text), topic)],
] satisfies [string, Parser][]);

/**
 * Parses the body of a write on `topic`: JSON, or XML and Atom converted to the shape of JSON
 * (contract §2). @throws SocialError UNSUPPORTED_MEDIA_TYPE for another type, charset or encoding,
 * BAD_REQUEST for an empty or malformed body.
 */
export function parseBody(request: Received, topic: Topic): Json {
  const { text, parse } = opened(request, parsers, 'The request needs a body, in JSON, XML or Atom.');
  return parse(text, topic);
}

type Received = Pick<HttpRequest, 'header' | 'body'>;

const rpcParsers: ReadonlyMap<string, (text: string) => Json> = new Map([
  ['application/json', readJson],
  ['application/json-rpc', readJson],
]);

/** Parses a JSON-RPC body and returns its text too. @throws SocialError as `parseBody` */
export function parseRpcBody(request: Received): { json: Json; text: string } {
  const { text, parse } = opened(request, rpcParsers, 'The request needs a body: a call, or a list of them.');
  return { json: parse(text), text };
}

/** Most records in one body (docs/limits.md). */
const maxRecords = 2_000;

const recordParsers: ReadonlyMap<string, (text: string) => Json> = new Map([
  ['application/json', readJson],
  ['application/x-ndjson', readJsonLines],
  ['application/jsonl', readJsonLines],
]);

/** Parses records from a JSON array or JSON Lines. @throws SocialError as `parseBody` */
export function parseRecordsBody(request: Received): readonly Json[] {
  const { text, parse } = opened(request, recordParsers, 'The request needs a body: records in JSON.');
  const records = parse(text);
  if (!Array.isArray(records)) throw new SocialError('BAD_REQUEST', 'The body must be an array of records.');
  if (records.length > maxRecords) throw tooManyRecords();
  return records;
}

function readJsonLines(text: string): Json {
  const lines = text.split('\n', 2 * maxRecords + 1); // every second line may be empty
  if (lines.length > 2 * maxRecords) throw tooManyRecords();
  const budget = { left: bounds.values };
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [readJson(line, budget)];
    } catch (error) {
      if (!(error instanceof SocialError)) throw error;
      throw new SocialError(error.code, `Line ${index + 1}: ${error.message}`, { cause: error });
    }
  });
}

function tooManyRecords(): SocialError {
  return new SocialError('BAD_REQUEST', `A body has at most ${maxRecords} records.`);
}

/** Returns the text of a body and the parser for its type. @param isMissing Message for no body. */
function opened<P>({ header, body }: Received, parsers: ReadonlyMap<string, P>, isMissing: string) {
  if (body === undefined) throw new SocialError('BAD_REQUEST', isMissing);
  const encoding = header('content-encoding') ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity') {
    throw new SocialError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without Content-Encoding.');
  }
  const [type = '', ...parameters] = (header('content-type') ?? '').split(';').map((part) => part.trim());
  const charset = parameters.find((parameter) => /^charset\s*=/i.test(parameter));
  const isUtf8 = charset === undefined || /^charset\s*=\s*"?utf-?8"?$/i.test(charset);
  const parse = parsers.get(type.toLowerCase());
  if (parse === undefined || !isUtf8) {
    const types = Array.from(parsers.keys()).join(' or ');
    throw new SocialError('UNSUPPORTED_MEDIA_TYPE', `Send the body as Content-Type: ${types}, in UTF-8.`);
  }
  try {
    return { text: utf8.decode(body), parse };
  } catch (cause) {
    throw new SocialError('BAD_REQUEST', 'The body is not UTF-8.', { cause });
  }
}
