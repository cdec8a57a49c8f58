import { formatTime, timeOfMinute } from '#domain/calendar/clock-time.ts'
import { FieldError, TextArea } from '#web/ui/field/field.tsx'
import { Switch } from '#web/dashboard/kit/controls/switch.tsx'
import { SettingsRowSection } from '../kit/settings-row-section.tsx'
import { SettingsCard } from '../kit/settings-card.tsx'
import { RuleSelect, type RulesFields } from './rule-select.tsx'
import { RulesPreview } from './rules-preview.tsx'
import { formatMinutes, rulesRow } from './rules-row.ts'

const hour = 60
const day = 24 * hour
const noticeMinutes = [0, 30, 60, 120, 180, 240, 360, 720, day, 2 * day, 3 * day, 7 * day, 14 * day]
const horizonDays = [7, 14, 21, 30, 45, 60, 90, 180, 365]
const gridMinutes = [10, 15, 20, 30, 45, 60, 90, 120]
/**
 * The selectable reminder times, from 8:00 AM to 8:30 PM: the shop never sends reminders at night (docs/product.md
 * 14.7).
 */
const reminderTimes = Array.from(
  { length: 26 },
  (_, index) => `${timeOfMinute(8 * hour + index * 30)}:00`,
)

const formatDayCount = (days: string) => (days === '1' ? '1 day' : `${days} days`)

/** The form of the booking rules. Each rule is a sentence with a select. */
export function RulesSection() {
  return (
    <SettingsRowSection row={rulesRow} Preview={RulesPreview}>
      {({ form, values }) => (
        <>
          <NewBookings form={form} />
          <CustomersChanges form={form} isShopNotified={values.notifyShop} />
          <SettingsCard title="Reminders">
            <ul className="rules">
              <li>
                <RuleSelect
                  form={form}
                  name="reminderTime"
                  label="Reminder time"
                  choices={reminderTimes}
                  format={formatTime}
                  before="The day before, at"
                  after="."
                />
                <small>
                  One email per appointment. Customers who book or reschedule after this time get no
                  reminder.
                </small>
              </li>
            </ul>
          </SettingsCard>
          <SettingsCard title="Pause">
            <Switch
              name="isPaused"
              checked={values.isPaused}
              onChange={({ target }) => form.change({ isPaused: target.checked })}
            >
              Pause online booking
            </Switch>
            <TextArea
              {...form.field('pauseSentence')}
              label="Message to visitors while paused"
              hint="Visitors also see the phone number. By phone you can book any time."
              rows={2}
            />
          </SettingsCard>
        </>
      )}
    </SettingsRowSection>
  )
}

function NewBookings({ form }: { form: RulesFields }) {
  return (
    <SettingsCard title="New bookings">
      <ul className="rules">
        <li>
          <RuleSelect
            form={form}
            name="noticeMinutes"
            label="Notice"
            choices={noticeMinutes.map(String)}
            format={formatMinutes}
            before="At least"
            after="before the appointment."
          />
          <small>The website hides times within this notice. By phone you can book any time.</small>
          {form.errors.noticeMinutes && <FieldError>{form.errors.noticeMinutes}</FieldError>}
        </li>
        <li>
          <RuleSelect
            form={form}
            name="horizonDays"
            label="Booking window"
            choices={horizonDays.map(String)}
            format={formatDayCount}
            before="Up to"
            after="ahead."
          />
        </li>
        <li>
          <RuleSelect
            form={form}
            name="gridMinutes"
            label="Step"
            choices={gridMinutes.map(String)}
            format={formatMinutes}
            before="An appointment can start every"
            after="."
          />
        </li>
      </ul>
    </SettingsCard>
  )
}

function CustomersChanges({
  form,
  isShopNotified,
}: {
  form: RulesFields
  isShopNotified: boolean
}) {
  return (
    <SettingsCard title="Changes by the customer">
      <ul className="rules">
        <li>
          <RuleSelect
            form={form}
            name="changeCutoffMinutes"
            label="Reschedule until"
            choices={noticeMinutes.map(String)}
            format={formatMinutes}
            before="Reschedule until"
            after="before."
          />
        </li>
        <li>
          <RuleSelect
            form={form}
            name="cancelCutoffMinutes"
            label="Cancel until"
            choices={noticeMinutes.map(String)}
            format={formatMinutes}
            before="Cancel until"
            after="before."
          />
          <small>
            Customers reschedule and cancel on the page of their appointment. After the deadline,
            the page shows your phone number.
          </small>
        </li>
      </ul>
      <Switch
        name="tellShop"
        checked={isShopNotified}
        onChange={({ target }) => form.change({ notifyShop: target.checked })}
      >
        Email me when a customer reschedules or cancels
      </Switch>
    </SettingsCard>
  )
}
