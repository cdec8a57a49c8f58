import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Input, Select, TextArea } from './field.tsx'

test('A field has its label as its accessible name, and its hint and error as its description', async () => {
  await render(<Input label="Email" hint="For the receipt." error="Enter an email address." />)
  const input = page.getByLabelText('Email')
  await expect
    .element(input)
    .toHaveAccessibleDescription('For the receipt. Enter an email address.')
  await expect.element(input).toBeInvalid()
})

test('A required field is announced as required, but the browser does not enforce it', async () => {
  await render(<Input label="Full Name" required />)
  const input = page.getByRole('textbox', { name: 'Full Name' })
  await expect.element(input).toHaveAttribute('aria-required', 'true')
  await expect.element(input).not.toHaveAttribute('required')
})

test('An input, a select and a text area are described by their error', async () => {
  await render(
    <>
      <Input label="Plate" error="wrong" />
      <Select label="State" error="wrong">
        <option>California</option>
      </Select>
      <TextArea label="Notes" error="wrong" />
    </>,
  )
  for (const name of ['Plate', 'State', 'Notes']) {
    await expect.element(page.getByLabelText(name)).toHaveAccessibleDescription('wrong')
  }
})

test('Two fields with the same label have different ids', async () => {
  await render(
    <>
      <Input label="Name" />
      <Input label="Name" />
    </>,
  )
  const ids = page
    .getByLabelText('Name')
    .elements()
    .map((element) => element.id)
  expect(new Set(ids).size).toBe(2)
})
