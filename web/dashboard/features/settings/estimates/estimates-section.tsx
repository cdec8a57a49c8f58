import type { Form } from '#web/lib/forms/use-form.ts'
import { Input, TextArea } from '#web/ui/field/field.tsx'
import { SettingsRowSection } from '../kit/settings-row-section.tsx'
import { SettingsCard } from '../kit/settings-card.tsx'
import { EstimatePreview } from './estimate-preview.tsx'
import {
  type EstimateRulesForm,
  estimateRuleLabels,
  estimateRulesRow,
} from './estimate-rules-row.ts'
import { CannedJobsCard } from './canned-jobs-card.tsx'
import { TaxRatesCard } from './tax-rates-card.tsx'
import './estimates.css'

type Fields = { form: Form<EstimateRulesForm> }

/** The settings section of estimates: defaults, sales tax, canned jobs and printed texts. */
export function EstimatesSection() {
  const cards = (
    <>
      <TaxRatesCard />
      <CannedJobsCard />
    </>
  )
  return (
    <SettingsRowSection
      row={estimateRulesRow}
      Preview={EstimatePreview}
      more={{ cards, sections: [] }}
    >
      {({ form }) => (
        <>
          <NewEstimates form={form} />
          <PrintSettings form={form} />
        </>
      )}
    </SettingsRowSection>
  )
}

/** The props of a field, with the same label as in the list of unsaved changes. */
const named = ({ form }: Fields, name: keyof EstimateRulesForm) => ({
  ...form.field(name),
  label: estimateRuleLabels[name],
})

function NewEstimates(props: Fields) {
  return (
    <SettingsCard title="New estimates">
      <div className="settings-columns">
        <Input
          {...named(props, 'laborRate')}
          required
          inputMode="decimal"
          hint="In US dollars. A labor line can have a different rate."
        />
        <Input
          {...named(props, 'goodForDays')}
          required
          inputMode="numeric"
          hint="An estimate can be approved until the end of its last day."
        />
      </div>
    </SettingsCard>
  )
}

function PrintSettings(props: Fields) {
  return (
    <SettingsCard title="On every estimate and invoice">
      <div className="settings-columns">
        <Input
          {...named(props, 'registrationNumber')}
          autoComplete="off"
          hint="Issued by the Bureau of Automotive Repair. California requires it."
        />
        <Input
          {...named(props, 'epaNumber')}
          autoComplete="off"
          hint="Without this number, no estimate can charge for hazardous waste."
        />
        <TextArea
          {...named(props, 'conditions')}
          className="whole-row"
          rows={4}
          hint="Shown below the total, for example warranty and storage."
        />
        <TextArea
          {...named(props, 'payerSentence')}
          className="whole-row"
          required
          rows={3}
          hint="On estimates only, in place of the amount (16 CCR 3353)."
        />
      </div>
    </SettingsCard>
  )
}
