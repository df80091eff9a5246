/** Instant at which time stands still in tests with a seed. */
export const seededStartMs = Date.UTC(2026, 0, 15, 12);
