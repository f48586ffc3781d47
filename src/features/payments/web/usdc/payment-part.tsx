import { part } from '#ui/part.tsx';

import type { PaymentDialogProps } from './payment-dialog.tsx';

/** The payment dialog, loaded when first opened. */
export const PaymentPart = part<PaymentDialogProps>({
  name: 'The payment',
  load: async () => (await import('./payment-dialog.tsx')).PaymentDialog,
});
