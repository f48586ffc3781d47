import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/db.ts';
import type { ReportError } from '#server/platform/error-reports.ts';
import type { Log } from '#server/platform/log.ts';
import type { Mail } from '#server/platform/mail/mail.ts';
import type { DataMode } from '#shared/provenance.ts';

export type AuthContext = {
  db: Db;
  config: Config;
  mode: DataMode;
  now: () => Date;
  log: Log;
  report: ReportError;
  mail: Mail;
  /** Address that people use, without a slash at its end; links in mails start with it. */
  publicUrl: () => string;
  /** Lets work go on after the answer; the shutdown waits for it. */
  afterwards: (what: string, work: () => Promise<unknown>) => void;
};

/** Sign-up must be confirmed by mail: always when mail really goes out, and in demo mode, where it is shown instead. */
export function confirmationRequired({ config, mode }: Pick<AuthContext, 'config' | 'mode'>): boolean {
  if (config.EMAIL_CONFIRMATION !== 'auto') return config.EMAIL_CONFIRMATION === 'on';
  return mode === 'demo' || config.SMTP_URL !== undefined;
}
