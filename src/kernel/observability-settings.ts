import { z } from 'zod';

import { key, whole } from './setting-kinds.ts';

/** How the product is watched by those who run it. */
export const OBSERVABILITY_SETTINGS = {
  METRICS_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe(
      'Token that GET /metrics wants as "Authorization: Bearer …", from everywhere; at least 16 characters. Default: none, and only this machine may read it, not through a proxy.',
    ),
  METRICS_PORT: whole(
    0,
    65_535,
    0,
    'Further port for GET /metrics, /api/health/live and /api/health/ready alone, also of a worker. Default 0: none.',
  ),
  METRICS_HOST: z.string().default('127.0.0.1').describe('Address that METRICS_PORT listens on.'),
  DRAIN_SECONDS: whole(
    0,
    120,
    0,
    'After SIGTERM the process first says that it is not ready (GET /api/health/ready answers 503) and serves for this many seconds more, so that a proxy can take it out; 0 ends it at once.',
  ),
  REQUEST_LOG: z
    .enum(['off', 'errors', 'all'])
    .default('off')
    .describe(
      'Requests that get a line of JSON in the log, whatever LOG_LEVEL says: none, those that were answered with 5xx, or all. No line holds an account, an address, a token or a query.',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .regex(/^https?:\/\//, 'must be an http(s) URL')
    .transform((value) => value.replace(/\/+$/, ''))
    .optional()
    .describe(
      'Collector that OpenTelemetry traces are sent to by OTLP over HTTP, such as http://127.0.0.1:4318. Default: none are made.',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: key(
    'Headers for the collector, "name=value" separated by ",", such as the key of a service that keeps traces.',
  ),
  OTEL_SERVICE_NAME: z.string().min(1).default('meridian').describe('Name of this service in traces.'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe(
      'Share of requests and jobs that are traced, from 0 to 1. A caller who sends traceparent decides for its own.',
    ),
};
