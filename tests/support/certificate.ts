import { generateKeyPairSync, sign } from 'node:crypto';

export type Certificate = { key: string; cert: string };

const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const COMMON_NAME = '550403';
const BASIC_CONSTRAINTS = '551d13';
const ALTERNATIVE_NAMES = '551d11';

/** One DER element: its tag, its length, its content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const time = (text: string) => der(0x17, Buffer.from(text));
const extension = (id: string, value: Buffer) => sequence(oid(id), der(0x04, value));

/** A self-signed certificate for these host names, with its key; both as PEM. */
export function makeCertificate(hosts: readonly string[]): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = sequence(oid(ECDSA_WITH_SHA256));
  const name = sequence(der(0x31, sequence(oid(COMMON_NAME), der(0x0c, Buffer.from(hosts[0] ?? '')))));
  const names = sequence(...hosts.map((host) => der(0x82, Buffer.from(host))));
  const facts = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(time('250101000000Z'), time('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        extension(BASIC_CONSTRAINTS, sequence(der(0x01, Buffer.from([0xff])))),
        extension(ALTERNATIVE_NAMES, names),
      ),
    ),
  );
  const signature = sign('sha256', facts, privateKey);
  const whole = sequence(facts, algorithm, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}
