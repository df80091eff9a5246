import { gantry, osapi } from '@gantry/osapi';

// A module as an author writes it: it knows nothing of tests.

const { appdata } = osapi;

export async function saveScore(score: number): Promise<void> {
  await appdata.update({ userId: '@viewer', data: { score: String(score) } });
}

export async function readScore(): Promise<string | undefined> {
  const data = await appdata.get({ userId: '@viewer', keys: ['score'] });
  return data[gantry.context?.viewer ?? '']?.score as string | undefined;
}
