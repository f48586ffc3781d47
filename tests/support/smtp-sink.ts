import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export type ReceivedEmail = Email & { raw: string; rcptTo: string[]; mailFrom: string };
/** A reply code and its text, such as [451, '4.2.1 try later']; null accepts the email. */
type Verdict = [code: number, text: string] | null;

export type SmtpSink = {
  url: string;
  emails: ReceivedEmail[];
  /** Called for the recipient, before the message data arrives. */
  judge: (verdict: (address: string) => Verdict) => void;
  /** Runs with each email received, before it is acknowledged. */
  onMail: (step: (mail: ReceivedEmail) => Promise<void>) => void;
  /** The server goes down with its connections, and comes back on the same port. */
  down: () => Promise<void>;
  up: () => Promise<void>;
};

const PORT_RANGE = { from: 20_000, count: 10_000 };
const MAX_PORT_ATTEMPTS = 20;

/** An external mail server on loopback. It has no users, so every password is wrong. */
export async function startSmtpSink(): Promise<SmtpSink> {
  const emails: ReceivedEmail[] = [];
  let verdict: (address: string) => Verdict = () => null;
  let onMail: (mail: ReceivedEmail) => Promise<void> = async () => undefined;
  let server: SMTPServer;
  let port = 0;

  const createSmtpServer = () =>
    new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      closeTimeout: 10,
      logger: false,
      onRcptTo({ address }, _session, done) {
        const refusal = verdict(address);
        if (!refusal) return done();
        return done(Object.assign(new Error(refusal[1]), { responseCode: refusal[0] }));
      },
      async onData(stream, { envelope }, done) {
        const parts: Buffer[] = [];
        try {
          for await (const part of stream) parts.push(part as Buffer);
        } catch {
          // The sender disconnected midway: there is no email, and no client to reply to.
          return;
        }
        const raw = Buffer.concat(parts);
        const { mailFrom, rcptTo } = envelope;
        const mail = {
          ...(await PostalMime.parse(raw)),
          raw: raw.toString(),
          mailFrom: mailFrom ? mailFrom.address : '',
          rcptTo: rcptTo.map(({ address }) => address),
        };
        emails.push(mail);
        await onMail(mail);
        done();
      },
    });

  async function listen(at: number): Promise<void> {
    server = createSmtpServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(at, '127.0.0.1', () => resolve());
    });
    // Disconnecting clients are no error of the sink.
    server.on('error', () => undefined);
    port = at;
  }

  /** Below the ephemeral port range, so that it is still free when the server restarts. */
  async function listenOnFreePort(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await listen(PORT_RANGE.from + Math.floor(Math.random() * PORT_RANGE.count));
      } catch (error) {
        if (attempt === MAX_PORT_ATTEMPTS) throw error;
      }
    }
  }
  await listenOnFreePort();

  return {
    url: `smtp://127.0.0.1:${port}`,
    emails,
    judge: (next) => void (verdict = next),
    onMail: (next) => void (onMail = next),
    down: () => new Promise((resolve) => server.close(resolve)),
    up: () => listen(port),
  };
}
