import type { NewsContent } from '#features/notifications/server/email/service.ts';
import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/message.ts';
import { dateTime } from '#shared/format.ts';

import { sizeWords, typeWords } from '../service/schedules-words.ts';
import type { EndedRun } from '../store/runs.ts';

type Input = { run: EndedRun; to: string; publicUrl: string };

const moment = (iso: string): string => dateTime(Date.parse(iso));
const cancelLink = ({ run, publicUrl }: Input) => ({
  text: 'No longer wanted? Cancel this schedule:',
  url: `${publicUrl}/app/advanced-export?schedule=${run.scheduleId}`,
});
const because = ({ name }: EndedRun) => `you have scheduled the export "${name}" and wished to be told by mail.`;

/** A file that a schedule has made: what it holds, how big it is, until when it is kept. */
export function madeMail(input: Input): NewsContent {
  const { run, to, publicUrl } = input;
  const rows = (run.rows ?? 0).toLocaleString('en-US');
  const until = run.expiresAt ? [{ label: 'Kept until', value: moment(run.expiresAt) }] : [];
  return {
    kind: 'scheduled-export',
    userId: run.userId,
    to,
    subject: `Your export is ready: ${run.name}`,
    title: 'Your scheduled export is ready',
    lines: [`${run.name}: the file of ${moment(run.scheduledFor)} can be downloaded.`],
    facts: [
      { label: 'File', value: run.fileName ?? run.name },
      { label: 'Holds', value: `${typeWords(run.dataTypes)}, ${rows} ${run.rows === 1 ? 'row' : 'rows'}` },
      { label: 'Format and size', value: `${run.format.toUpperCase()}, ${sizeWords(run.fileSize ?? 0)}` },
      ...until,
    ],
    action: { label: 'Open the export', url: `${publicUrl}/app/advanced-export?export=${run.exportId}` },
    otherwise: cancelLink(input),
    because: because(run),
  };
}

/** A file that could not be made at any try. */
export function failedMail(input: Input): NewsContent {
  const { run, to, publicUrl } = input;
  return {
    kind: 'scheduled-export-failed',
    userId: run.userId,
    to,
    subject: `Your export failed: ${run.name}`,
    title: 'Your scheduled export could not be made',
    lines: [
      `${run.name}: the file of ${moment(run.scheduledFor)} could not be made, after ${run.tries} tries.`,
      'The schedule goes on: the next file is made at its next moment.',
    ],
    facts: [{ label: 'What went wrong', value: run.error ?? 'The reason is not known' }],
    action: { label: 'See the schedules', url: `${publicUrl}/app/advanced-export` },
    otherwise: cancelLink(input),
    because: because(run),
  };
}

type Paused = { to: string; names: readonly string[]; publicUrl: string };

/** The plan no longer includes them: told once, whatever else is mailed. */
export const pausedMail = ({ to, names, publicUrl }: Paused): Promise<MailMessage> =>
  renderMail({
    kind: 'scheduled-exports-paused',
    to,
    subject: names.length === 1 ? 'Your scheduled export is paused' : 'Your scheduled exports are paused',
    title: names.length === 1 ? 'Your scheduled export is paused' : 'Your scheduled exports are paused',
    lines: [
      'Scheduled exports are part of Premium+, and your plan no longer includes them.',
      'Nothing is lost: they go on by themselves at their next moment when you are on Premium+ again.',
    ],
    facts: names.map((value, i) => ({ label: names.length === 1 ? 'Schedule' : `Schedule ${i + 1}`, value })),
    action: { label: 'See the plans', url: `${publicUrl}/app/subscription` },
    because: 'your plan has changed.',
  });
