import { z } from 'zod';

export const FORMAT = 1;
export const MANIFEST = 'manifest.json';
export const SUMS = 'SHA256SUMS';
export const KEY_FILE = 'secret.key';
const PART = /^\d{4}-[\w.-]+\.copy\.gz$/;

const tableSchema = z.object({
  schema: z.string(),
  name: z.string(),
  parent: z.string().nullable(),
  bounds: z.tuple([z.string().regex(/^[\d :+.-]+$/), z.string().regex(/^[\d :+.-]+$/)]).nullable(),
  columns: z.array(z.object({ name: z.string(), type: z.string().regex(/^[\w ."(),[\]]+$/) })),
  generated: z.array(z.string()),
  rows: z.int().min(0),
  hash: z.string().regex(/^-?\d+$/),
  file: z.string().regex(PART),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** What a backup says about itself; the order of `tables` is that of the parts. */
export const manifestSchema = z.object({
  format: z.literal(FORMAT),
  kind: z.literal('meridian-backup'),
  version: z.string(),
  takenAt: z.iso.datetime(),
  server: z.string(),
  installation: z.object({
    dataMode: z.enum(['live', 'demo']),
    seed: z.int().nullable(),
    key: z.string().nullable(),
    createdAt: z.string(),
  }),
  migrations: z.array(z.string()),
  jobsVersion: z.int(),
  withKey: z.boolean(),
  tables: z.array(tableSchema),
  sequences: z.array(
    z.object({ schema: z.string(), name: z.string(), value: z.string().regex(/^-?\d+$/), called: z.boolean() }),
  ),
});

export type Manifest = z.output<typeof manifestSchema>;
export type Part = Manifest['tables'][number];

/** The name of a part: its number keeps names apart that a file system would not. */
export const partFile = (index: number, { schema, name }: { schema: string; name: string }): string =>
  `${String(index + 1).padStart(4, '0')}-${`${schema}.${name}`.replaceAll(/[^\w.-]/g, '_')}.copy.gz`;

export const sumLine = (sha256: string, file: string): string => `${sha256}  ${file}\n`;
