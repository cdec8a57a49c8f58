/**
 * The reason why a card is declined: codes of the API (docs.stripe.com/declines/codes) and the message for the payer.
 */
export type Decline = {
  readonly code: string
  readonly declineCode?: string
  readonly message: string
}

export type TestCard = {
  readonly number: string
  /** The id of the test payment method for this card, such as pm_card_visa. */
  readonly paymentMethod?: string
  readonly brand: 'visa' | 'mastercard' | 'amex'
  readonly decline?: Decline
  /** Whether a refund of a payment with this card is pending at first. */
  readonly hasPendingRefunds?: boolean
}

const declined = (declineCode: string, message: string): Decline => ({
  code: 'card_declined',
  declineCode,
  message,
})

// The test cards with their numbers and payment methods (docs.stripe.com/testing).
const testCards: readonly TestCard[] = [
  { number: '4242424242424242', brand: 'visa', paymentMethod: 'pm_card_visa' },
  { number: '5555555555554444', brand: 'mastercard', paymentMethod: 'pm_card_mastercard' },
  { number: '378282246310005', brand: 'amex', paymentMethod: 'pm_card_amex' },
  {
    number: '4000000000007726',
    brand: 'visa',
    paymentMethod: 'pm_card_pendingRefund',
    hasPendingRefunds: true,
  },
  {
    number: '4000000000000002',
    brand: 'visa',
    paymentMethod: 'pm_card_chargeDeclined',
    decline: declined('generic_decline', 'Your card was declined.'),
  },
  {
    number: '4000000000009995',
    brand: 'visa',
    paymentMethod: 'pm_card_chargeDeclinedInsufficientFunds',
    decline: declined('insufficient_funds', 'Your card has insufficient funds.'),
  },
  {
    number: '4000000000000069',
    brand: 'visa',
    paymentMethod: 'pm_card_chargeDeclinedExpiredCard',
    decline: { code: 'expired_card', message: 'Your card has expired.' },
  },
  {
    number: '4000000000000127',
    brand: 'visa',
    paymentMethod: 'pm_card_chargeDeclinedIncorrectCvc',
    decline: { code: 'incorrect_cvc', message: "Your card's security code is incorrect." },
  },
  {
    number: '4000000000000119',
    brand: 'visa',
    paymentMethod: 'pm_card_chargeDeclinedProcessingError',
    decline: {
      code: 'processing_error',
      message: 'An error occurred while processing your card. Try again in a little bit.',
    },
  },
]

/**
 * Returns the test card with the given number (digits only); undefined for any other number, which may belong to a real
 * card and must be neither stored nor logged.
 */
export function testCardByNumber(digits: string): TestCard | undefined {
  return testCards.find((card) => card.number === digits)
}

export function testCardByPaymentMethod(paymentMethod: string): TestCard | undefined {
  return testCards.find((card) => card.paymentMethod === paymentMethod)
}

/** Returns the test card with the given last four digits. A charge contains only these digits of its card number. */
export function testCardByLastDigits(last4: string): TestCard | undefined {
  return testCards.find((card) => card.number.endsWith(last4))
}
