import { useState } from 'react'
import { describe, expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { page } from 'vitest/browser'
import { emptyLine, type FormLine } from './invoice-form.ts'
import { LineItems } from './line-items.tsx'

async function openLines(initial: readonly FormLine[] = [emptyLine()]) {
  function Form() {
    const [lines, setLines] = useState(initial)
    return <LineItems lines={lines} onChange={setLines} />
  }
  await render(<Form />)
}

const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const descriptions = () => page.getByRole('textbox', { name: /^Description/ }).elements()

describe('invoice line items', () => {
  test('get a new empty line with a quantity of 1 when the user adds a line', async () => {
    await openLines()
    await button('Add Line Item').click()
    await expect.element(field('Description, line 2')).toHaveValue('')
    await expect.element(field('Quantity, line 2')).toHaveValue('1')
  })

  test('keep the input of the other lines when a line is removed', async () => {
    await openLines([emptyLine('Pads'), emptyLine('Discs'), emptyLine('Fluid')])
    await field('Amount in USD, line 3').fill('18.50')
    await button('Remove line 2').click()
    await expect.element(field('Description, line 2')).toHaveValue('Fluid')
    await expect.element(field('Amount in USD, line 2')).toHaveValue('18.50')
    expect(descriptions()).toHaveLength(2)
  })

  test('contain an empty line after the last line was removed', async () => {
    await openLines([emptyLine('Pads')])
    await button('Remove line 1').click()
    await expect.element(field('Description, line 1')).toHaveValue('')
    expect(descriptions()).toHaveLength(1)
  })

  test('have their quantity rounded down to a whole number of at least 1 when the field loses the focus', async () => {
    await openLines()
    const quantity = field('Quantity, line 1')
    await quantity.fill('2.7')
    await expect.element(quantity).toHaveValue('2.7')
    await field('Description, line 1').click()
    await expect.element(quantity).toHaveValue('2')
    await quantity.fill('none')
    await field('Description, line 1').click()
    await expect.element(quantity).toHaveValue('1')
  })

  test('show how many incomplete lines the invoice omits', async () => {
    await openLines([emptyLine('Pads'), emptyLine('Discs')])
    const left = page.getByRole('status')
    const rule = 'a line needs a description, an amount above 0 and a quantity above 0.'
    await expect.element(left).toHaveTextContent(`2 lines are left out of the invoice: ${rule}`)
    await field('Amount in USD, line 1').fill('90')
    await expect.element(left).toHaveTextContent(`One line is left out of the invoice: ${rule}`)
    await field('Amount in USD, line 2').fill('120')
    await expect.element(left).not.toBeInTheDocument()
  })

  test('are limited to 100', async () => {
    await openLines(Array.from({ length: 99 }, () => emptyLine()))
    await button('Add Line Item').click()
    expect(descriptions()).toHaveLength(100)
    await expect.element(button('Add Line Item')).toBeDisabled()
  })
})
