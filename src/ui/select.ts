/** A native list of choices. */
export const SELECT =
  'h-8 max-w-60 min-w-0 truncate rounded-ctl border border-ink-3/75 bg-surface px-2 text-sm font-medium';
