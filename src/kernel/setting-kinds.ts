import { z } from 'zod';

export const url = (fallback: string, about: string) =>
  z
    .string()
    .regex(/^(https?|wss?):\/\//, 'must be an http(s) or ws(s) URL')
    .transform((value) => value.replace(/\/+$/, ''))
    .default(fallback)
    .describe(about);
export const key = (about: string) => z.string().min(1).optional().describe(about);
export const whole = (min: number, max: number, fallback: number, about: string) =>
  z.coerce.number().int().min(min).max(max).default(fallback).describe(about);
export const flag = (about: string) =>
  z
    .enum(['0', '1', 'true', 'false'])
    .default('0')
    .transform((value) => value === '1' || value === 'true')
    .describe(about);
