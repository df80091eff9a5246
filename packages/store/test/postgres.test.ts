import { createSchema } from './postgres.ts';
import { describeStore } from './store-contract.ts';

describeStore('PostgreSQL', async () => {
  const schema = await createSchema();
  return { connect: () => schema.connect(), remove: () => schema.remove() };
});
