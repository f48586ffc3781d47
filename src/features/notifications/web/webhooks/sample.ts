/** Runs as is; a server test executes it. */
export const VERIFY_SAMPLE = `import { createHmac, timingSafeEqual } from 'node:crypto';

// body: the text of the request, before it is parsed
export function isGenuine(signature, body, secret) {
  const parts = signature.split(',').map((part) => part.split('='));
  const time = parts.find(([name]) => name === 't')?.[1];
  if (!(Math.abs(Date.now() / 1000 - time) < 300)) return false;
  const expected = createHmac('sha256', secret).update(time + '.' + body).digest();
  return parts.some(([name, hex]) => {
    const given = Buffer.from(name === 'v1' ? hex : '', 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
`;
