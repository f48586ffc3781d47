import { createContext } from 'react';

export const AppInfo = createContext({ version: __VERSION__, seeded: false });
