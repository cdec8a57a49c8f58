import type { Account } from '../account.ts'
import { type CardErrors, cardFields, type CardInput } from './card-form.ts'
import { formatMoney } from './format.ts'
import { html } from './html.ts'
import { layout } from './layout.ts'

/** The data of the page on which a customer pays by card: a Checkout Session or an invoice. */
export type CheckoutView = {
  readonly title: string
  /** The path to which the browser posts the form. */
  readonly action: string
  readonly cancelUrl: string | null
  readonly amountCents: number
  readonly currency: string
  readonly lines: readonly {
    readonly description: string
    readonly quantity: number
    readonly amountCents: number
  }[]
  readonly input: CardInput
  /** Whether the email address belongs to a known customer, so that the payer cannot change the address. */
  readonly fixedEmail: boolean
  readonly errors: CardErrors
  /** The reason why the last card was declined. */
  readonly declineMessage: string | undefined
}

/** Renders the page of a card payment with the line items, the card form and the test cards. */
export function checkoutPage(account: Account, view: CheckoutView): string {
  const amount = formatMoney(view.amountCents, view.currency)
  const lines = view.lines.map(
    (line) =>
      html`<div>
        <dt>${line.description}${line.quantity > 1 && ` × ${line.quantity}`}</dt>
        <dd>${formatMoney(line.amountCents, view.currency)}</dd>
      </div>`,
  )
  return layout(
    account,
    `${view.title} ${amount}`,
    html`<div class="checkout-columns">
      <section aria-labelledby="what">
        ${view.cancelUrl && html`<a class="back-link" href="${view.cancelUrl}"><span aria-hidden="true">←</span> Back to ${account.businessName}</a>`}
        <h1 id="what">${view.title}</h1>
        <p class="amount-due">${amount}</p>
        <dl class="summary">
          ${lines}
          <div class="total-due">
            <dt>Total due</dt>
            <dd>${amount}</dd>
          </div>
        </dl>
      </section>
      <form class="card" method="post" action="${view.action}" novalidate>
        <h2>Pay with card</h2>
        ${
          view.declineMessage &&
          html`<div class="notice notice-bad" role="alert">
            <p><b>${view.declineMessage}</b> Nothing was charged. Try again or use another card.</p>
          </div>`
        }
        ${Object.keys(view.errors).length > 0 && html`<div class="notice notice-bad" role="alert"><p>Please check the marked fields. Nothing was charged.</p></div>`}
        ${cardFields(view.input, view.errors, view.fixedEmail)}
        <button class="button button-primary button-wide button-large" type="submit">
          Pay ${amount}
        </button>
        ${view.cancelUrl && html`<a class="button button-quiet button-wide" href="${view.cancelUrl}">Cancel</a>`}
      </form>
      <section class="test-cards" aria-labelledby="test-cards">
        <h2 id="test-cards">Test cards</h2>
        <dl class="summary">
          <div>
            <dt>Succeeds</dt>
            <dd>4242 4242 4242 4242</dd>
          </div>
          <div>
            <dt>Declined</dt>
            <dd>4000 0000 0000 0002</dd>
          </div>
          <div>
            <dt>Insufficient funds</dt>
            <dd>4000 0000 0000 9995</dd>
          </div>
        </dl>
        <p class="hint">Any future expiry date, any security code. Never type a real card here.</p>
      </section>
    </div>`,
  )
}
