import type { ComponentProps } from 'react'
import { type ShopForm, isTimeZone } from '#domain/shop/shop-form.ts'
import { shopZoneName } from '#domain/calendar/shop-time.ts'
import type { Form } from '#web/lib/forms/use-form.ts'
import { Input, TextArea } from '#web/ui/field/field.tsx'
import { SettingsRowSection } from '../kit/settings-row-section.tsx'
import { SettingsCard } from '../kit/settings-card.tsx'
import { ShopPosition } from './shop-position.tsx'
import { ShopPreview } from './shop-preview.tsx'
import { shopLabels, shopRow } from './shop-row.ts'
import './shop-section.css'

type Fields = { form: Form<ShopForm> }

/** The shop's details, which appear on every page, email, invoice and calendar file. */
export function ShopSection() {
  return (
    <SettingsRowSection row={shopRow} Preview={ShopPreview}>
      {({ form, values, changed }) => (
        <>
          <NameCard form={form} />
          <ReasonsCard form={form} />
          <AddressCard form={form} values={values} changed={changed} />
          <ReachCard form={form} />
          <TimeCard form={form} timeZone={values.timeZone} />
        </>
      )}
    </SettingsRowSection>
  )
}

/** The props of a field, with the same label as in the list of unsaved changes. */
const named = ({ form }: Fields, name: keyof ShopForm) => ({
  ...form.field(name),
  label: shopLabels[name],
})

function NameCard(props: Fields) {
  return (
    <SettingsCard title="Name">
      <div className="settings-columns">
        <Input {...named(props, 'name')} required />
        <Input {...named(props, 'legalName')} required />
        <Input {...named(props, 'kind')} required hint="Above the name, and in search results." />
        <Input {...named(props, 'tagline')} />
        <TextArea {...named(props, 'lead')} className="whole-row" rows={2} />
      </div>
    </SettingsCard>
  )
}

/** The texts of 'Why Choose Us' on the home page. */
function ReasonsCard(props: Fields) {
  return (
    <SettingsCard title="Why Choose Us, on the home page">
      <TextArea {...named(props, 'experts')} rows={2} required />
      <TextArea {...named(props, 'turnaround')} rows={2} required />
      <TextArea
        {...named(props, 'warranty')}
        rows={2}
        required
        hint="The words of your warranty. State only what you grant in writing."
      />
    </SettingsCard>
  )
}

function AddressCard(props: ComponentProps<typeof ShopPosition>) {
  return (
    <SettingsCard title="Address, as registered">
      <div className="shop-address">
        <Input {...named(props, 'street')} required autoComplete="off" />
        <Input {...named(props, 'city')} required autoComplete="off" />
        <Input {...named(props, 'state')} autoComplete="off" />
        <Input {...named(props, 'postalCode')} required autoComplete="off" />
        <Input {...named(props, 'country')} required autoComplete="off" />
        <ShopPosition {...props} />
      </div>
    </SettingsCard>
  )
}

function ReachCard(props: Fields) {
  return (
    <SettingsCard title="How to reach you">
      <div className="settings-columns">
        <Input {...named(props, 'phone')} type="tel" required autoComplete="off" />
        <Input {...named(props, 'billingPhone')} type="tel" required autoComplete="off" />
        <Input {...named(props, 'bookingEmail')} type="email" required autoComplete="off" />
        <Input {...named(props, 'billingEmail')} type="email" required autoComplete="off" />
        <Input {...named(props, 'supportEmail')} type="email" required autoComplete="off" />
        <TextArea
          {...named(props, 'links')}
          rows={2}
          className="whole-row"
          hint="One address per line. Search engines learn that these pages are about your shop."
        />
      </div>
    </SettingsCard>
  )
}

const zones = Intl.supportedValuesOf('timeZone')

function TimeCard({ form, timeZone }: Fields & { timeZone: string }) {
  return (
    <SettingsCard title="Time">
      <div className="settings-columns">
        <Input
          {...named({ form }, 'timeZone')}
          className="whole-row"
          required
          list="time-zones"
          spellCheck={false}
          hint={
            isTimeZone(timeZone)
              ? `${shopZoneName(timeZone.trim())} Time. All dates and times of the shop are shown in it.`
              : 'Type a city to find its time zone: Chicago.'
          }
        />
        <datalist id="time-zones">
          {zones.map((zone) => (
            <option key={zone}>{zone}</option>
          ))}
        </datalist>
        <Input
          {...named({ form }, 'appointmentMinutes')}
          required
          inputMode="numeric"
          hint="In minutes, as shown on the website. Each appointment takes as long as its service."
        />
        <Input
          {...named({ form }, 'quoteReplyHours')}
          required
          inputMode="numeric"
          hint="In hours, as the website promises."
        />
      </div>
    </SettingsCard>
  )
}
