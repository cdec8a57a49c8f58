import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import { estimateName } from '#domain/estimates/estimate-title.ts'
import { estimateOdometer } from '#domain/estimates/odometer-text.ts'
import { payerFacts } from '#domain/estimates/payer.ts'
import { tearDownFacts } from '#domain/estimates/tear-down.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import type { Shop } from '#domain/shop/shop.ts'
import type { SentRevision } from '#contracts/estimates/estimates.ts'
import { layOutEmail } from '#emails/layout/email-layout.ts'
import { oneUntrustedLine, withoutLinks } from '#domain/text/untrusted-text.ts'
import { greeting } from '#emails/layout/recipient.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'

type EstimateEmailInput = {
  /** The URL of the page on which the customer approves or declines the estimate. */
  readonly url: string
  /** Whether the vehicle has been at the shop; the email mentions an inspection only then. */
  readonly wasVehicleHere: boolean
}

/**
 * Writes the email with an estimate for the customer: each job with its price, the last day for approval, and the link
 * to the page for the decision.
 */
export function writeEstimate(
  shop: Shop,
  sentRevision: SentRevision,
  { url, wasVehicleHere }: EstimateEmailInput,
): ShopEmail {
  const { kind, number, goodUntil, customerName, revision, linkVersion } = sentRevision
  const total = formatCents(sumOf(sentRevision.jobs))
  const vehicleLabel = formatVehicle(sentRevision)
  const name = estimateName(kind)
  const what = revision > 1 ? `Revised ${name.toLowerCase()} ${number}` : `${name} ${number}`
  return {
    kind: 'estimate',
    // The deduplication key allows one email for each revision and for each new link to a revision.
    dedupeKey: `estimate:${sentRevision.estimateId}:revision:${revision}${linkVersion > 1 ? `:link:${linkVersion}` : ''}`,
    to: { email: sentRevision.customerEmail, name: oneUntrustedLine(customerName) },
    ...layOutEmail(shop, {
      subject: [
        `${what} from ${shop.name}:`,
        vehicleLabel && `${vehicleLabel},`,
        amountsOf(sentRevision),
      ]
        .filter(Boolean)
        .join(' '),
      preview: `${total}, tax included. Good until ${formatLongDate(goodUntil)}.`,
      heading: 'Your estimate is ready',
      parts: [
        { kind: 'paragraph', text: greeting(customerName) },
        {
          kind: 'paragraph',
          text: `${wasVehicleHere ? 'We inspected your car.' : 'This is what the work on your car would cost.'} The estimate lists each job with a price. You approve each job separately. Nothing starts before you approve.`,
        },
        { kind: 'facts', details: detailsOf(sentRevision, what, total) },
        { kind: 'button', label: 'See your estimate', url },
        {
          kind: 'paragraph',
          text: `Anyone with this link can approve work for you. Share it only with people you trust. Questions? Please call ${shop.phone.display}.`,
        },
      ],
      reason: "You're receiving this email because you asked us what a repair would cost.",
    }),
    attachments: [],
    bookingId: sentRevision.bookingId,
    estimateId: sentRevision.estimateId,
    estimateRevision: revision,
  }
}

function detailsOf(sentRevision: SentRevision, what: string, total: string) {
  const { jobs, payer, goodUntil } = sentRevision
  const vehicleLabel = formatVehicle(sentRevision)
  return [
    ['Estimate', what],
    ...(vehicleLabel === '' ? [] : [['Car', vehicleLabel] as const]),
    ...odometerDetail(sentRevision),
    ...jobs.flatMap((job) => [jobDetail(job), ...tearDownDetails(job)]),
    ...(jobs.length === 1 ? [] : [[`All ${jobs.length} jobs`, `${total}, tax included`] as const]),
    ...(payer
      ? payerFacts({ ...payer, name: cleanText(payer.name), reference: cleanText(payer.reference) })
      : []),
    ['Good until', formatLongDate(goodUntil)],
  ] as const
}

/**
 * Returns the odometer as a pair of label and text: 'Odometer', '71,506 mi', or 'read at arrival'; empty for a towing
 * estimate without a reading.
 */
function odometerDetail({ kind, vehicle }: SentRevision): (readonly [string, string])[] {
  const [label = '', text = ''] = estimateOdometer(kind, vehicle.odometerMiles).split(': ')
  return text === '' ? [] : [[label, text]]
}

/** Returns a job and its price as a pair of label and text: 'Cabin air filter', '$55.68, can wait'. */
function jobDetail({ title, totalCents, isNeeded }: SentJob): readonly [string, string] {
  const price = formatCents(totalCents)
  return [withoutLinks(oneUntrustedLine(title, 80)), isNeeded ? price : `${price}, can wait`]
}

const cleanText = (text: string) => withoutLinks(oneUntrustedLine(text, 320))

/** Returns the terms of a tear-down. In the email, the terms follow the line of the job to which they belong. */
function tearDownDetails({ tearDown }: SentJob) {
  if (!tearDown) return []
  const { areas, destroyedParts, reassemblyTime } = tearDown
  return tearDownFacts({
    ...tearDown,
    areas: cleanText(areas),
    destroyedParts: cleanText(destroyedParts),
    reassemblyTime: cleanText(reassemblyTime),
  })
}

type SentJob = SentRevision['jobs'][number]

const sumOf = (jobs: readonly SentJob[]) =>
  jobs.reduce((sum, { totalCents }) => sum + totalCents, 0)

/**
 * Returns the amounts in the subject: '$356.69 now, $225.48 can wait', or one amount when all jobs are needed now or
 * all can wait.
 */
function amountsOf({ jobs }: SentRevision): string {
  const later = jobs.filter(({ isNeeded }) => !isNeeded)
  const now = jobs.filter(({ isNeeded }) => isNeeded)
  return [
    now.length > 0 && formatCents(sumOf(now)) + (later.length > 0 ? ' now' : ''),
    later.length > 0 && `${formatCents(sumOf(later))} can wait`,
  ]
    .filter(Boolean)
    .join(', ')
}

function formatVehicle({ vehicle: { year, make, model } }: SentRevision): string {
  return withoutLinks(oneUntrustedLine([year, make, model].filter(Boolean).join(' '), 60))
}
