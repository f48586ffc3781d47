import type { WhiteLabel } from '#features/exports/contract.ts';
import { PLAN_LIMITS } from '#features/subscriptions/contract.ts';
import { planOf, standingOf } from '#features/subscriptions/server/service.ts';
import type { Db } from '#server/platform/db.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Look } from '#server/platform/files/table.ts';
import { BRAND } from '#shared/brand.ts';
import type { Plan } from '#shared/contract.ts';

import type { ExportsContext } from '../context.ts';
import { findLook, roleOf, storeLook } from '../store/looks.ts';
import { type Image, readImage } from './image.ts';

const MOST_BYTES = 150_000;
const MOST_PIXELS = 2000;

const OURS: WhiteLabel = { name: null, logo: null, colour: null };

const bytesOf = (dataUrl: string): Buffer => Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64');

/** Throws the sentence for what is no logo: its bytes count, not what the address says. */
function checkLogo(dataUrl: string): Image {
  const bytes = bytesOf(dataUrl);
  if (bytes.length > MOST_BYTES) throw new AppError('bad_request', 'The logo may have at most 150 kB');
  const image = readImage(bytes);
  if (!image) throw new AppError('bad_request', 'The logo must be a PNG or JPEG');
  const { width, height } = image;
  if (width < 1 || height < 1) throw new AppError('bad_request', 'The logo has no size');
  if (width > MOST_PIXELS || height > MOST_PIXELS)
    throw new AppError('bad_request', 'The logo may be at most 2,000 pixels wide and high');
  return image;
}

export const storedLook = async ({ db }: Pick<ExportsContext, 'db'>, userId: number): Promise<WhiteLabel> =>
  (await findLook(db, userId)) ?? OURS;

/** Replaces all of it; the logo is stored under the type that it is. */
export async function saveLook({ db, now }: ExportsContext, userId: number, asked: WhiteLabel): Promise<WhiteLabel> {
  const image = asked.logo === null ? null : checkLogo(asked.logo);
  const look: WhiteLabel = {
    name: asked.name,
    logo: image && `data:image/${image.type};base64,${Buffer.from(image.bytes).toString('base64')}`,
    colour: asked.colour?.toLowerCase() ?? null,
  };
  await storeLook(db, userId, look, now());
  return look;
}

/** How the reports of a person look: below Premium+ as ours, whatever is stored. */
export async function readLook(db: Db, userId: number, plan: Plan): Promise<Look> {
  const own = PLAN_LIMITS[plan].advancedExport ? await storedLook({ db }, userId) : OURS;
  const image = own.logo === null ? null : readImage(bytesOf(own.logo));
  return {
    name: own.name ?? BRAND.name,
    logo: image && { bytes: image.bytes, type: image.type },
    colour: own.colour ?? BRAND.accent,
  };
}

/** As they look now, by the plan of now. */
export async function lookOf({ db, now }: Pick<ExportsContext, 'db' | 'now'>, userId: number): Promise<Look> {
  const standing = await standingOf(db, userId, now());
  return readLook(db, userId, planOf(await roleOf(db, userId), standing));
}
