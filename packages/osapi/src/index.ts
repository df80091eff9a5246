import { documentSdk } from './sdk.ts';

export { type AppContext, OsapiError, type Theme, type WriteOptions, type WriteReport } from '@gantry/bridge';
export type {
  Activity,
  Album,
  AppData,
  AppDataByMember,
  Collection,
  MediaItem,
  Person,
  ReplyMeta,
  WireError,
} from '@gantry/wire';
export type { Batch, BatchResults } from './batch.ts';
export type { Gantry, GantryEvents, Rollback, ToastOptions } from './create-app-api.ts';
export type { Gadgets, GadgetView } from './create-gadgets.ts';
export type { CallOptions, CollectionRequest, OsapiRequest, Pages, Result } from './request.ts';
export type { Osapi } from './services.ts';

/** SDK of this document; the same objects as the globals of the script tag. */
export const { osapi, gadgets, gantry } = documentSdk();
