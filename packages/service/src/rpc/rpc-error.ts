import type { SocialError, WireError } from '@gantry/wire';

/** Numbers that JSON-RPC 2.0 reserves. */
export const unknownMethod = -32601;
const internalError = -32603;

/** An error as JSON-RPC says it: the contract's numbers, its §4's RPC column. */
export function rpcError(error: SocialError): WireError {
  const { code, message, data } = error.toWire();
  return { code: numberOf(error, code), message, ...(data && { data }) };
}

function numberOf(error: SocialError, status: number): number {
  if (error.code === 'INTERNAL') return internalError;
  return error.code === 'POSTED_TOO_SOON' ? 503 : status;
}
