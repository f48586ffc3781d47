import { AsyncLocalStorage } from 'node:async_hooks';

import {
  type Context,
  isSpanContextValid,
  SpanKind as OtelKind,
  ROOT_CONTEXT,
  type SpanContext,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

import type { Config } from './config.ts';
import type { Span, SpanKind, Tracer } from './tracing.ts';

/** Spans waiting for the collector; further ones are dropped. */
const MAX_QUEUED_SPANS = 2_048;
const EXPORT_INTERVAL_MS = 2_000;
const EXPORT_TIMEOUT_MS = 5_000;
/** At the end of the process. */
const FINAL_EXPORT_MS = 2_000;

const KINDS: Record<SpanKind, OtelKind> = {
  server: OtelKind.SERVER,
  client: OtelKind.CLIENT,
  internal: OtelKind.INTERNAL,
};

const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;

/** The caller's span; undefined for an invalid header. */
function parseTraceparent(traceparent: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (!traceId || !spanId || !flags || traceparent?.startsWith('ff')) return undefined;
  const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(remote) ? remote : undefined;
}

const parseHeaders = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split(',').flatMap((pair) => {
      const [name = '', ...value] = pair.split('=');
      return name.trim() === '' ? [] : [[name.trim(), value.join('=').trim()]];
    }),
  );

export function createTracer(config: Config, version: string): Tracer {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT ?? '';
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: parseHeaders(config.OTEL_EXPORTER_OTLP_HEADERS ?? ''),
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': config.OTEL_SERVICE_NAME,
      'service.version': version,
      'meridian.role': config.ROLE,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.OTEL_TRACES_SAMPLER_ARG) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: MAX_QUEUED_SPANS,
        scheduledDelayMillis: EXPORT_INTERVAL_MS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
    spanLimits: { attributeValueLengthLimit: 300 },
  });
  const tracer = provider.getTracer('meridian', version);
  const underWay = new AsyncLocalStorage<Context>();

  return {
    begin(name, kind, attributes, traceparent): Span {
      const remote = parseTraceparent(traceparent);
      const parent = remote
        ? trace.setSpanContext(ROOT_CONTEXT, remote)
        : ((kind === 'server' ? undefined : underWay.getStore()) ?? ROOT_CONTEXT);
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, parent);
      const within = trace.setSpan(parent, span);
      return {
        enter: (work) => underWay.run(within, work),
        end(more = {}, failure = null) {
          span.setAttributes(more);
          if (failure !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
          span.end();
        },
      };
    },
    told(name, attributes, ms) {
      const parent = underWay.getStore();
      if (!parent) return;
      const end = performance.timeOrigin + performance.now();
      tracer.startSpan(name, { kind: OtelKind.CLIENT, attributes, startTime: end - ms }, parent).end(end);
    },
    async close() {
      const late = new Promise((resolve) => setTimeout(resolve, FINAL_EXPORT_MS).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}
