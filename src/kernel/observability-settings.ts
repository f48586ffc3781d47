import { z } from 'zod';

import { key, whole } from './setting-kinds.ts';

/** How the product is watched by those who run it. */
export const OBSERVABILITY_SETTINGS = {
  METRICS_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe(
      'Token for GET /metrics, sent as "Authorization: Bearer …"; at least 16 characters. Default: only this machine can read it, not through a proxy.',
    ),
  METRICS_PORT: whole(
    0,
    65_535,
    0,
    'Separate port for GET /metrics, /api/health/live and /api/health/ready, also on workers. 0: none.',
  ),
  METRICS_HOST: z.string().default('127.0.0.1').describe('Address that METRICS_PORT listens on.'),
  DRAIN_SECONDS: whole(
    0,
    120,
    0,
    'Seconds to keep serving after SIGTERM while GET /api/health/ready returns 503, so that a proxy can remove the process; 0 stops immediately.',
  ),
  REQUEST_LOG: z
    .enum(['off', 'errors', 'all'])
    .default('off')
    .describe(
      'Requests logged as JSON lines, regardless of LOG_LEVEL: none, 5xx responses, or all. Lines contain no account, address, token or query.',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .regex(/^https?:\/\//, 'must be an http(s) URL')
    .transform((value) => value.replace(/\/+$/, ''))
    .optional()
    .describe('OpenTelemetry collector (OTLP over HTTP), such as http://127.0.0.1:4318. Default: no traces.'),
  OTEL_EXPORTER_OTLP_HEADERS: key('Headers for the collector: "name=value" separated by ",", such as an API key.'),
  OTEL_SERVICE_NAME: z.string().min(1).default('meridian').describe('Name of this service in traces.'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('Share of requests and jobs traced, from 0 to 1. An incoming traceparent takes precedence.'),
};
