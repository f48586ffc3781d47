import { SelectField } from './inputs.tsx';

/** The time zone of this browser. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
export const zoneWords = (zone: string): string => zone.replaceAll('_', ' ');

const zones = (own: string): string[] => [...new Set([own, ownZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])];

type Props = { value: string; note?: string; onZone: (zone: string) => void };

export function ZoneField({ value, note, onZone }: Props) {
  return (
    <SelectField label="Time zone" value={value} note={note} onText={onZone}>
      {zones(value).map((zone) => (
        <option key={zone} value={zone}>
          {zoneWords(zone)}
        </option>
      ))}
    </SelectField>
  );
}
