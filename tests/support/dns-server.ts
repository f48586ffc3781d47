import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';

export type NameServer = {
  /** In the format of the setting: '127.0.0.1:21653'. */
  address: string;
  /** Names requested, one entry per record type. */
  queries: string[];
  /** Sets the addresses of a name. With several lists, each is one response in turn; the last one repeats. */
  setAddresses: (name: string, ...responses: string[][]) => void;
  /** Stops responding. */
  stopResponding: () => void;
  close: () => Promise<void>;
};

const A = 1;
const AAAA = 28;
const HEADER_BYTES = 12;
const NXDOMAIN = 3;

function parseQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let size = message[at] ?? 0; size > 0; size = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + size));
    at += 1 + size;
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail = ''] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const first = groups(head);
  const last = groups(tail);
  const all = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => '0'), ...last];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

/** An external name server on loopback, with changeable answers that are never cached. */
export async function startNameServer(): Promise<NameServer> {
  const records = new Map<string, string[][]>();
  const queries: string[] = [];
  let isSilent = false;
  const socket = createSocket('udp4');
  socket.on('message', (message, from) => {
    if (isSilent) return;
    const { name, type, end } = parseQuestion(message);
    queries.push(name);
    const responses = records.get(name);
    const addresses = responses && responses.length > 1 && type === A ? responses.shift() : responses?.[0];
    const matching = (addresses ?? []).filter((each) => (type === A ? isIPv4(each) : type === AAAA && !isIPv4(each)));
    const header = Buffer.alloc(HEADER_BYTES);
    message.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x81_80 | (responses ? 0 : NXDOMAIN), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(matching.length, 6);
    const answerRecords = matching.map((each) => {
      const bytes = addressBytes(each);
      const record = Buffer.alloc(12);
      record.writeUInt16BE(0xc0_0c, 0);
      record.writeUInt16BE(type, 2);
      record.writeUInt16BE(1, 4);
      record.writeUInt16BE(bytes.length, 10);
      return Buffer.concat([record, bytes]);
    });
    socket.send(
      Buffer.concat([header, message.subarray(HEADER_BYTES, end), ...answerRecords]),
      from.port,
      from.address,
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries,
    setAddresses: (name, ...responses) => void records.set(name, [...responses]),
    stopResponding: () => void (isSilent = true),
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
