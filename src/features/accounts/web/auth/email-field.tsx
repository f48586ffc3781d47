import type { ComponentProps } from 'react';

import { Field } from '#ui/field.tsx';

type Props = { value: string; onType: (email: string) => void } & Pick<
  ComponentProps<typeof Field>,
  'autoComplete' | 'onFocus'
>;

/** The account's email address, recognised by password managers. */
export function EmailField({ onType, autoComplete = 'username', ...rest }: Props) {
  return (
    <Field
      label="Email"
      type="email"
      name="email"
      required
      autoCapitalize="none"
      spellCheck={false}
      autoComplete={autoComplete}
      onChange={(event) => onType(event.target.value)}
      {...rest}
    />
  );
}
