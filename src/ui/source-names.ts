import { createContext } from 'react';

/** An id in plain writing, for one that no list names; what is a name already stays. */
export const plainName = (id: string): string =>
  /^[a-z0-9_-]+$/.test(id) ? id.charAt(0).toUpperCase() + id.slice(1).replaceAll(/[_-]/g, ' ') : id;

export const SourceNames = createContext<(id: string) => string>(plainName);
