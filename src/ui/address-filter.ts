import { useCallback, useMemo } from 'react';

import { useSearchParams, writeTexts } from './search-params.ts';

export type ChangeFilter<F> = (change: Partial<F>) => void;

/** A filter stored in the address, so that a link or a reload shows the same. */
export function useAddressFilter<F>(
  parse: (params: URLSearchParams) => F,
  write: (params: URLSearchParams, filter: F) => URLSearchParams,
): readonly [F, ChangeFilter<F>] {
  const [params, change] = useSearchParams();
  const filter = useMemo(() => parse(params), [params, parse]);
  const changeFilter = useCallback<ChangeFilter<F>>(
    (next) => change((now) => write(now, { ...parse(now), ...next })),
    [change, parse, write],
  );
  return [filter, changeFilter];
}

const MAX_TEXT_LENGTH = 250;

/** One query parameter, empty when absent. */
export function useAddressText(name: string) {
  const [params, change] = useSearchParams();
  const set = (text: string | null) => change((now) => writeTexts(now, { [name]: text }));
  return [(params.get(name) ?? '').slice(0, MAX_TEXT_LENGTH), set] as const;
}

/** Something shown only when the address requests it. */
export function useAddressFlag(name: string) {
  const [text, set] = useAddressText(name);
  return [text === '1', (isOn: boolean) => set(isOn ? '1' : null)] as const;
}

const toSlug = (option: string) => option.toLowerCase().replaceAll(' ', '-');

/** One of several options; the default leaves no parameter, and an unknown word counts as the default. */
export function useAddressChoice<T extends string>(name: string, options: readonly T[], initial = options[0] as T) {
  const [text, set] = useAddressText(name);
  const choose = (option: T) => set(option === initial ? null : toSlug(option));
  return [options.find((option) => toSlug(option) === text) ?? initial, choose] as const;
}
