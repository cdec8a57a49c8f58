import type { LedgerLine } from '#contracts/payments/ledger-line.ts'
import type { OutboxEmail } from '#contracts/emails/emails.ts'
import type { Database as Generated } from './database-types.ts'
import type { TaskPriority, TaskStatus } from '#domain/tasks/task-status.ts'
import type { VehicleFacts } from '#domain/bookings/vehicle-state.ts'

type GeneratedTables = Generated['public']['Tables']
type GeneratedFunctions = Generated['public']['Functions']
type TableName = keyof GeneratedTables

/** More precise types for text columns with a check constraint; the generated types declare these columns as string. */
type Checked = {
  emails: Pick<OutboxEmail, 'kind' | 'status'>
  payments: Pick<LedgerLine, 'kind' | 'method'>
  settings_history: { section: SettingsSection; action: 'added' | 'changed' | 'removed' }
  settings_versions: { section: SettingsSection }
  quote_requests: { status: 'pending' | 'completed' }
  tasks: { status: TaskStatus; priority: TaskPriority }
}

/**
 * A section of the settings page. When a setting changes, the database sends the section's name to the server
 * processes.
 */
export type SettingsSection =
  | 'shop'
  | 'rules'
  | 'hours'
  | 'closures'
  | 'bays'
  | 'services'
  | 'team'
  | 'estimates'

/** Columns that a trigger fills in for every row, so that an insert may omit them. */
type Filled = { bookings: 'duration_minutes' | 'service_name' | 'notified_starts_at' }

/**
 * The types of computed columns, which are database functions over a row. A client can read such a column only in rows
 * that row-level security allows the client to read.
 */
type Computed = { bookings: { vehicle_facts: VehicleFacts } }

type ComputedOf<Name> = Name extends keyof Computed ? Computed[Name] : unknown
type CheckedOf<Name> = Name extends keyof Checked ? Checked[Name] : unknown
type FilledIn<Name> = Name extends keyof Filled ? Filled[Name] : never

type Narrow<Columns, Checks> = {
  [Column in keyof Columns]: Column extends keyof Checks
    ? Checks[Column] | Extract<Columns[Column], null | undefined>
    : Columns[Column]
}

/**
 * Allows null for every argument of a function, because the generated types do not state which arguments may be null.
 */
type Nullable<Arguments> = { [Name in keyof Arguments]: Arguments[Name] | null }

/**
 * The schema `public` as the REST API exposes it: the generated types, refined by the effects of check constraints and
 * triggers.
 */
export type Database = {
  public: Omit<Generated['public'], 'Tables' | 'Functions'> & {
    Tables: {
      [Name in TableName]: {
        Row: Omit<Narrow<GeneratedTables[Name]['Row'], CheckedOf<Name>>, keyof ComputedOf<Name>> &
          ComputedOf<Name>
        Insert: Omit<Narrow<GeneratedTables[Name]['Insert'], CheckedOf<Name>>, FilledIn<Name>>
        Update: Narrow<GeneratedTables[Name]['Update'], CheckedOf<Name>>
        Relationships: GeneratedTables[Name]['Relationships']
      }
    }
    Functions: {
      [Name in keyof GeneratedFunctions]: Omit<GeneratedFunctions[Name], 'Args'> & {
        Args: Nullable<GeneratedFunctions[Name]['Args']>
      }
    }
  }
}
