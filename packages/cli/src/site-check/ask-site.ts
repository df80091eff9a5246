/**
 * Sends a request, and leaves the answer's body unread.
 *
 * @returns `undefined` if it fails, which other checks report.
 */
export async function askSite(address: string, init: RequestInit = {}): Promise<Response | undefined> {
  try {
    const answer = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(10_000), ...init });
    await answer.body?.cancel();
    return answer;
  } catch {
    return undefined;
  }
}
