import type { Config } from '#kernel/config.ts';
import type { Db } from '#kernel/db.ts';
import type { ReportError } from '#kernel/error-reports.ts';
import type { Log } from '#kernel/log.ts';
import { isConfirmationRequired, type Mail } from '#kernel/mail/mail.ts';
import type { Secrets } from '#kernel/secrets.ts';
import type { DataMode } from '#shared/provenance.ts';

export type AuthContext = {
  db: Db;
  config: Config;
  mode: DataMode;
  now: () => Date;
  log: Log;
  report: ReportError;
  mail: Mail;
  secrets: Secrets;
  /** Public URL without a trailing slash; prefix of links in emails. */
  publicUrl: () => string;
  /** Runs work after the response; shutdown waits for it. */
  afterwards: (what: string, work: () => Promise<unknown>) => void;
  /** Runs after the response when an account was deleted: features with external data register here. */
  farewells: ((userId: number) => Promise<unknown>)[];
};

/** Sign-in requires a confirmed address. */
export const confirmationRequired = ({ config, mode }: Pick<AuthContext, 'config' | 'mode'>): boolean =>
  isConfirmationRequired(config, mode);
