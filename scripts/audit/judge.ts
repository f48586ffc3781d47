import { z } from 'zod';

const advisory = z.looseObject({
  title: z.string(),
  url: z.string(),
  severity: z.string(),
});

/** The output of `npm audit --json` when the advisory service responded. */
export const auditReport = z.object({
  auditReportVersion: z.literal(2),
  vulnerabilities: z.record(
    z.string(),
    z.object({
      name: z.string(),
      nodes: z.array(z.string()),
      // A name where the package only depends on another one with its own advisory.
      via: z.array(z.union([z.string(), advisory])),
    }),
  ),
});

type Finding = { package: string; advisory: string; severity: string; title: string; isShipped: boolean };
export type Verdict = { fatal: string[]; warnings: string[] };

const BLOCKING_SEVERITIES = new Set(['high', 'critical']);
const idOf = (url: string) => url.split('/').at(-1) ?? url;
const describe = (found: Finding) =>
  `${found.package}: ${found.severity}, ${found.title} (${found.advisory})${found.isShipped ? '' : ', in a tool only'}`;

/**
 * Fatal: severe advisories on packages that are part of the product, and exceptions that have expired or are unused.
 */
export function assessAudit(
  report: z.output<typeof auditReport>,
  shipped: ReadonlySet<string>,
  accepted: readonly AcceptedAdvisory[],
  now: Date,
): Verdict {
  const findings = Object.values(report.vulnerabilities).flatMap(({ name, nodes, via }) =>
    via.flatMap((each): Finding[] =>
      typeof each === 'string'
        ? []
        : [
            {
              package: name,
              advisory: idOf(each.url),
              severity: each.severity,
              title: each.title,
              isShipped: nodes.some((place) => shipped.has(place)),
            },
          ],
    ),
  );
  const isBlocking = ({ isShipped, severity }: Finding) => isShipped && BLOCKING_SEVERITIES.has(severity);
  const today = now.toISOString().slice(0, 10);
  const isAccepted = (each: Finding) =>
    accepted.some(({ advisory: id, until }) => id === each.advisory && until >= today);
  const stale = accepted.filter(({ advisory: id }) => !findings.some((each) => each.advisory === id));
  return {
    fatal: [
      ...findings.filter((each) => isBlocking(each) && !isAccepted(each)).map(describe),
      ...stale.map(({ advisory: id }) => `scripts/audit/judge.ts accepts ${id}, which nothing has any more`),
    ],
    warnings: findings.filter((each) => !isBlocking(each) || isAccepted(each)).map(describe),
  };
}

/** Known advisories, accepted for a limited time. After the day `until` the audit fails again. */
type AcceptedAdvisory = { advisory: string; reason: string; until: string };

export const ACCEPTED_ADVISORIES: readonly AcceptedAdvisory[] = [];
