import type { SignedIn, User } from '#features/accounts/contract/auth.ts';

export const ann: User = { id: 7, email: 'ann@example.com', role: 'user', isAdmin: false, plan: 'free' };
export const root: User = { id: 1, email: 'root@example.com', role: 'admin', isAdmin: true, plan: 'admin' };

export const signedInAs = (user: User): SignedIn => ({ token: `token-of-${user.id}`, user });
