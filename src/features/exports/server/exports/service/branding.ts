import { crc32 } from 'node:zlib';

import { PLAN_LIMITS } from '#features/accounts/contract/subscriptions.ts';
import { readPlanStatus, resolvePlan } from '#features/accounts/server/subscriptions/service.ts';
import type { WhiteLabel } from '#features/exports/contract/exports.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { Branding } from '#kernel/files/table.ts';
import { BRAND } from '#shared/brand.ts';
import type { Plan } from '#shared/contract.ts';

import type { ExportsContext } from '../context.ts';
import { findBranding, readRole, saveBrandingRow } from '../store/runs.ts';
import type { Semaphore } from './run-export.ts';

type Image = { bytes: Uint8Array; type: 'png' | 'jpeg'; width: number; height: number };

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const SOI = 0xd8;
const SOS = 0xda;
const EOI = Buffer.from([0xff, 0xd9]);

/** Width and height are in the first chunk. Each chunk must be complete: a broken image would spoil every report. */
function readPng(bytes: Buffer): Image | null {
  if (!PNG.every((byte, i) => bytes[i] === byte)) return null;
  const kinds: string[] = [];
  for (let at = PNG.length; at + 12 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return null;
    const kind = bytes.toString('latin1', at + 4, at + 8);
    kinds.push(kind);
    if (kind === 'IEND') break;
    at = end + 4;
  }
  const isWhole = kinds[0] === 'IHDR' && kinds.includes('IDAT') && kinds.at(-1) === 'IEND';
  return isWhole ? { bytes, type: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : null;
}

/** Start of frame: all of C0 to CF but the tables C4, C8 and CC. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Walks the segments up to the frame, which has width and height; the end marker is required. */
function readJpeg(bytes: Buffer): Image | null {
  if (bytes[0] !== 0xff || bytes[1] !== SOI || bytes[2] !== 0xff || !bytes.includes(EOI)) return null;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === SOS) return null;
    if (isFrame(marker))
      return { bytes, type: 'jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** Detects the image type from its bytes, whatever its name; null for anything but PNG or JPEG. */
const readImage = (bytes: Buffer): Image | null => readPng(bytes) ?? readJpeg(bytes);

const MAX_BYTES = 150_000;
const MAX_PIXELS = 2000;

const DEFAULT_BRANDING: WhiteLabel = { name: null, logo: null, colour: null };

const decodeDataUrl = (dataUrl: string): Buffer => Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64');

/** Throws an explanation for an invalid logo: the bytes count, not the declared type. */
function checkLogo(dataUrl: string): Image {
  const bytes = decodeDataUrl(dataUrl);
  if (bytes.length > MAX_BYTES) throw new AppError('bad_request', 'The logo must be 150 kB or smaller');
  const image = readImage(bytes);
  if (!image) throw new AppError('bad_request', 'The logo must be a PNG or JPEG');
  const { width, height } = image;
  if (width < 1 || height < 1) throw new AppError('bad_request', 'The logo has no dimensions');
  if (width > MAX_PIXELS || height > MAX_PIXELS)
    throw new AppError('bad_request', 'The logo can be at most 2,000 × 2,000 pixels');
  return image;
}

export const readStoredBranding = async ({ db }: Pick<ExportsContext, 'db'>, userId: number): Promise<WhiteLabel> =>
  (await findBranding(db, userId)) ?? DEFAULT_BRANDING;

/** Replaces all of it; the logo is stored under its detected type. */
export async function saveBranding(
  { db, now }: ExportsContext,
  userId: number,
  asked: WhiteLabel,
): Promise<WhiteLabel> {
  const image = asked.logo === null ? null : checkLogo(asked.logo);
  const look: WhiteLabel = {
    name: asked.name,
    logo: image && `data:image/${image.type};base64,${Buffer.from(image.bytes).toString('base64')}`,
    colour: asked.colour?.toLowerCase() ?? null,
  };
  await saveBrandingRow(db, userId, look, now());
  return look;
}

/** Report branding of a user: below Premium+ the default, whatever is stored. */
export async function resolveBranding(db: Db, userId: number, plan: Plan): Promise<Branding> {
  const own = PLAN_LIMITS[plan].advancedExport ? await readStoredBranding({ db }, userId) : DEFAULT_BRANDING;
  const image = own.logo === null ? null : readImage(decodeDataUrl(own.logo));
  return {
    name: own.name ?? BRAND.name,
    logo: image && { bytes: image.bytes, type: image.type },
    colour: own.colour ?? BRAND.accent,
  };
}

/** Branding under the current plan. */
export async function readBranding({ db, now }: Pick<ExportsContext, 'db' | 'now'>, userId: number): Promise<Branding> {
  const standing = await readPlanStatus(db, userId, now());
  return resolveBranding(db, userId, resolvePlan(await readRole(db, userId), standing));
}

/** Limits concurrency; the others wait in order. */
export function createSemaphore(count: number): Semaphore {
  let free = count;
  const waiting: (() => void)[] = [];
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else free++;
  };
  return {
    async take() {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      let left = false;
      return () => {
        if (!left) leave();
        left = true;
      };
    },
  };
}
