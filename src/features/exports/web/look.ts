import type { WhiteLabel } from '../contract.ts';

export const HEX = /^#[0-9a-f]{6}$/i;
const LOGO = /^data:image\/(png|jpeg);base64,[A-Za-z0-9+/]+=*$/;
const LONGEST_LOGO = 200_000;

/** What is wrong with a look, as the server would say it. */
export function problemsOf({ name, colour }: WhiteLabel): { name?: string; colour?: string } {
  return {
    ...(name !== null && name.trim() === '' ? { name: 'Give a name or none' } : {}),
    ...(colour !== null && !HEX.test(colour) ? { colour: 'A colour is written as #1a2b3c' } : {}),
  };
}

/** Of a data URL. */
export function logoProblem(logo: string): string | null {
  if (!LOGO.test(logo)) return 'The logo must be a PNG or JPEG';
  return logo.length > LONGEST_LOGO ? 'The logo may have at most 150 kB' : null;
}
