import '@gantry/store/require-node';

export { type SiteFeature, type SiteFeatureName, siteFeatures } from '../site-features.ts';
export type { FindOptions, SiteGadget, SiteMember, SiteOptions } from './site-types.ts';
export { expect, type SiteFixtures, test } from './test.ts';
