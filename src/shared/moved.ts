/** Addresses without the app's prefix, or of an older name, and where they lead. Server and router know them alike. */
export const MOVED: readonly (readonly [from: string, to: string])[] = [
  ['/login', '/app?auth=login'],
  ['/settings', '/app/profile?tab=notifications'],
  ['/advanced-analytics', '/app/advanced-analytics'],
  ['/advanced-export', '/app/advanced-export'],
];
