import { LONGEST } from '#features/site/contract/status.ts';
import { INPUT, Labelled } from '#ui/inputs.tsx';

type Props = { value: string; onText: (text: string) => void };

export function MessageField({ value, onText }: Props) {
  return (
    <Labelled label="Message" note="Public as written; it cannot be changed later.">
      {(control) => (
        <textarea
          {...control}
          value={value}
          rows={4}
          maxLength={LONGEST.message}
          onChange={(event) => onText(event.target.value)}
          className={`${INPUT} py-2`}
          style={{ height: 'auto' }}
        />
      )}
    </Labelled>
  );
}
