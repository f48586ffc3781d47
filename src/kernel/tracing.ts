import type { Config } from './config.ts';

export type SpanKind = 'server' | 'client' | 'internal';
export type Attributes = Record<string, string | number | boolean>;

export type Span = {
  /** Runs the work so that what it begins belongs to this span. */
  enter: <T>(work: () => T) => T;
  /** `failure` is one sentence; null when all went well. */
  end: (attributes?: Attributes, failure?: string | null) => void;
};

export type Tracer = {
  /** `traceparent` names the caller's span as W3C Trace Context has it; without one it belongs to the span that is under way. */
  begin: (name: string, kind: SpanKind, attributes: Attributes, traceparent?: string) => Span;
  /** Something that has ended and took so many ms; left out when no span is under way. */
  told: (name: string, attributes: Attributes, ms: number) => void;
  close: () => Promise<void>;
};

let tracer: Tracer | null = null;
let users = 0;

/** null unless OTEL_EXPORTER_OTLP_ENDPOINT is set: then nothing of it is loaded. */
export const findTracer = (): Tracer | null => tracer;

/** The work as a span of its own where traces are sent; else just the work. */
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
    // Messages may hold what people have written.
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
