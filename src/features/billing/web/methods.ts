import type { Pricing } from '../contract.ts';

export type Method = keyof Pricing['methods'];

export const METHODS: readonly { id: Method; name: string; about: string }[] = [
  { id: 'card', name: 'Card', about: 'On a page of Stripe. Renews by itself until you cancel.' },
  { id: 'base', name: 'USDC on Base', about: 'From any wallet or exchange. Nothing renews by itself.' },
  { id: 'solana', name: 'USDC on Solana', about: 'From any wallet or exchange. Nothing renews by itself.' },
];

/** The first that can be used; null when none can. */
export const firstOpen = (methods: Pricing['methods']): Method | null =>
  METHODS.find(({ id }) => methods[id] === null)?.id ?? null;
