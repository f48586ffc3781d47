import { readFileSync } from 'node:fs';

/** Loaded before the product: shifts its time of day by the milliseconds in this file. */
const file = process.env.CHAOS_CLOCK;
const Real = globalThis.Date;
const realNow = Real.now;
let shiftMs = 0;

function look() {
  try {
    shiftMs = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    // Not written yet.
  }
}

if (file) {
  look();
  setInterval(look, 100).unref();
  Real.now = () => realNow() + shiftMs;
  globalThis.Date = new Proxy(Real, {
    construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [target.now()] : given, made),
    apply: (target) => new target(target.now()).toString(),
  });
}
