/** Sends a request, leaves the body unread. `undefined` if it fails: other checks report that. */
export async function askSite(address: string, init: RequestInit = {}): Promise<Response | undefined> {
  try {
    const answer = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(10_000), ...init });
    await answer.body?.cancel();
    return answer;
  } catch {
    return undefined;
  }
}
