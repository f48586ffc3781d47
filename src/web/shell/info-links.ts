/** The pages that every footer leads to. */
export const INFO_LINKS = [
  ['Contact', '/app/contact'],
  ['Privacy Policy', '/app/privacy'],
  ['Terms & Conditions', '/app/terms'],
  ['About', '/app/about'],
] as const;
