import type { ReactNode } from 'react';

export type LegalSection = {
  /** Anchor of the section; it must not change, as external links use it. */
  id: string;
  title: string;
  body: ReactNode;
};

export type LegalText = {
  title: string;
  lead: string;
  /** The main points in a few self-contained sentences. */
  short: readonly string[];
  sections: readonly LegalSection[];
};
