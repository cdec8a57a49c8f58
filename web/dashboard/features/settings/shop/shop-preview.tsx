import type { CSSProperties, ReactNode } from 'react'
import { parsePhone, phoneNumber } from '#domain/customers/phone-number.ts'
import type { ShopForm } from '#domain/shop/shop-form.ts'
import { splitNameLines } from '#web/lib/split-name-lines.ts'

type Props = { values: ShopForm; changed: readonly (keyof ShopForm)[] }

/** Previews the top of the home page, the card with the shop's street address and the footer of every page. */
export function ShopPreview({ values, changed }: Props) {
  const renderField = (name: keyof ShopForm, text: ReactNode = values[name]) =>
    changed.includes(name) ? <mark>{text}</mark> : text
  return (
    <>
      <div className="preview-card preview-hero">
        <p>
          {renderField('kind')} in {renderField('city')}
        </p>
        <NameInLines name={values.name} isChanged={changed.includes('name')} />
        <p>
          <b>{renderField('tagline')}</b>
        </p>
        <p>{renderField('lead')}</p>
      </div>
      <div className="preview-card">
        <h4>Find Our Shop</h4>
        <dl>
          <dt>Address</dt>
          <dd>
            {renderField('street')}
            <br />
            {renderField('city')}
            {values.state.trim() && <>, {renderField('state')}</>} {renderField('postalCode')}
          </dd>
          <dt>Phone</dt>
          <dd>{renderField('phone', displayed(values.phone))}</dd>
        </dl>
      </div>
      <div className="preview-card preview-foot">
        <p>© {renderField('name')}. All rights reserved.</p>
        <p>
          {renderField('street')}, {renderField('city')}
          {values.state.trim() && <>, {renderField('state')}</>} {renderField('postalCode')}
        </p>
      </div>
      <p className="hint">
        The marked text changes when you save. It also appears in emails, invoices and calendar
        files.
      </p>
    </>
  )
}

/** The shop name, split into lines as on the home page, in the largest font size in which the longest line fits. */
function NameInLines({ name, isChanged }: { name: string; isChanged: boolean }) {
  const lines = splitNameLines(name)
  const letters = Math.max(1, ...lines.map((line) => line.length))
  return (
    <p className="preview-name" style={{ '--letters': letters } as CSSProperties}>
      {lines.map((line) => (
        <span key={line}>{isChanged ? <mark>{line}</mark> : line}</span>
      ))}
    </p>
  )
}

/** A phone number in the format of the website; an incomplete one as typed. */
function displayed(input: string): string {
  const number = parsePhone(input)
  return number ? phoneNumber(number).display : input
}
