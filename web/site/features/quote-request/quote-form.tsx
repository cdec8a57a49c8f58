import { quoteServiceTypes, type QuoteForm } from '#domain/quotes/quote-form.ts'
import { useShop } from '#web/lib/shop.ts'
import type { Form } from '#web/lib/forms/use-form.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Input, Select, TextArea } from '#web/ui/field/field.tsx'
import { Honeypot } from '#web/ui/field/honeypot.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { useQuoteRequest } from './use-quote-request.ts'
import './quote-form.css'

/** 'Get Your Free Quote': the form of /request-quote. */
export function QuoteRequestForm() {
  const { phone } = useShop()
  const { element, form, honeypot, isBusy, sentTo, submit } = useQuoteRequest()
  return (
    // Until React hydrates the page, `method="dialog"` prevents a submit from writing the input into the URL.
    <form ref={element} method="dialog" className="card panel" noValidate onSubmit={submit}>
      <h2>Get Your Free Quote</h2>
      <div className="two-columns">
        <CustomerFields form={form} />
        <VehicleFields form={form} />
        <WorkFields form={form} />
      </div>
      <Honeypot ref={honeypot} />
      <Button type="submit" level="primary" large wide busy={isBusy && 'Submitting...'}>
        Submit Quote Request
      </Button>
      {sentTo && (
        <Notice tone="good" title="We received your request.">
          We'll reply to {sentTo}. Wrong address? Call {phone.display}.
        </Notice>
      )}
      <p className="hint">
        An online quote is preliminary. You get a written estimate, and approve it, before any work
        starts.
      </p>
    </form>
  )
}

type FieldsProps = { form: Form<QuoteForm> }

function CustomerFields({ form: { field } }: FieldsProps) {
  return (
    <>
      <Input
        {...field('name')}
        className="full-row"
        label="Full Name"
        required
        autoComplete="name"
      />
      <Input {...field('email')} type="email" label="Email Address" required autoComplete="email" />
      <Input {...field('phone')} type="tel" label="Phone Number" autoComplete="tel" />
    </>
  )
}

function VehicleFields({ form: { field } }: FieldsProps) {
  const own = { required: true, autoComplete: 'off' }
  return (
    <fieldset className="full-row">
      <legend className="fields-title">Vehicle Information</legend>
      <div className="vehicle-columns">
        <Input
          {...field('vehicleYear')}
          {...own}
          label="Year"
          inputMode="numeric"
          placeholder="2019"
        />
        <Input {...field('vehicleMake')} {...own} label="Make" placeholder="Subaru" />
        <Input {...field('vehicleModel')} {...own} label="Model" placeholder="Outback" />
      </div>
    </fieldset>
  )
}

function WorkFields({ form: { choice, field } }: FieldsProps) {
  return (
    <>
      <Select {...choice('serviceType')} className="full-row" label="Type of Service">
        <option value="">Choose a service (optional)</option>
        {quoteServiceTypes.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <TextArea
        {...field('description')}
        className="full-row"
        label="Describe the Issue or Service Needed"
        required
        rows={5}
        placeholder="For example: grinding from the front left when braking, worse when cold"
      />
    </>
  )
}
