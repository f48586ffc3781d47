const CLOSE = 1e-9;

/** Only the timestamp is taken from the published record. */
const GIVEN = new Set(['timestamp']);

/**
 * Compares every published number and word with the value of the same name in `own`; reports names that only one of
 * them has.
 */
export function differences(own, published) {
  const wrong = [];
  let compared = 0;
  function walk(mine, theirs, path) {
    if (mine !== null && typeof mine === 'object') {
      if (theirs === null || typeof theirs !== 'object') {
        wrong.push(`${path}: published ${JSON.stringify(theirs)}, recomputed an object`);
        return;
      }
      if (Array.isArray(mine) && mine.length !== theirs.length)
        wrong.push(`${path}: published ${theirs.length} rows, recomputed ${mine.length}`);
      for (const key of Object.keys(theirs)) {
        const there = path ? `${path}.${key}` : key;
        if (!Object.hasOwn(mine, key) && !GIVEN.has(there)) wrong.push(`${there}: published, but not recomputed`);
      }
      for (const key of Object.keys(mine)) walk(mine[key], theirs[key], path ? `${path}.${key}` : key);
      return;
    }
    compared += 1;
    const same =
      typeof mine === 'number' && typeof theirs === 'number'
        ? Math.abs(mine - theirs) <= CLOSE * Math.max(1, Math.abs(theirs))
        : mine === theirs;
    if (!same) wrong.push(`${path}: published ${JSON.stringify(theirs)}, recomputed ${JSON.stringify(mine)}`);
  }
  walk(own, published, '');
  return { compared, wrong };
}
