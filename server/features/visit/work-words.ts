import type { Offer } from '#contracts/estimates.ts'
import { formatCents } from '#domain/format-cents.ts'
import { givenName } from '#domain/given-name.ts'
import { formatTime, minuteOfTime, timeOfMinute } from '#domain/clock-time.ts'
import type { ShopFacts } from '#domain/shop.ts'
import { hoursOn } from '#domain/special-days.ts'
import { shopClock } from '#domain/shop-time.ts'
import type { Visit } from './read-visit.ts'
import type { VisitWork } from './read-visit-work.ts'
import { momentOf, type TimedLine } from './visit-words.ts'

/** Where the car is on the scale of five, and the first lines of the page. */
type WorkWords = { readonly stage: number; readonly heading: string; readonly lead: string }

const stageOfWork = 3
/** The last of the five. */
export const stageReady = 4

/** What the work says of the moment, before what the appointment alone would; undefined when it says nothing. */
export function wordsOfWork(
  visit: Visit,
  { tasks, invoice }: VisitWork,
  shop: ShopFacts,
): WorkWords | undefined {
  if (!['arrived', 'in_work', 'completed'].includes(visit.state)) return undefined
  const isFinished = tasks.length > 0 && tasks.every(({ status }) => status === 'completed')
  const isReady = isFinished && tasks.some((task) => task.isReady)
  if (invoice?.isPaid && (isReady || visit.state === 'completed')) return paid(visit, invoice)
  if (isReady && visit.state !== 'completed') return ready(visit, shop)
  return visit.state === 'completed' ? undefined : waiting(tasks, shop)
}

function paid({ customerName }: Visit, invoice: NonNullable<VisitWork['invoice']>): WorkWords {
  const name = givenName(customerName)
  const when = invoice.paidAt === null ? '' : ` ${momentOf(invoice.paidAt)}`
  return {
    stage: stageReady,
    heading: name === '' ? 'Paid. Drive well.' : `Paid. Drive well, ${name}.`,
    lead: `${formatCents(invoice.totalCents)} received${when}.`,
  }
}

function ready({ now }: Visit, shop: ShopFacts): WorkWords {
  const date = now.slice(0, 10)
  const minute = minuteOfTime(now.slice(11, 16))
  const closes = hoursOn(date, shop).findLast(({ closesAtMinute }) => closesAtMinute > minute)
  const until = closes && formatTime(timeOfMinute(closes.closesAtMinute))
  return {
    stage: stageReady,
    heading: until ? `Your car is ready. Come until ${until}.` : 'Your car is ready.',
    lead: until
      ? 'The key is at the counter.'
      : `We are closed now. The key is at the counter when we open again.`,
  }
}

function waiting(tasks: VisitWork['tasks'], { phone }: ShopFacts): WorkWords | undefined {
  const parts = tasks.find(({ status }) => status === 'waiting_on_parts')
  if (parts) {
    return {
      stage: stageOfWork,
      heading: withNote('Waiting on parts', parts.note),
      lead: 'Your car is with us. We go on as soon as they are here.',
    }
  }
  const word = tasks.find(({ status }) => status === 'waiting_on_customer')
  if (word) {
    return {
      stage: stageOfWork,
      heading: withNote('We wait for your word', word.note),
      lead: `Please call ${phone.display}.`,
    }
  }
  return undefined
}

const withNote = (words: string, note: string) => (note === '' ? words : `${words}: ${note}`)

/** What happened to the work and what was approved of it, to stand among the lines of the visit. */
export function tellWork({ events, offer }: VisitWork): TimedLine[] {
  const worked = events.map(({ kind, title, at }) => ({ stamp: at, text: eventOf(kind, title) }))
  return [...(offer ? tellApprovals(offer) : []), ...worked]
}

const eventOf = (kind: VisitWork['events'][number]['kind'], title: string) =>
  kind === 'ready' ? 'Ready for pickup' : ['Waiting on parts', title].filter(Boolean).join(': ')

function tellApprovals({ authorizations }: Offer): TimedLine[] {
  const acts = Map.groupBy(authorizations, ({ actId }) => actId)
  return [...acts.values()].flatMap((lines) => {
    const [first] = lines
    if (!first) return []
    const approved = lines.filter(({ decision }) => decision === 'approved')
    const cents = approved.reduce((sum, { amountCents }) => sum + amountCents, 0)
    const how = first.method === 'phone' ? ' by phone' : ''
    const { date, time } = shopClock(new Date(first.saidAt))
    const jobs = `${approved.length} of ${lines.length} ${lines.length === 1 ? 'job' : 'jobs'}`
    const text =
      approved.length > 0
        ? `You approved ${jobs}${how}: ${formatCents(cents)}`
        : `You decided on the estimate${how}: not now`
    return [{ stamp: `${date}T${time}`, text }]
  })
}
