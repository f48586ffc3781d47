export type Form = { [name: string]: FormValue };
export type FormValue = string | Form | FormValue[];

/** 'a[b][0][c]=d' becomes { a: { b: [{ c: 'd' }] } }, as Stripe reads bodies and queries. */
export function formOf(encoded: string | URLSearchParams): Form {
  const root: Form = {};
  for (const [name, value] of new URLSearchParams(encoded)) {
    const path = [...name.matchAll(/[^[\]]+/g)].map(([part]) => part);
    let place = root;
    for (const [i, part] of path.entries()) {
      if (i === path.length - 1) place[part] = value;
      else place = (place[part] ??= {}) as Form;
    }
  }
  return listsIn(root) as Form;
}

function listsIn(value: FormValue): FormValue {
  if (typeof value === 'string' || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, listsIn(each)] as const);
  const isList = entries.length > 0 && entries.every(([name], i) => name === String(i));
  return isList ? entries.map(([, each]) => each) : Object.fromEntries(entries);
}

/** The text at a place such as 'line_items.0.quantity'; undefined when there is none. */
export function textAt(form: Form, path: string): string | undefined {
  let place: FormValue | undefined = form;
  for (const part of path.split('.')) {
    if (place === undefined || typeof place === 'string') return undefined;
    place = (place as Form)[part];
  }
  return typeof place === 'string' ? place : undefined;
}

/** The texts below a place, such as the metadata. */
export function textsAt(form: Form, path: string): Record<string, string> {
  let place: FormValue | undefined = form;
  for (const part of path.split('.')) {
    if (place === undefined || typeof place === 'string') return {};
    place = (place as Form)[part];
  }
  if (place === undefined || typeof place === 'string') return {};
  return Object.fromEntries(
    Object.entries(place).flatMap(([name, each]) => (typeof each === 'string' ? [[name, each]] : [])),
  );
}
