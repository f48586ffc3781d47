import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export type Received = Email & { raw: string; rcptTo: string[]; mailFrom: string };
/** A reply code and its text, such as [451, '4.2.1 try later']; null accepts the email. */
type Verdict = [code: number, text: string] | null;

export type SmtpSink = {
  url: string;
  mails: Received[];
  /** Called for the recipient, before the message data arrives. */
  judge: (verdict: (address: string) => Verdict) => void;
  /** Runs with each email received, before it is acknowledged. */
  onMail: (step: (mail: Received) => Promise<void>) => void;
  /** The server goes down with its connections, and comes back on the same port. */
  down: () => Promise<void>;
  up: () => Promise<void>;
};

const PORTS = { from: 20_000, count: 10_000 };
const TRIES = 20;

/** An external mail server on loopback. It has no users, so every password is wrong. */
export async function startSmtpSink(): Promise<SmtpSink> {
  const mails: Received[] = [];
  let verdict: (address: string) => Verdict = () => null;
  let step: (mail: Received) => Promise<void> = async () => undefined;
  let server: SMTPServer;
  let port = 0;

  const make = () =>
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
        mails.push(mail);
        await step(mail);
        done();
      },
    });

  async function listen(at: number): Promise<void> {
    server = make();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(at, '127.0.0.1', () => resolve());
    });
    // Disconnecting clients are no error of the sink.
    server.on('error', () => undefined);
    port = at;
  }

  /** Below the ephemeral port range, so that it is still free when the server restarts. */
  async function listenSomewhere(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await listen(PORTS.from + Math.floor(Math.random() * PORTS.count));
      } catch (error) {
        if (attempt === TRIES) throw error;
      }
    }
  }
  await listenSomewhere();

  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    judge: (next) => void (verdict = next),
    onMail: (next) => void (step = next),
    down: () => new Promise((resolve) => server.close(resolve)),
    up: () => listen(port),
  };
}
