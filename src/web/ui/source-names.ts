import { createContext } from 'react';

/** A source's id in plain writing, for one that no list names. */
export const plainName = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1).replaceAll(/[_-]/g, ' ');

export const SourceNames = createContext<(id: string) => string>(plainName);
