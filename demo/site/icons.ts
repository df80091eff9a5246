import { raw } from 'hono/html';

const icon = (shape: string) =>
  raw(
    `<svg class="icon" viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${shape}</svg>`,
  );

/** Line drawings beside a word; none carries a meaning alone. */
export const icons = {
  friends: icon(
    '<circle cx="9" cy="8" r="3.5"/><path d="M2.5 20c.4-4 3-6 6.5-6s6.1 2 6.5 6M16 4.8a3.5 3.5 0 0 1 0 6.5M18 14.4c2 .8 3.2 2.6 3.5 5.6"/>',
  ),
  stream: icon(
    '<path d="M3 8c2.5-2.5 4.5-2.5 6 0s3.5 2.5 6 0 4.5-2.5 6 0M3 16c2.5-2.5 4.5-2.5 6 0s3.5 2.5 6 0 4.5-2.5 6 0"/>',
  ),
  notes: icon('<path d="M6 3h9l4 4v14H6zM14.5 3v4.5H19M9.5 12h6M9.5 16h4"/>'),
  photos: icon(
    '<rect x="3" y="5" width="18" height="14" rx="2"/><circle cx="8.5" cy="10" r="1.6"/><path d="m4 17 5-4 3 2.5 4-4 5 5"/>',
  ),
  birthdays: icon(
    '<path d="M4 20h16v-7a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2zM4 15.5c2.7 2 5.3 2 8 0s5.3-2 8 0M12 11V7.5M12 3.2c1.6 1.7 1.6 3 0 3.6-1.6-.6-1.6-1.9 0-3.6z"/>',
  ),
  tern: raw(
    '<svg class="mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true"><rect class="mark-ground" width="32" height="32" rx="8"/><path class="mark-bird" d="M4 10.5C9 8.5 13 10 16 15c2-4.5 6-7.5 12-8-4.5 2.5-7 5.5-8.5 10.5L16 22l-2.5-4C12 14 9 11.5 4 10.5Z"/><path class="mark-sea" d="M5 25.5c2.5-1.8 5-1.8 7.5 0s5 1.8 7.5 0 5-1.8 7 0"/></svg>',
  ),
  down: icon('<path d="m7 10 5 5 5-5"/>'),
  close: icon('<path d="M6 6l12 12M18 6 6 18"/>'),
  search: icon('<circle cx="11" cy="11" r="6.5"/><path d="m16 16 4.5 4.5"/>'),
} as const;
