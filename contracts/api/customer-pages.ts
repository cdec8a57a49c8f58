import type { RescheduleChoice } from '#domain/bookings/reschedule-query.ts'
import type { ShopFacts } from '#domain/shop/shop.ts'
import type {
  RepairStatus,
  VisitPageData,
  VisitRefusal,
  VisitResult,
} from '#contracts/bookings/visit-page.ts'
import type { LinkedInvoice } from '#contracts/invoices/linked-invoice.ts'
import type { DecisionForm, DecisionRefusal } from '#contracts/estimates/decision-form.ts'
import type { OpenInvitation } from '#contracts/team.ts'
import type { SentRevision } from '#contracts/estimates/estimates.ts'

/*
 * The pages that the server renders for customers, without client-side React. The server chooses the page and reads its
 * data; web/customer-pages renders the HTML.
 */

/**
 * The customer's page about an appointment (visit page). It shows the service, the time, the place and the state of the
 * vehicle, and offers actions such as moving the appointment.
 */
export type VisitPage = {
  readonly name: 'visit'
  readonly booking: VisitPageData
  /** The path of the visit page: '/visit/<token>'. */
  readonly path: string
  /**
   * The repair: estimate, tasks and invoice. The server reads the three again for every response, so that the page
   * never contradicts the current invoice.
   */
  readonly work: RepairStatus
  /** The action that the customer has just completed on the page, for example a cancellation. */
  readonly done?: VisitResult | undefined
  /** The reason why the server refused the action that the customer has just attempted on the page. */
  readonly refusal?: VisitRefusal | undefined
}

/** The page on which a customer confirms a cancellation, for browsers without JavaScript. */
export type CancelPage = Pick<VisitPage, 'booking' | 'path' | 'work'> & { readonly name: 'cancel' }

/** The page on which the customer chooses another day and time for the appointment. */
export type ReschedulePage = Pick<VisitPage, 'booking' | 'path'> & {
  readonly name: 'reschedule'
  readonly chosen: RescheduleChoice
  /** The free times on the date that the customer chose, as 'HH:mm:ss'. */
  readonly times: readonly string[]
  /** The times that other customers booked since the page was last shown, as 'HH:mm:ss'. */
  readonly taken: readonly string[]
  /** The time ('HH:mm') that the customer chose, and the reason why the server refused this time. */
  readonly refused?: { readonly time: string; readonly refusal: VisitRefusal } | undefined
}

/**
 * The page on which a customer approves or declines an estimate. It shows the revision that the shop sent last: each
 * job with its reason, its price and the customer's choice.
 */
export type EstimatePage = {
  readonly name: 'estimate'
  readonly sentRevision: SentRevision
  /** The path of the page, '/estimate/<token>', to which the browser submits the page's forms. */
  readonly path: string
  /** The booking to which the estimate belongs; if set, the page shows the progress of the repair. */
  readonly booking?: VisitPageData
  /** The choices and the name that the customer submitted in the form; undefined before the first submission. */
  readonly choice?: DecisionForm | undefined
  readonly refusal?: DecisionRefusal | undefined
  /**
   * The state of the online payment of the deposit. verifying: Stripe has not confirmed the payment of the deposit yet.
   * unavailable: Stripe did not open a payment page for the deposit. not_set_up: the shop takes no online payments.
   */
  readonly depositNotice?: 'verifying' | 'unavailable' | 'not_set_up' | undefined
}

/** The page on which a customer confirms that they decline the estimate, for browsers without JavaScript. */
export type DeclinePage = Pick<EstimatePage, 'sentRevision' | 'path'> & { readonly name: 'decline' }

/**
 * The result of the database function `internal.read_address_question`, for the page that asks whether an email address
 * is the customer's.
 */
export type AddressQuestion = {
  readonly state: 'open' | 'answered' | 'closed'
  /** The email address from the booking form. */
  readonly email: string
  /** The start of the appointment, shop time: 'yyyy-MM-dd' and 'HH:mm:ss'. */
  readonly date: string
  readonly time: string
}

/** The page that asks whether an email address is the customer's. The page shows no other detail of the booking. */
export type AddressPage = {
  readonly name: 'address'
  readonly question: AddressQuestion
  /** The path of the page: '/address/<token>'. */
  readonly path: string
}

/** The page of one invoice, for everyone who has the link. */
export type InvoicePage = {
  readonly name: 'invoice'
  readonly invoice: LinkedInvoice
  /** The path of the page: '/i/<token>'. */
  readonly path: string
  /**
   * The reason why the customer cannot pay online. unavailable: Stripe opened no payment page. not_set_up: the shop
   * takes no online payments.
   */
  readonly paymentNotice?: 'unavailable' | 'not_set_up' | undefined
}

/** The page of an invitation, on which the invited team member chooses a password. */
export type JoinPage = {
  readonly name: 'join'
  readonly invitation: OpenInvitation
  /** The path of the page, '/join/<token>', to which the browser submits the form. */
  readonly path: string
  /** The name that the page proposes for a passkey; undefined when the invitation cannot be accepted with a passkey. */
  readonly device?: string
  /** The reason why the server refused the password, as the end of the sentence that the page shows. */
  readonly problem?: string
}

/** The page that confirms that an invitation was accepted. */
export type JoinedPage = {
  readonly name: 'joined'
  readonly fullName: string
  readonly username: string
}

/** The page for customers who lost the link to a visit page: they enter their email address to get the link again. */
export type FindBookingPage = {
  readonly name: 'find_booking'
  /** The invalid email address that the customer entered in the last attempt. */
  readonly input?: string
}

/**
 * The pages that show only the shop's own data, such as its phone number. The server renders these pages in advance, so
 * that requests with guessed links or above the rate limit cause no rendering.
 */
export const messagePageNames = [
  /**
   * The page for every invalid link, except links of invoices and invitations. The page is always the same, so that it
   * does not reveal whether the link was ever valid.
   */
  'invalid_link',
  /** The page for every invalid link of an invoice. */
  'invalid_invoice_link',
  /** The page for every invitation link that was already used, has expired, was withdrawn or is wrong. */
  'invalid_invitation',
  /** The page after too many requests from one client or for one link. */
  'too_often',
  /** The page for a customer who has too many open bookings. */
  'too_many_bookings',
  /**
   * The page after a customer requested the links to visit pages by email. The page is the same for every email
   * address, so that it does not reveal who has an appointment.
   */
  'links_sent',
  /** The page after too many requests for links to visit pages. */
  'too_many_link_requests',
] as const

export type MessagePage = { readonly name: (typeof messagePageNames)[number] }

export type CustomerPage =
  | VisitPage
  | CancelPage
  | ReschedulePage
  | EstimatePage
  | DeclinePage
  | AddressPage
  | InvoicePage
  | FindBookingPage
  | JoinPage
  | JoinedPage
  | MessagePage

/** A rendered page. */
export type RenderedCustomerPage = {
  /** The name of the HTML document in `RenderedSite.frames` into which the server inserts the page. */
  readonly frame: 'visit' | 'estimate' | 'join'
  /**
   * The text about the result of the form that the customer submitted last or, without a submitted form, the heading of
   * the page. The first sentence of this text becomes the title of the HTML document.
   */
  readonly title: string
  /** The HTML of its `<main>`. */
  readonly main: string
}

export type RenderCustomerPage = (shop: ShopFacts, page: CustomerPage) => RenderedCustomerPage
