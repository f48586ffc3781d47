import { describe, expect, test } from 'vitest';

import { type Payment, paymentFlag, paymentStatus } from '#features/payments/contract/usdc.ts';
import { paymentOf, solanaPaymentOf } from './fixtures.ts';
import {
  amountMark,
  askingFor,
  countdownText,
  flagWords,
  hasBought,
  isOpen,
  remainingAmount,
  STATUS_NAMES,
  statusWords,
} from './payment-labels.ts';

describe('payment messages', () => {
  test('every state has its own sentence', () => {
    const sentences = paymentStatus.options.map((status) => statusWords(paymentOf({ status })));
    expect(new Set(sentences.slice(0, 4)).size).toBe(4);
    for (const [at, status] of paymentStatus.options.entries()) {
      expect(STATUS_NAMES[status]).not.toBe('');
      expect(sentences[at]).toMatch(/^[A-Z0-9].*\.$/);
    }
    expect(statusWords(paymentOf())).toBe(
      'Send exactly 29.99 USDC on Base. This window updates automatically, usually within a minute.',
    );
    expect(statusWords(paymentOf({ status: 'confirmed', grantedUntil: '2026-12-21T12:00:00.000Z' }))).toBe(
      'Pro is yours until 21 Dec 2026. The payment becomes final in a few minutes.',
    );
  });

  test('every flag is explained, and the partial text depends on whether it has expired', () => {
    const words = paymentFlag.options.map((flag) => flagWords(flag, paymentOf()));
    expect(new Set(words).size).toBe(paymentFlag.options.length);
    expect(flagWords('partial', paymentOf({ status: 'expired' }))).toContain('It is on your balance');
    expect(flagWords('credited', paymentOf({ status: 'underpaid' }))).toContain('once the rest arrives');
    expect(flagWords('credited', paymentOf({ status: 'settled' }))).toContain('Choose the plan again');
    expect(flagWords('foreign', solanaPaymentOf())).toContain('Only USDC on Solana can');
  });

  test('it is payable while pending or short, and has bought its plan only if granted until a date', () => {
    expect(paymentStatus.options.filter((status) => isOpen({ status }))).toEqual(['pending', 'underpaid']);
    const grantedUntil = '2026-12-21T12:00:00.000Z';
    expect(paymentStatus.options.filter((status) => hasBought({ status, grantedUntil }))).toEqual([
      'confirmed',
      'settled',
    ]);
    expect(hasBought({ status: 'settled', grantedUntil: null })).toBe(false);
  });
});

describe('amounts', () => {
  test.each([
    ['29.99', '0.00', '29.99'],
    ['29.99', '10.00', '19.99'],
    ['29.990037', '29.99', '0.000037'],
    ['29.99', '29.99', '0.00'],
    ['29.99', '40.00', '0.00'],
  ])('of %s with %s received %s are left', (amount, paid, left) => {
    expect(remainingAmount({ amount, paid })).toBe(left);
  });

  test('the reason for an uncommon amount is shown, even if credit covers it all', () => {
    expect(amountMark(paymentOf())).toBeNull();
    expect(amountMark(solanaPaymentOf())).toBe('0.000037');
    expect(amountMark(solanaPaymentOf({ creditUsed: '10.00', amount: '19.990037' }))).toBe('0.000037');
    expect(amountMark(paymentOf({ creditUsed: '40.00', amount: '0.00' }))).toBeNull();
  });

  test('the code requests the remaining amount, and changes nothing else', () => {
    const uriOf = (payment: Payment) => askingFor(payment, payment.uri);
    expect(uriOf(paymentOf())).toBe(
      'ethereum:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913@8453/transfer?address=0x52908400098527886E0F7030069857D2E4169EE7&uint256=29990000',
    );
    expect(uriOf(paymentOf({ status: 'underpaid', paid: '10.00' }))).toBe(
      'ethereum:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913@8453/transfer?address=0x52908400098527886E0F7030069857D2E4169EE7&uint256=19990000',
    );
    expect(uriOf(solanaPaymentOf({ status: 'underpaid', paid: '10.00' }))).toBe(
      'solana:mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN?amount=19.990037&spl-token=EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v&reference=82ZJ7nbGpixjeDCmEhUcmwXYfvurzAgGdtSMuHnUgyny&label=Meridian&message=Pro',
    );
  });
});

test.each([
  [898_000, '14:58'],
  [60_000, '1:00'],
  [59_001, '1:00'],
  [1, '0:01'],
  [3_661_000, '1:01:01'],
  [0, 'Expired'],
  [-5, 'Expired'],
])('%d ms left reads %s', (ms, text) => {
  expect(countdownText(ms)).toBe(text);
});
