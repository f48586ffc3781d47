export type { BillingContext } from './context.ts';
export { paymentFailedMail } from './mails/payment-failed.ts';
export { type PaidPlan, type Period, prorationAt } from './plan-periods.ts';
export { priceList } from './price-list.ts';
export { firstMonthPrice, priceOf, termsOf } from './prices.ts';
export { addGrant, periodsOfUser, revokeGrant } from './service/grants.ts';
export { creditBalance, creditOf, post } from './service/journal.ts';
export { lockBilling, lockBillingOf, type NewGrant } from './store/grants.ts';
export type { CardOf, CardStanding, Receipt, Way } from './ways.ts';
