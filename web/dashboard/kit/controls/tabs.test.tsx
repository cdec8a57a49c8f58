import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { TabList } from './tabs.tsx'
import './tabs.css'

const tabs = [
  { id: 'quotes', label: 'Quote Requests', icon: 'message' },
  { id: 'invoices', label: 'Invoices', icon: 'receipt' },
] as const
const tab = (name: string) => page.getByRole('tab', { name, exact: true })

test('The badge with the number of a tab describes the tab and is no part of its accessible name; zero has no badge', async () => {
  const countsOf = (quotes: number) => ({
    quotes: { count: quotes, meaning: 'pending' },
    invoices: { count: 0, meaning: 'unpaid' },
  })
  const shown = { label: 'Dashboard', tabs, selected: 'quotes', onSelect: () => undefined } as const
  const { rerender } = await render(<TabList {...shown} />)
  await expect.element(tab('Quote Requests')).toHaveAccessibleDescription('')
  await rerender(<TabList {...shown} counts={countsOf(3)} />)
  await expect.element(tab('Quote Requests')).toHaveAccessibleDescription('3 pending')
  await expect.element(tab('Quote Requests')).toHaveTextContent('Quote Requests3')
  await expect.element(tab('Invoices')).toHaveAccessibleDescription('')
  await expect.element(tab('Invoices')).toHaveTextContent('Invoices')
  await rerender(<TabList {...shown} counts={countsOf(120)} />)
  await expect.element(tab('Quote Requests')).toHaveTextContent('Quote Requests99+')
  await expect.element(tab('Quote Requests')).toHaveAccessibleDescription('120 pending')
})
