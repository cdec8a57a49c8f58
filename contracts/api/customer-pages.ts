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
 * The pages that the server sends to customers, without client-side React. The server decides which page and reads its
 * data; web/customer-pages renders it.
 */

/** The visit page: service, time, place, state, and the available actions. */
export type VisitPage = {
  readonly name: 'visit'
  readonly booking: VisitPageData
  /** The path '/visit/<token>'. */
  readonly path: string
  /** The page reads the repair together with the booking, so that it never contradicts the invoice. */
  readonly work: RepairStatus
  /** The result of the last action. */
  readonly done?: VisitResult | undefined
  /** Why the last action was refused. */
  readonly refusal?: VisitRefusal | undefined
}

/** The confirmation of a cancellation, for browsers without JavaScript. */
export type CancelPage = Pick<VisitPage, 'booking' | 'path' | 'work'> & { readonly name: 'cancel' }

/** The choice of another day and time. */
export type ReschedulePage = Pick<VisitPage, 'booking' | 'path'> & {
  readonly name: 'reschedule'
  readonly chosen: RescheduleChoice
  /** The free times of the chosen date as 'HH:mm:ss'. */
  readonly times: readonly string[]
  /** The times that other customers booked since the previous page, as 'HH:mm:ss'. */
  readonly taken: readonly string[]
  /** The time ('HH:mm') that the customer wanted, and why it was refused. */
  readonly refused?: { readonly time: string; readonly refusal: VisitRefusal } | undefined
}

/** The latest sent revision of an estimate: each job with its reason, its price and its choice. */
export type EstimatePage = {
  readonly name: 'estimate'
  readonly sentRevision: SentRevision
  /** The path '/estimate/<token>', to which the forms of the page are sent. */
  readonly path: string
  /** The booking whose visit page shows the estimate. */
  readonly booking?: VisitPageData
  /** The choices and the name from a submitted form. */
  readonly choice?: DecisionForm | undefined
  readonly refusal?: DecisionRefusal | undefined
  /** verifying: the payment of the deposit is not known yet. unavailable: its payment page could not be opened. */
  readonly depositNotice?: 'verifying' | 'unavailable' | undefined
}

/** The confirmation of a decline, for browsers without JavaScript. */
export type DeclinePage = Pick<EstimatePage, 'sentRevision' | 'path'> & { readonly name: 'decline' }

/** The result of the database function `internal.read_address_question`. */
export type AddressQuestion = {
  readonly state: 'open' | 'answered' | 'closed'
  /** The email address from the booking form. */
  readonly email: string
  /** Shop time, as 'yyyy-MM-dd' and 'HH:mm:ss'. */
  readonly date: string
  readonly time: string
}

/** The question whether an email address is the customer's. The page shows no other detail of the booking. */
export type AddressPage = {
  readonly name: 'address'
  readonly question: AddressQuestion
  /** The path '/address/<token>'. */
  readonly path: string
}

/** The page of one invoice, for whoever has its link. */
export type InvoicePage = {
  readonly name: 'invoice'
  readonly invoice: LinkedInvoice
  /** The path '/i/<token>'. */
  readonly path: string
  /** Whether the payment page could not be opened. */
  readonly isPaymentUnavailable: boolean
}

/** The page of an invitation, on which the person chooses a password. */
export type JoinPage = {
  readonly name: 'join'
  readonly invitation: OpenInvitation
  /** The path '/join/<token>', to which the form is sent. */
  readonly path: string
  /** The name that the page proposes for a passkey; undefined when the invitation cannot be accepted with one. */
  readonly device?: string
  /** Why the password was refused, as the end of a sentence. */
  readonly problem?: string
}

/** The result of an accepted invitation. */
export type JoinedPage = {
  readonly name: 'joined'
  readonly fullName: string
  readonly username: string
}

/** The form for the email address of a customer who lost the link. */
export type FindBookingPage = {
  readonly name: 'find_booking'
  /** The invalid address from the last attempt. */
  readonly input?: string
}

/**
 * The pages that show nothing but facts of the shop. The server renders them in advance, so that a guessed link or a
 * client above its limits causes no rendering.
 */
export const messagePageNames = [
  /** The same page for every invalid link, so that it does not reveal whether a link was ever valid. */
  'invalid_link',
  /** The same for the link of an invoice. */
  'invalid_invoice_link',
  /** The same for every invitation that is used, expired, taken back or wrong. */
  'invalid_invitation',
  /** Shown after too many requests from one client or for one link. */
  'too_often',
  /** Shown when the customer has too many open bookings. */
  'too_many_bookings',
  /** The same page for every address, so that it does not reveal who has an appointment. */
  'links_sent',
  /** Shown after too many requests for links. */
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
  /** The document around the page (`RenderedSite.frames`), whose styles fit it. */
  readonly frame: 'visit' | 'estimate' | 'join'
  /** The result of the form that led to the page, or its heading. The title of the HTML is its first sentence. */
  readonly title: string
  /** The HTML of its `<main>`. */
  readonly main: string
}

export type RenderCustomerPage = (shop: ShopFacts, page: CustomerPage) => RenderedCustomerPage
