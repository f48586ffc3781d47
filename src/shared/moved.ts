/** Redirects from addresses without the app's prefix, or with an older name. Used by server and router. */
export const MOVED: readonly (readonly [from: string, to: string])[] = [
  ['/login', '/app?auth=login'],
  ['/settings', '/app/profile?tab=notifications'],
  ['/advanced-analytics', '/app/advanced-analytics'],
  ['/advanced-export', '/app/advanced-export'],
];
