import { quoteFieldLimits, quoteServiceTypes, type QuoteForm } from '#domain/quote-form.ts'
import { shop } from '#domain/shop.ts'
import { Button } from '#web/ui/button.tsx'
import { Input, Select, TextArea } from '#web/ui/field.tsx'
import { Honeypot } from '#web/ui/honeypot.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { useQuoteRequest } from './use-quote-request.ts'

/** 'Get Your Free Quote': the form of /request-quote. */
export function QuoteRequestForm() {
  const { form, honeypot, errors, isBusy, sentTo, submit, noteChange } = useQuoteRequest()
  const field = (name: keyof QuoteForm) => ({
    id: name,
    name,
    error: errors[name],
    onChange: () => noteChange(name),
  })
  const text = (name: keyof QuoteForm) => ({ ...field(name), maxLength: quoteFieldLimits[name] })
  return (
    // Until the page is awake a submit does nothing: what was typed must not land in the address.
    <form ref={form} method="dialog" className="card panel" noValidate onSubmit={submit}>
      <h2>Get Your Free Quote</h2>
      <div className="grid2">
        <Input {...text('name')} className="span2" label="Full Name" required autoComplete="name" />
        <Input
          {...text('email')}
          type="email"
          label="Email Address"
          required
          autoComplete="email"
        />
        <Input {...text('phone')} type="tel" label="Phone Number" autoComplete="tel" />
        <fieldset className="span2">
          <legend className="group">Vehicle Information</legend>
          <div className="grid3">
            <Input
              {...text('vehicleYear')}
              label="Year"
              required
              inputMode="numeric"
              autoComplete="off"
              placeholder="2019"
            />
            <Input
              {...text('vehicleMake')}
              label="Make"
              required
              autoComplete="off"
              placeholder="Subaru"
            />
            <Input
              {...text('vehicleModel')}
              label="Model"
              required
              autoComplete="off"
              placeholder="Outback"
            />
          </div>
        </fieldset>
        <Select {...field('serviceType')} className="span2" label="Type of Service">
          <option value="">Choose a service (optional)</option>
          {quoteServiceTypes.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
        <TextArea
          {...text('description')}
          className="span2"
          label="Describe the Issue or Service Needed"
          required
          rows={5}
          placeholder="For example: grinding from the front left when braking, worse when cold"
        />
      </div>
      <Honeypot ref={honeypot} />
      <Button type="submit" level={1} large wide busy={isBusy && 'Submitting...'}>
        Submit Quote Request
      </Button>
      {sentTo && (
        <Notice tone="good" title="It is with us.">
          Our reply goes to {sentTo}. Wrong address? Call {shop.phone.display}.
        </Notice>
      )}
      <p className="hint">
        An online quote is preliminary. You get a written estimate, and approve it, before any work
        starts.
      </p>
    </form>
  )
}
