import type { Meeting } from './fomc-page.ts';

export const FOMC_RETRIEVED = '2026-09-14T18:58:35Z';

/** As the Committee announced them; those of 2027 are tentative until each is confirmed at the meeting before. */
export const FOMC_DECISIONS: readonly Meeting[] = [
  { day: '2026-01-28', projections: false },
  { day: '2026-03-18', projections: true },
  { day: '2026-04-29', projections: false },
  { day: '2026-06-17', projections: true },
  { day: '2026-07-29', projections: false },
  { day: '2026-09-16', projections: true },
  { day: '2026-10-28', projections: false },
  { day: '2026-12-09', projections: true },
  { day: '2027-01-27', projections: false },
  { day: '2027-03-17', projections: true },
  { day: '2027-04-28', projections: false },
  { day: '2027-06-09', projections: true },
  { day: '2027-07-28', projections: false },
  { day: '2027-09-15', projections: true },
  { day: '2027-10-27', projections: false },
  { day: '2027-12-08', projections: true },
  { day: '2028-01-26', projections: false },
];
