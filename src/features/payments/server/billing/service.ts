export type { BillingContext } from './context.ts';
export { paymentFailedMail } from './mails.ts';
export { hasPaid, type PaidPlan, type Period, prorationCredit } from './plan-periods.ts';
export type { CardReader, CardStanding, PaymentMethod, Receipt } from './prices.ts';
export { findPrice, firstMonthPrice, prepaidTerms, priceList } from './prices.ts';
export { drawReceipt, readBilling } from './service/billing.ts';
export {
  addGrant,
  creditAccount,
  creditBalance,
  post,
  readPeriods,
  rejectQueued,
  revokeGrant,
} from './service/grants.ts';
export { readPricing } from './service/pricing.ts';
export { COMING_SOON } from './service/trial.ts';
export { lockBilling, lockBillingAccounts, type NewGrant } from './store.ts';
