import { testCardByNumber, type TestCard } from '../payments/test-cards.ts'
import type { CardUse } from '../payments/charge-card.ts'
import { html, type Markup } from './html.ts'

const names = ['email', 'number', 'expiry', 'cvc', 'name'] as const
type FieldName = (typeof names)[number]

/** The values of the card form. The values exist only during the request: the sandbox neither stores nor logs them. */
export type CardInput = Readonly<Record<FieldName, string>>
export type CardErrors = Partial<Record<FieldName, string>>

const maxLength = 200

/**
 * Reads the fields of a submitted form; a missing field becomes an empty text. The email address of a known customer
 * (`email`) replaces the submitted email address.
 */
export function readCardInput(form: URLSearchParams, email: string | null): CardInput {
  const entered = (name: FieldName) => (form.get(name) ?? '').trim().slice(0, maxLength)
  return {
    email: email ?? entered('email'),
    number: entered('number'),
    expiry: entered('expiry'),
    cvc: entered('cvc'),
    name: entered('name'),
  }
}

export type CheckedCard =
  | { readonly use: CardUse; readonly errors?: never }
  | { readonly errors: CardErrors }

/**
 * Validates the card form. Returns the card, or an error message for each invalid field. `now` is in seconds since
 * 1970.
 */
export function checkCard(input: CardInput, now: number): CheckedCard {
  const card = testCardByNumber(digitsOf(input.number))
  const expiry = readExpiry(input.expiry)
  const errors: CardErrors = {
    ...(/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(input.email)
      ? {}
      : { email: 'Please enter your email address.' }),
    ...numberError(input.number, card),
    ...expiryError(expiry, now),
    ...(isCvc(input.cvc, card)
      ? {}
      : { cvc: 'Please enter the 3 digits on the back of the card.' }),
    ...(input.name === '' ? { name: 'Please enter the name on the card.' } : {}),
  }
  if (Object.keys(errors).length > 0 || !card || !expiry) return { errors }
  return {
    use: {
      card,
      expiryMonth: expiry.month,
      expiryYear: expiry.year,
      payer: { name: input.name, email: input.email },
    },
  }
}

function numberError(number: string, card: TestCard | undefined): CardErrors {
  if (card) return {}
  const digits = digitsOf(number)
  if (digits === '') return { number: 'Please enter a card number.' }
  if (digits.length < 12 || !passesLuhn(digits))
    return { number: 'This card number is not complete or mistyped.' }
  return {
    number:
      'This is test mode and the card is not a test card. Please use one of the test cards on this page; nothing was charged.',
  }
}

function expiryError(expiry: { month: number; year: number } | undefined, now: number): CardErrors {
  if (!expiry) return { expiry: 'Please enter the expiry date as MM / YY.' }
  // A card is valid through the last day of its expiry month.
  return Date.UTC(expiry.year, expiry.month, 1) > now * 1000
    ? {}
    : { expiry: 'This card has expired.' }
}

function readExpiry(entered: string): { month: number; year: number } | undefined {
  const [, month = '', year = ''] =
    /^(0?[1-9]|1[0-2])\s*[/\-. ]?\s*((?:20)?\d\d)$/.exec(entered) ?? []
  if (month === '') return undefined
  return { month: Number(month), year: year.length === 2 ? 2000 + Number(year) : Number(year) }
}

function isCvc(cvc: string, card: TestCard | undefined): boolean {
  return card?.brand === 'amex' ? /^\d{4}$/.test(cvc) : /^\d{3,4}$/.test(cvc)
}

const digitsOf = (number: string) => number.replaceAll(/[\s-]/g, '')

function passesLuhn(digits: string): boolean {
  if (!/^\d+$/.test(digits)) return false
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return sum % 10 === 0
}

/**
 * Renders the fields of the card form with their submitted values, except the security code and the number of a card
 * that is no test card.
 */
export function cardFields(values: CardInput, errors: CardErrors, fixedEmail: boolean): Markup {
  const number = testCardByNumber(digitsOf(values.number)) ? values.number : ''
  const firstInvalid = names.find((name) => errors[name])
  const errorAttributes = (name: FieldName) =>
    errors[name] &&
    html`aria-invalid="true" aria-describedby="${name}-error"
    ${name === firstInvalid && html`autofocus`}`
  const input = (name: FieldName, label: string, attributes: Markup, value: string) =>
    html`<div class="field">
      <label for="${name}">${label}</label>
      <input
        class="input"
        id="${name}"
        name="${name}"
        value="${value}"
        required
        ${attributes}
        ${errorAttributes(name)}
      />
      ${errors[name] && html`<p class="field-error" id="${name}-error">${errors[name]}</p>`}
    </div>`
  const email = html`type="email" autocomplete="email" maxlength="200"
  ${fixedEmail && html`readonly`}`
  const cardNumber = html`inputmode="numeric" autocomplete="cc-number" maxlength="40"
  placeholder="4242 4242 4242 4242"`
  const expiry = html`inputmode="numeric" autocomplete="cc-exp" maxlength="9" placeholder="MM / YY"`
  const cvc = html`inputmode="numeric" autocomplete="cc-csc" maxlength="4" placeholder="CVC"`
  return html`${input('email', 'Email', email, values.email)}
    ${input('number', 'Card number', cardNumber, number)}
    <div class="card-fields">
      ${input('expiry', 'Expiry', expiry, values.expiry)}${input('cvc', 'Security code', cvc, '')}
    </div>
    ${input('name', 'Name on card', html`autocomplete="cc-name" maxlength="200"`, values.name)}`
}
