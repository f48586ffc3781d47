import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';

import { Field, type FieldProps } from './field.tsx';

type Props = Omit<FieldProps, 'type' | 'inside' | 'className'>;

/** A password that can be shown while it is typed. */
export function PasswordField(props: Props) {
  const [shown, show] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <Field
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      className="pr-12"
      inside={
        <button
          type="button"
          aria-label={`${shown ? 'Hide' : 'Show'} ${props.label.toLowerCase()}`}
          onClick={() => show(!shown)}
          className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-ctl text-ink-3 hover:text-ink"
        >
          <Icon className="size-4" aria-hidden="true" />
        </button>
      }
    />
  );
}
