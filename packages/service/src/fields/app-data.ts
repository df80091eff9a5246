import { isRecord, SocialError } from '@gantry/wire';
import type { Json } from '../formats/read-json.ts';

/** Most UTF-8 bytes of keys and values of one member in one app (contract §4). */
export const maxAppDataBytes = 102_400;

/** Most keys of one member in one app, and of one write (contract §8 Bounds). */
export const maxAppDataKeys = 1_000;

const keyPattern = /^[A-Za-z0-9_.-]{1,128}$/;

/**
 * Validates the body of an AppData write: a flat object of keys and texts.
 *
 * @param options.mostKeys Most keys. An export may hold members with more keys than the bound, from
 * before it existed; only bytes limit those.
 * @throws SocialError BAD_REQUEST
 */
export function appDataFields(
  body: Json,
  { mostKeys = maxAppDataKeys }: { readonly mostKeys?: number } = {},
): readonly (readonly [key: string, value: string])[] {
  if (!isRecord(body)) {
    throw new SocialError('BAD_REQUEST', 'AppData is a JSON object of keys and texts.');
  }
  const entries = Object.entries(body);
  if (entries.length > mostKeys) throw appDataTooLarge();
  let bytes = 0;
  const fields = entries.map(([key, value]) => {
    const text = appDataField(key, value);
    bytes += key.length + Buffer.byteLength(text);
    return [key, text] as const;
  });
  if (bytes > maxAppDataBytes) throw appDataTooLarge();
  return fields;
}

function appDataField(key: string, value: unknown): string {
  if (!keyPattern.test(key)) {
    throw new SocialError('BAD_REQUEST', 'An AppData key has 1 to 128 letters, digits, "_", "." and "-".');
  }
  if (typeof value !== 'string') {
    throw new SocialError('BAD_REQUEST', `The value of the AppData key ${key} must be a string.`);
  }
  return value;
}

export function appDataTooLarge(): SocialError {
  return new SocialError(
    'BAD_REQUEST',
    `AppData of one member and app may hold ${maxAppDataKeys} keys and ${maxAppDataBytes} bytes in all.`,
  );
}
