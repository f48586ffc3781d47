export type ToastKind = 'success' | 'error' | 'warning' | 'info';
export type Toast = { kind: ToastKind; message: string; durationMs: number };

export const TOAST_MS = 5000;

const waiting: Toast[] = [];
let host: ((toast: Toast) => void) | undefined;

/** Shows a message for five seconds; the library that renders it is loaded with the first one. */
export function toast(kind: ToastKind, message: string, durationMs = TOAST_MS): void {
  const next = { kind, message, durationMs };
  if (host) host(next);
  else waiting.push(next);
}

export function attachToasts(show: (toast: Toast) => void): () => void {
  host = show;
  for (const next of waiting.splice(0)) show(next);
  return () => {
    host = undefined;
  };
}
