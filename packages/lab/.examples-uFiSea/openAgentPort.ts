import * as face from '@gantry/lab/agent';

const modules: Record<string, unknown> = {  };
const load = async (name: string): Promise<any> => modules[name];
const text = (value: unknown): string => JSON.stringify(value, (_, one) => (one === undefined ? 'undefined' : one));
const claims = {
  equals(actual: unknown, written: unknown): void {
    if (text(actual) !== text(written)) throw new Error(text(actual) + ' is not ' + text(written));
  },
  async throws(run: () => unknown, code: string): Promise<void> {
    const error: any = await Promise.resolve().then(run).then(() => undefined, (reason: unknown) => reason);
    if (!(error?.code + ' ' + error).includes(code)) throw new Error(error + ' is not ' + code);
  },
};
export async function run(): Promise<void> {
  const { openAgentPort } = face;
const port = openAgentPort(window);
claims.equals(await (port instanceof MessagePort), true);
}
