import { useState } from 'react';
import {
  ADVANCED_FORMATS,
  ADVANCED_RANGES,
  ADVANCED_TYPES,
  type ExportType,
} from '#features/exports/contract/exports.ts';
import { Card } from '#ui/card.tsx';
import { PRIMARY } from '#ui/form.tsx';
import { TextField } from '#ui/inputs.tsx';
import { useNow } from '#ui/now.ts';
import { Box, Choices, Tile } from './choices.tsx';
import { type Draft, dateProblems, packs, requestBody } from './draft.ts';
import { FORMATS, RANGES, TYPES } from './labels.ts';
import { MakingNote } from './making-note.tsx';
import { useCreate } from './use-create.ts';

const HOUR_MS = 3_600_000;
const failed = () => 'Failed to create export. Please try again.';

type Props = { draft: Draft; onChange: (change: Partial<Draft>) => void };

/** Several datasets in one file. */
export function AdvancedForm({ draft, onChange }: Props) {
  const [pressed, setPressed] = useState(false);
  const { busy, inWork, problem, create } = useCreate({ failed });
  const today = new Date(useNow(HOUR_MS)).toISOString().slice(0, 10);
  const problems = dateProblems(draft, today);
  const isBad = Object.keys(problems).length > 0;
  const shown = pressed ? problems : {};
  return (
    <Card id="create" title="New Export">
      <form
        noValidate
        className="grid gap-4 px-4 pb-4"
        onSubmit={(event) => {
          event.preventDefault();
          setPressed(true);
          if (!isBad) void create(requestBody(draft));
        }}
      >
        <DataTypes draft={draft} onChange={onChange} />
        <Choices
          legend="Date range"
          options={ADVANCED_RANGES}
          names={RANGES}
          value={draft.dateRange}
          onChange={(dateRange) => onChange({ dateRange })}
        />
        {draft.dateRange === 'custom' && (
          <div className="grid grid-cols-2 gap-3">
            <TextField
              label="Start date"
              type="date"
              max={today}
              value={draft.startDate}
              problem={shown.startDate}
              onText={(startDate) => onChange({ startDate })}
            />
            <TextField
              label="End date"
              type="date"
              max={today}
              value={draft.endDate}
              problem={shown.endDate}
              onText={(endDate) => onChange({ endDate })}
            />
          </div>
        )}
        <Choices
          legend="Format"
          options={ADVANCED_FORMATS}
          names={FORMATS}
          value={draft.format}
          onChange={(format) => onChange({ format })}
        />
        <div>
          <Box
            name="Include metadata"
            note="Adds the query, sources with age, and schema to the file"
            checked={draft.includeMetadata}
            onChange={(includeMetadata) => onChange({ includeMetadata })}
          />
          {packs(draft) && (
            <Box
              name="Compression"
              note="Delivers the file as a ZIP"
              checked={draft.compression}
              onChange={(compression) => onChange({ compression })}
            />
          )}
        </div>
        <button type="submit" disabled={busy || draft.dataTypes.length === 0} className={`${PRIMARY} w-full`}>
          {busy ? 'Creating Export...' : 'Create Export'}
        </button>
        <MakingNote inWork={inWork} problem={problem} />
      </form>
    </Card>
  );
}

function DataTypes({ draft: { dataTypes }, onChange }: Props) {
  const hasAll = dataTypes.includes('all_data');
  const toggle = (type: ExportType, on: boolean) =>
    onChange({ dataTypes: ADVANCED_TYPES.filter((each) => (each === type ? on : dataTypes.includes(each))) });
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">Data types</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {ADVANCED_TYPES.map((type) => {
          const isPart = hasAll && type !== 'all_data';
          return (
            <Tile
              key={type}
              type="checkbox"
              group="data-types"
              name={TYPES[type][0]}
              note={isPart ? 'Included in All data' : TYPES[type][1]}
              checked={isPart || dataTypes.includes(type)}
              disabled={isPart}
              onChange={(on) => toggle(type, on)}
            />
          );
        })}
      </div>
      {dataTypes.length === 0 && (
        <p role="alert" className="mt-1.5 text-sm font-medium text-warn">
          Choose at least one data type
        </p>
      )}
    </fieldset>
  );
}
