import type { Stores } from '@gantry/server';

/** Does the work with a site's stores, and closes them. */
export async function withStores<Result>(
  opening: Promise<Stores>,
  work: (stores: Stores) => Promise<Result>,
): Promise<Result> {
  const stores = await opening;
  try {
    return await work(stores);
  } finally {
    await stores.db.close();
  }
}
