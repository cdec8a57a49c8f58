import { expect, test } from 'vitest'
import { type DashboardLink, quoteLink } from '#web/dashboard/kit/navigation/links.ts'
import { formatNewQuotes } from './new-quote-text.ts'

const quote = (id: string) => ({
  id,
  name: 'Robin Vale',
  vehicle_year: '2019',
  vehicle_make: 'Subaru',
  vehicle_model: 'Outback',
})
const nothing = () => undefined

test('the notification names the customer and the vehicle of one new quote request, or shows the number if there are several', () => {
  expect(formatNewQuotes([quote('one')], nothing)?.title).toBe(
    'New quote request: Robin Vale, 2019 Subaru Outback.',
  )
  expect(formatNewQuotes([quote('one'), quote('two')], nothing)?.title).toBe('2 new quote requests')
  expect(formatNewQuotes([], nothing)).toBeUndefined()
})

test('The button Show opens one quote request, or the list if there are several quote requests', () => {
  const shown: DashboardLink[] = []
  const show = (link: DashboardLink) => void shown.push(link)
  formatNewQuotes([quote('one')], show)?.action?.run()
  formatNewQuotes([quote('one'), quote('two')], show)?.action?.run()
  expect(shown).toEqual([quoteLink('one'), quoteLink()])
})
