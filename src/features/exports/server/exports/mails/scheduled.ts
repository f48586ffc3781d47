import type { NewsContent } from '#features/notifications/server/email/service.ts';
import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/smtp.ts';
import { dateTime, grouped } from '#shared/format.ts';

import { sizeWords, typeWords } from '../service/schedule-times.ts';
import type { EndedRun } from '../store/runs.ts';

type Input = { run: EndedRun; to: string; publicUrl: string };

const moment = (iso: string): string => dateTime(Date.parse(iso));
const cancelLink = ({ run, publicUrl }: Input) => ({
  text: 'No longer needed? Cancel this schedule:',
  url: `${publicUrl}/app/advanced-export?schedule=${run.scheduleId}`,
});
const because = ({ name }: EndedRun) => `you scheduled the export "${name}" with email notification.`;

/** A scheduled file is ready: content, size and expiry. */
export function readyMail(input: Input): NewsContent {
  const { run, to, publicUrl } = input;
  const rows = grouped(run.rows ?? 0);
  const until = run.expiresAt ? [{ label: 'Available until', value: moment(run.expiresAt) }] : [];
  return {
    kind: 'scheduled-export',
    userId: run.userId,
    to,
    subject: `Your export is ready: ${run.name}`,
    title: 'Your scheduled export is ready',
    lines: [`${run.name}: the file for ${moment(run.scheduledFor)} is ready to download.`],
    facts: [
      { label: 'File', value: run.fileName ?? run.name },
      { label: 'Contents', value: `${typeWords(run.dataTypes)}, ${rows} ${run.rows === 1 ? 'row' : 'rows'}` },
      { label: 'Format and size', value: `${run.format.toUpperCase()}, ${sizeWords(run.fileSize ?? 0)}` },
      ...until,
    ],
    action: { label: 'Open the export', url: `${publicUrl}/app/advanced-export?export=${run.exportId}` },
    otherwise: cancelLink(input),
    because: because(run),
  };
}

/** A scheduled file could not be created in any attempt. */
export function failedMail(input: Input): NewsContent {
  const { run, to, publicUrl } = input;
  return {
    kind: 'scheduled-export-failed',
    userId: run.userId,
    to,
    subject: `Your export failed: ${run.name}`,
    title: 'Your scheduled export failed',
    lines: [
      `${run.name}: the file for ${moment(run.scheduledFor)} could not be created after ${run.tries} attempts.`,
      'The schedule stays active and will run again at its next scheduled time.',
    ],
    facts: [{ label: 'Error', value: run.error ?? 'Unknown' }],
    action: { label: 'View schedules', url: `${publicUrl}/app/advanced-export` },
    otherwise: cancelLink(input),
    because: because(run),
  };
}

type Paused = { to: string; names: readonly string[]; publicUrl: string };

/** The plan no longer includes schedules: sent once, regardless of other emails. */
export const pausedMail = ({ to, names, publicUrl }: Paused): Promise<MailMessage> =>
  renderMail({
    kind: 'scheduled-exports-paused',
    to,
    subject: names.length === 1 ? 'Your scheduled export is paused' : 'Your scheduled exports are paused',
    title: names.length === 1 ? 'Your scheduled export is paused' : 'Your scheduled exports are paused',
    lines: [
      'Scheduled exports are part of Premium+, and your plan no longer includes them.',
      'Nothing is lost. They resume automatically when you return to Premium+.',
    ],
    facts: names.map((value, i) => ({ label: names.length === 1 ? 'Schedule' : `Schedule ${i + 1}`, value })),
    action: { label: 'Compare plans', url: `${publicUrl}/app/subscription` },
    because: 'your plan has changed.',
  });
