import { Check, Minus } from 'lucide-react';
import { PLAN_LIMITS, PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import {
  ADVANCED_FORMATS,
  ADVANCED_RANGES,
  ADVANCED_TYPES,
  BASIC_FORMATS,
  BASIC_RANGES,
  BASIC_TYPES,
  type ExportFormat,
  type ExportRange,
  type ExportType,
} from '#features/exports/contract/exports.ts';
import type { Plan } from '#shared/contract.ts';
import type { PaidLimits } from '#shared/day-limits.ts';
import { grouped } from '#shared/format.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';
import { CADENCES, FORMATS, RANGES, TYPES, within } from './labels.ts';

/** Free, Pro, and the column shared by Premium+ and administrators. */
export const COLUMNS: readonly { plan: Plan; name: string; holds: readonly Plan[] }[] = [
  { plan: 'free', name: PLAN_NAMES.free, holds: ['free'] },
  { plan: 'pro', name: PLAN_NAMES.pro, holds: ['pro'] },
  { plan: 'premium', name: `${PLAN_NAMES.premium}/${PLAN_NAMES.admin}`, holds: ['premium', 'admin'] },
];

type Row = { name: string; values: readonly (string | boolean)[] };

const HAS_NONE = false;
type Lists = { basic: readonly string[]; advanced: readonly string[]; names: (one: string, at: number) => string };

/** Options of a list available to a plan: none, the basic ones, or also those of the advanced page. */
function chosen(plan: Plan, { basic, advanced, names }: Lists): string | boolean {
  const { dataExport, advancedExport } = PLAN_LIMITS[plan];
  if (!dataExport) return HAS_NONE;
  if (!advancedExport) return basic.map(names).join(', ');
  const added = advanced.filter((each) => !basic.includes(each));
  return `All of ${PLAN_NAMES.pro}, and ${added.map((each) => names(each, 1)).join(', ')}`;
}

/** Shown as included, without a number, until known. */
function perDay(plan: Plan, limits: PaidLimits | undefined): string | boolean {
  const { dataExport } = PLAN_LIMITS[plan];
  if (plan === 'free' || plan === 'admin') return dataExport && 'Unlimited';
  const limit = limits?.[plan].exportsPerDay;
  if (limit === undefined) return dataExport;
  return limit === null ? 'Unlimited' : `${grouped(limit)} a day`;
}

const createRow = (name: string, value: (plan: Plan) => string | boolean): Row => ({
  name,
  values: COLUMNS.map(({ plan }) => value(plan)),
});
const flag = (name: string, key: 'dataExport' | 'advancedExport'): Row =>
  createRow(name, (plan) => PLAN_LIMITS[plan][key]);

const typeName = (type: string, at: number): string => {
  const [name] = TYPES[type as ExportType];
  return at === 0 ? name : within(name);
};
const types: Lists = { basic: BASIC_TYPES, advanced: ADVANCED_TYPES, names: typeName };
const formats: Lists = {
  basic: BASIC_FORMATS,
  advanced: ADVANCED_FORMATS,
  names: (format) => FORMATS[format as ExportFormat],
};
const ranges: Lists = {
  basic: BASIC_RANGES,
  advanced: ADVANCED_RANGES,
  names: (range, at) => (at === 0 ? RANGES[range as ExportRange] : within(RANGES[range as ExportRange])),
};
const cadences = Object.values(CADENCES).map((each) => each.toLowerCase());

/** Capabilities of each plan; every number and list comes from the enforced limits. */
export const createRows = (limits: PaidLimits | undefined): readonly Row[] => [
  createRow('History page', (plan) => {
    const days = PLAN_LIMITS[plan].historyDays;
    return days === null ? 'Full history' : `The last ${days} days`;
  }),
  createRow('Exports', (plan) => perDay(plan, limits)),
  createRow('Data', (plan) => chosen(plan, types)),
  createRow('Formats', (plan) => chosen(plan, formats)),
  createRow('Date ranges', (plan) => chosen(plan, ranges)),
  flag('Manifest with SHA-256', 'dataExport'),
  flag('Multiple data types in one file', 'advancedExport'),
  flag('Embedded metadata and compression', 'advancedExport'),
  flag(`Scheduled: ${cadences.join(', ')}`, 'advancedExport'),
  flag('Your name, logo and color on reports', 'advancedExport'),
];

type Props = {
  plan: Plan | null;
  /** Undefined until known. */
  limits: PaidLimits | undefined;
};

/** Export capabilities per plan, with the user's own plan highlighted. */
export function CapabilityTable({ plan, limits }: Props) {
  const isOwn = (holds: readonly Plan[]) => plan !== null && holds.includes(plan);
  return (
    <Card id="capabilities" title="What Each Plan Exports">
      <div
        role="region"
        aria-label="Plan comparison"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
        tabIndex={0}
        className="relative overflow-x-auto pb-2"
      >
        <table className="num w-full min-w-[40rem] text-sm">
          <thead>
            <tr className="text-left">
              <th scope="col" className="label px-4 py-2 font-medium">
                Plan
              </th>
              {COLUMNS.map(({ name, holds }) => (
                <th key={name} scope="col" className={cx('px-4 py-2 font-semibold', isOwn(holds) && 'bg-raised/50')}>
                  {name} {isOwn(holds) && <Badge>Yours</Badge>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {createRows(limits).map(({ name, values }) => (
              <tr key={name} className="border-t border-line align-top">
                <th scope="row" className="px-4 py-2 text-left font-medium">
                  {name}
                </th>
                {COLUMNS.map((column, i) => (
                  <td key={column.name} className={cx('px-4 py-2 text-ink-2', isOwn(column.holds) && 'bg-raised/50')}>
                    <Value value={values[i] ?? false} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function Value({ value }: { value: string | boolean }) {
  if (typeof value === 'string') return value;
  const Icon = value ? Check : Minus;
  return (
    <>
      <Icon className={cx('size-4', value ? 'text-accent' : 'text-ink-3')} aria-hidden="true" />
      <span className="sr-only">{value ? 'Included' : 'Not included'}</span>
    </>
  );
}
