import type { Database } from '#contracts/database.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { formatDuration } from '#domain/text/duration-text.ts'
import { cleanLine } from '#domain/text/text-input.ts'
import { requestData } from '#web/lib/data/request-data.ts'
import type { Saved } from '#web/dashboard/kit/forms/versioned-draft.ts'
import type { SettingsRow } from '../kit/use-settings-row.ts'

/**
 * The values of the select elements in the form. Numbers are stored as text, because the value of a select element is a
 * string.
 */
export type RulesForm = {
  noticeMinutes: string
  horizonDays: string
  gridMinutes: string
  changeCutoffMinutes: string
  cancelCutoffMinutes: string
  /** Whether the shop gets an email when a customer reschedules or cancels. */
  notifyShop: boolean
  /** The time of day at which reminders are due, 'HH:mm:ss', in shop time. */
  reminderTime: string
  isPaused: boolean
  pauseSentence: string
}

type Row = Database['public']['Tables']['booking_rules']['Row']

const columns = `notice_minutes, booking_window_days, slot_interval_minutes, change_cutoff_minutes, cancel_cutoff_minutes,
  notify_shop_of_changes, reminder_time, online_booking_paused, pause_message, version`

/** The columns of the table `booking_rules` that the settings section 'Payments' saves. */
type PaymentColumn =
  | 'invoice_lookup_requires_email'
  | 'counts_cash_before_expected'
  | 'rounds_cash'
  | 'close_print_format'

const toSaved = (row: Omit<Row, 'id' | PaymentColumn>): Saved<RulesForm> => ({
  version: row.version,
  form: {
    noticeMinutes: String(row.notice_minutes),
    horizonDays: String(row.booking_window_days),
    gridMinutes: String(row.slot_interval_minutes),
    changeCutoffMinutes: String(row.change_cutoff_minutes),
    cancelCutoffMinutes: String(row.cancel_cutoff_minutes),
    notifyShop: row.notify_shop_of_changes,
    reminderTime: row.reminder_time,
    isPaused: row.online_booking_paused,
    pauseSentence: row.pause_message,
  },
})

const toColumns = (form: RulesForm) => ({
  notice_minutes: Number(form.noticeMinutes),
  booking_window_days: Number(form.horizonDays),
  slot_interval_minutes: Number(form.gridMinutes),
  change_cutoff_minutes: Number(form.changeCutoffMinutes),
  cancel_cutoff_minutes: Number(form.cancelCutoffMinutes),
  notify_shop_of_changes: form.notifyShop,
  reminder_time: form.reminderTime,
  online_booking_paused: form.isPaused,
  pause_message: cleanLine(form.pauseSentence),
})

const noticeTooLong = {
  noticeMinutes: 'The minimum notice must be shorter than the booking window.',
}
const sentenceMissing = {
  pauseSentence: 'Enter a message for visitors while online booking is paused.',
}

/**
 * The texts of a changed rule in the save bar: `value` formats the value of the rule, and `sentence` inserts the
 * formatted value into a sentence.
 */
type RuleText = { value: (form: RulesForm) => string; sentence: (value: string) => string }

const ruleTexts: Readonly<Partial<Record<keyof RulesForm, RuleText>>> = {
  noticeMinutes: {
    value: (form) => formatMinutes(form.noticeMinutes),
    sentence: (value) => `At least ${value} before the appointment`,
  },
  horizonDays: {
    value: (form) => `${form.horizonDays} days`,
    sentence: (value) => `Up to ${value} ahead`,
  },
  gridMinutes: {
    value: (form) => formatMinutes(form.gridMinutes),
    sentence: (value) => `An appointment can start every ${value}`,
  },
  changeCutoffMinutes: {
    value: (form) => formatMinutes(form.changeCutoffMinutes),
    sentence: (value) => `Reschedule until ${value} before`,
  },
  cancelCutoffMinutes: {
    value: (form) => formatMinutes(form.cancelCutoffMinutes),
    sentence: (value) => `Cancel until ${value} before`,
  },
  reminderTime: {
    value: (form) => formatTime(form.reminderTime),
    sentence: (value) => `Reminder the day before, at ${value}`,
  },
}

function labelOf(name: keyof RulesForm, before: RulesForm, now: RulesForm): string {
  if (name === 'isPaused')
    return now.isPaused ? 'Online booking is paused' : 'Online booking is open'
  if (name === 'notifyShop')
    return now.notifyShop
      ? 'Email about changes by customers'
      : 'No email about changes by customers'
  const rule = ruleTexts[name]
  if (!rule) return 'Message for visitors'
  return `${rule.sentence(rule.value(now))} (was ${rule.value(before)})`
}

/** Converts a text with a number of minutes to words: '2880' → '2 days', '120' → '2 hours'. */
export function formatMinutes(minutes: string): string {
  const days = Number(minutes) / 1440
  if (days >= 2 && Number.isInteger(days)) return `${days} days`
  return formatDuration(Number(minutes))
}

/** Defines how the form of the booking rules is read, checked and saved. */
export const rulesRow: SettingsRow<RulesForm> = {
  section: 'rules',
  empty: {
    noticeMinutes: '',
    horizonDays: '',
    gridMinutes: '',
    changeCutoffMinutes: '',
    cancelCutoffMinutes: '',
    notifyShop: false,
    reminderTime: '',
    isPaused: false,
    pauseSentence: '',
  },
  read: async () => {
    const { data } = await requestData((service) =>
      service.from('booking_rules').select(columns).single(),
    )
    return toSaved(data)
  },
  write: async (form, version) => {
    const { data } = await requestData((service) =>
      service.from('booking_rules').update(toColumns(form)).eq('version', version).select(columns),
    )
    return data[0] && toSaved(data[0])
  },
  check: (form) => {
    if (Number(form.noticeMinutes) >= Number(form.horizonDays) * 1440) return noticeTooLong
    if (form.isPaused && cleanLine(form.pauseSentence) === '') return sentenceMissing
    return {}
  },
  label: labelOf,
  refusals: {
    booking_rules_notice_within_booking_window: noticeTooLong,
    booking_rules_pause_has_message: sentenceMissing,
    booking_rules_pause_message_is_text: {
      pauseSentence: 'Please enter up to 300 visible characters.',
    },
  },
  effect: 'New bookings follow these rules. Existing appointments are not changed.',
  limits: { pauseSentence: 300 },
}
