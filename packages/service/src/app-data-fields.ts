import { SocialError } from '@gantry/wire';
import type { Json } from './read-json.ts';

/** UTF-8 bytes of keys and values that one member may hold in one app (contract §4). */
export const maxAppDataBytes = 102_400;

const keyPattern = /^[A-Za-z0-9_.-]{1,128}$/;

/**
 * Checks the body of an AppData write: a flat object of keys and texts.
 *
 * @throws SocialError BAD_REQUEST
 */
export function appDataFields(body: Json): readonly (readonly [key: string, value: string])[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new SocialError('BAD_REQUEST', 'AppData is a JSON object of keys and texts.');
  }
  let bytes = 0;
  const fields = Object.entries(body).map(([key, value]) => {
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
  return new SocialError('BAD_REQUEST', `AppData of one member and app may hold ${maxAppDataBytes} bytes in all.`);
}
