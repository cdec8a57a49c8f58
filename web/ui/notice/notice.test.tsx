import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Notice } from './notice.tsx'

test('A notice about a failure is announced immediately, all other notices are not', async () => {
  await render(
    <>
      <Notice tone="bad" title="Invoice not found." />
      <Notice tone="warn" title="This time is taken." />
      <Notice tone="good" title="We received your request." />
      <Notice title="Test mode: no card is charged." />
    </>,
  )
  await expect.element(page.getByRole('alert')).toHaveTextContent('Invoice not found.')
})

test('A notice shows its title and its text, and renders no empty element if the title or the text is missing', async () => {
  const { container, rerender } = await render(<Notice title="Saved">It is on Today.</Notice>)
  expect(container.textContent).toBe('SavedIt is on Today.')
  await rerender(<Notice title="Saved" />)
  expect(container.querySelectorAll('.notice > div > *')).toHaveLength(1)
})
