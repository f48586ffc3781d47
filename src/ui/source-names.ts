import { createContext } from 'react';

/** A display name for an id without one; a display name stays unchanged. */
export const plainName = (id: string): string =>
  /^[a-z0-9_-]+$/.test(id) ? id.charAt(0).toUpperCase() + id.slice(1).replaceAll(/[_-]/g, ' ') : id;

export const SourceNames = createContext<(id: string) => string>(plainName);
