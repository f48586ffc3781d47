import type { Config } from './config.ts';

export type SpanKind = 'server' | 'client' | 'internal';
export type Attributes = Record<string, string | number | boolean>;

export type Span = {
  /** Runs the work with this span as parent of the spans it begins. */
  enter: <T>(work: () => T) => T;
  /** `failure` is one sentence; null on success. */
  end: (attributes?: Attributes, failure?: string | null) => void;
};

export type Tracer = {
  /** `traceparent` names the caller's span (W3C Trace Context); without it the parent is the current span. */
  begin: (name: string, kind: SpanKind, attributes: Attributes, traceparent?: string) => Span;
  /** Records something that took this many ms and has ended; ignored without a current span. */
  told: (name: string, attributes: Attributes, ms: number) => void;
  close: () => Promise<void>;
};

let tracer: Tracer | null = null;
let users = 0;

/** null unless OTEL_EXPORTER_OTLP_ENDPOINT is set: then the tracer is not loaded. */
export const findTracer = (): Tracer | null => tracer;

/** Runs the work in its own span where traces are sent; otherwise just the work. */
export async function inSpan<T>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  if (!tracer) return work();
  const span = tracer.begin(name, kind, attributes);
  try {
    const value = await span.enter(work);
    span.end();
    return value;
  } catch (error) {
    // Messages may contain user input.
    span.end({}, error instanceof Error ? error.name : 'Error');
    throw error;
  }
}

/** Returns the function that closes it: recorded spans are sent if the collector is reachable. */
export async function openTracing(config: Config, version: string): Promise<() => Promise<void>> {
  if (!config.OTEL_EXPORTER_OTLP_ENDPOINT) return () => Promise.resolve();
  const { createTracer } = await import('./tracing-otlp.ts');
  tracer ??= createTracer(config, version);
  users += 1;
  return async () => {
    users -= 1;
    if (users > 0) return;
    const last = tracer;
    tracer = null;
    await last?.close();
  };
}
