/** Licences under which a package may be part of the product: they ask for their text to be kept, at most. */
export const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

/** Packages whose licence is another one or is not named as it should be. Each holds for this licence only. */
export const EXCEPTIONS: Readonly<Record<string, { licence: string | null; reason: string }>> = {
  'png-js': {
    licence: null,
    reason: 'Its package.json names no licence; the file LICENSE in it is that of MIT.',
  },
  'web-push': {
    licence: 'MPL-2.0',
    reason: 'Used as it is, on the server only: MPL-2.0 binds its own files, which nobody here changes.',
  },
};
