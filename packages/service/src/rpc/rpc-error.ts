import type { SocialError, WireError } from '@gantry/wire';

/** Error numbers that JSON-RPC 2.0 reserves. */
export const unknownMethod = -32601;
const internalError = -32603;

/** Returns an error in JSON-RPC's form: the numbers of the RPC column in the contract's §4. */
export function rpcError(error: SocialError): WireError {
  const { code, message, data } = error.toWire();
  return { code: numberOf(error, code), message, ...(data && { data }) };
}

function numberOf(error: SocialError, status: number): number {
  if (error.code === 'INTERNAL') return internalError;
  return error.code === 'POSTED_TOO_SOON' ? 503 : status;
}
