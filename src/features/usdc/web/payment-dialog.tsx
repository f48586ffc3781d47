import { Modal } from '#web/ui/modal.tsx';

import { NETWORK_NAMES, type Payment } from '../contract.ts';

export type PaymentDialogProps = {
  /** As the server answered it; the dialog keeps it up to date by itself. */
  payment: Payment;
  onClose: () => void;
  /** Runs when the person leaves a payment that has bought its plan; the subscription has been read anew then. */
  onComplete?: () => void;
};

/** How to send one payment in USDC, and what has become of it. */
export function PaymentDialog({ payment, onClose }: PaymentDialogProps) {
  return (
    <Modal title={`Pay with USDC on ${NETWORK_NAMES[payment.network]}`} onClose={onClose}>
      <p className="num text-sm">{payment.amount} USDC</p>
    </Modal>
  );
}
