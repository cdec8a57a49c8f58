import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Button, buttonClass } from './button.tsx'
import './button.css'

test('A button does not submit the form around it unless its type is submit', async () => {
  const submit = vi.fn<() => void>()
  await render(
    <form onSubmit={submit}>
      <Button>Add a line</Button>
    </form>,
  )
  await page.getByRole('button', { name: 'Add a line' }).click()
  expect(submit).not.toHaveBeenCalled()
})

test('A busy button is disabled, shows its busy text, and does not change its width', async () => {
  const { rerender } = await render(
    <Button level="primary" busy={false}>
      Send for approval
    </Button>,
  )
  const button = page.getByRole('button')
  const width = button.element().getBoundingClientRect().width
  await rerender(
    <Button level="primary" busy="Sending…">
      Send for approval
    </Button>,
  )
  await expect.element(button).toBeDisabled()
  await expect.element(button).toHaveAccessibleName('Sending…')
  expect(button.element().getBoundingClientRect().width).toBe(width)
})

test('A link has the classes of the button that it looks like', async () => {
  await render(
    <Button compact square level="quiet" className="of-a-feature">
      ×
    </Button>,
  )
  expect(page.getByRole('button').element().className).toBe(
    buttonClass('quiet', { compact: true, square: true, className: 'of-a-feature' }),
  )
})
