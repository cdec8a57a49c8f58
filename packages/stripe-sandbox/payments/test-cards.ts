/** Why a card was refused, in the API's codes (docs.stripe.com/declines/codes) and its words for the payer. */
export type Decline = {
  readonly code: string
  readonly declineCode?: string
  readonly message: string
}

export type TestCard = {
  readonly number: string
  /** The ready-made payment method with this card, where the API has one. */
  readonly paymentMethod?: string
  readonly brand: 'visa' | 'mastercard' | 'amex'
  readonly decline?: Decline
}

const declined = (declineCode: string, message: string): Decline => ({
  code: 'card_declined',
  declineCode,
  message,
})

// docs.stripe.com/testing: the numbers everybody tests with.
const testCards: readonly TestCard[] = [
  { number: '4242424242424242', brand: 'visa', paymentMethod: 'pm_card_visa' },
  { number: '5555555555554444', brand: 'mastercard', paymentMethod: 'pm_card_mastercard' },
  { number: '378282246310005', brand: 'amex', paymentMethod: 'pm_card_amex' },
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

/** The test card with this number (digits only). Any other number is somebody's real card: never keep it. */
export function testCardByNumber(digits: string): TestCard | undefined {
  return testCards.find((card) => card.number === digits)
}

export function testCardByPaymentMethod(paymentMethod: string): TestCard | undefined {
  return testCards.find((card) => card.paymentMethod === paymentMethod)
}
