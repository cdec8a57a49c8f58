/*
 * Generated from the database by `npm run types`; a test fails when this file is out of date. Contains the types of
 * every table, column and function that the data service offers, in the form that supabase-js expects.
 */
export type Json =
  | string
  | number
  | boolean
  | null
  | { [key: string]: Json | undefined }
  | Json[]

export type Database = {
  // Allows to automatically instantiate createClient with right options
  // instead of createClient<Database, { PostgrestVersion: 'XX' }>(URL, KEY)
  __InternalSupabase: {
    PostgrestVersion: "12"
  }
  public: {
    Tables: {
      audit_events: {
        Row: {
          amount_cents: number | null
          confirmed_with: string | null
          customer_id: string | null
          detail: string | null
          device: string | null
          happened_at: string
          id: number
          invoice_id: string | null
          kind: string
          network_address: unknown
          role: string | null
          subject_user_id: string | null
          user_id: string | null
        }
        Insert: {
          amount_cents?: number | null
          confirmed_with?: string | null
          customer_id?: string | null
          detail?: string | null
          device?: string | null
          happened_at?: string
          id?: never
          invoice_id?: string | null
          kind: string
          network_address?: unknown
          role?: string | null
          subject_user_id?: string | null
          user_id?: string | null
        }
        Update: {
          amount_cents?: number | null
          confirmed_with?: string | null
          customer_id?: string | null
          detail?: string | null
          device?: string | null
          happened_at?: string
          id?: never
          invoice_id?: string | null
          kind?: string
          network_address?: unknown
          role?: string | null
          subject_user_id?: string | null
          user_id?: string | null
        }
        Relationships: []
      }
      authorizations: {
        Row: {
          amount_cents: number
          batch_id: string
          contact: string
          customer_id: string | null
          decided_at: string
          decided_by_name: string
          decision: string
          estimate_id: string
          id: number
          job_key: string
          job_title: string
          link_version: number | null
          method: string
          recorded_at: string
          recorded_by: string
          relationship: string
          revision: number
          revision_hash: string
          running_total_cents: number
          statement: string
          vehicle_id: string | null
          wants_parts_back: boolean
          withdraws_id: number | null
        }
        Insert: {
          amount_cents: number
          batch_id: string
          contact?: string
          customer_id?: string | null
          decided_at: string
          decided_by_name: string
          decision: string
          estimate_id: string
          id?: never
          job_key: string
          job_title: string
          link_version?: number | null
          method: string
          recorded_at?: string
          recorded_by: string
          relationship?: string
          revision: number
          revision_hash: string
          running_total_cents: number
          statement?: string
          vehicle_id?: string | null
          wants_parts_back?: boolean
          withdraws_id?: number | null
        }
        Update: {
          amount_cents?: number
          batch_id?: string
          contact?: string
          customer_id?: string | null
          decided_at?: string
          decided_by_name?: string
          decision?: string
          estimate_id?: string
          id?: never
          job_key?: string
          job_title?: string
          link_version?: number | null
          method?: string
          recorded_at?: string
          recorded_by?: string
          relationship?: string
          revision?: number
          revision_hash?: string
          running_total_cents?: number
          statement?: string
          vehicle_id?: string | null
          wants_parts_back?: boolean
          withdraws_id?: number | null
        }
        Relationships: [
          {
            foreignKeyName: "authorizations_bound_to_revision"
            columns: ["estimate_id", "revision", "revision_hash"]
            referencedRelation: "estimate_revisions"
            referencedColumns: ["estimate_id", "revision", "hash"]
          },
          {
            foreignKeyName: "authorizations_of_a_job"
            columns: ["estimate_id", "revision", "job_key"]
            referencedRelation: "estimate_jobs"
            referencedColumns: ["estimate_id", "revision", "job_key"]
          },
          {
            foreignKeyName: "authorizations_withdraws_id_fkey"
            columns: ["withdraws_id"]
            referencedRelation: "authorizations"
            referencedColumns: ["id"]
          },
        ]
      }
      bay_services: {
        Row: {
          bay_id: string
          service_id: string
        }
        Insert: {
          bay_id: string
          service_id: string
        }
        Update: {
          bay_id?: string
          service_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "bay_services_bay_id_fkey"
            columns: ["bay_id"]
            referencedRelation: "bays"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "bay_services_bay_id_fkey"
            columns: ["bay_id"]
            referencedRelation: "technician_bays"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "bay_services_service_id_fkey"
            columns: ["service_id"]
            referencedRelation: "services"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "bay_services_service_id_fkey"
            columns: ["service_id"]
            referencedRelation: "technician_services"
            referencedColumns: ["id"]
          },
        ]
      }
      bays: {
        Row: {
          id: string
          is_active: boolean
          is_sample: boolean
          name: string
          position: number
          technician: string | null
          version: number
        }
        Insert: {
          id?: string
          is_active?: boolean
          is_sample?: boolean
          name: string
          position: number
          technician?: string | null
          version?: number
        }
        Update: {
          id?: string
          is_active?: boolean
          is_sample?: boolean
          name?: string
          position?: number
          technician?: string | null
          version?: number
        }
        Relationships: []
      }
      booking_events: {
        Row: {
          after: Json | null
          before: Json | null
          booking_id: string
          changed_by_name: string
          happened_at: string
          id: number
          kind: string
          reason: string | null
          source: string
          warnings: string[]
        }
        Insert: {
          after?: Json | null
          before?: Json | null
          booking_id: string
          changed_by_name: string
          happened_at?: string
          id?: never
          kind: string
          reason?: string | null
          source: string
          warnings?: string[]
        }
        Update: {
          after?: Json | null
          before?: Json | null
          booking_id?: string
          changed_by_name?: string
          happened_at?: string
          id?: never
          kind?: string
          reason?: string | null
          source?: string
          warnings?: string[]
        }
        Relationships: []
      }
      booking_rules: {
        Row: {
          booking_window_days: number
          cancel_cutoff_minutes: number
          change_cutoff_minutes: number
          close_print_format: string
          counts_cash_before_expected: boolean
          id: boolean
          invoice_lookup_requires_email: boolean
          notice_minutes: number
          notify_shop_of_changes: boolean
          online_booking_paused: boolean
          pause_message: string
          reminder_time: string
          rounds_cash: boolean
          slot_interval_minutes: number
          version: number
        }
        Insert: {
          booking_window_days?: number
          cancel_cutoff_minutes?: number
          change_cutoff_minutes?: number
          close_print_format?: string
          counts_cash_before_expected?: boolean
          id?: boolean
          invoice_lookup_requires_email?: boolean
          notice_minutes?: number
          notify_shop_of_changes?: boolean
          online_booking_paused?: boolean
          pause_message?: string
          reminder_time?: string
          rounds_cash?: boolean
          slot_interval_minutes?: number
          version?: number
        }
        Update: {
          booking_window_days?: number
          cancel_cutoff_minutes?: number
          change_cutoff_minutes?: number
          close_print_format?: string
          counts_cash_before_expected?: boolean
          id?: boolean
          invoice_lookup_requires_email?: boolean
          notice_minutes?: number
          notify_shop_of_changes?: boolean
          online_booking_paused?: boolean
          pause_message?: string
          reminder_time?: string
          rounds_cash?: boolean
          slot_interval_minutes?: number
          version?: number
        }
        Relationships: []
      }
      bookings: {
        Row: {
          appointment_date: string
          appointment_time: string
          attendance_confirmed_at: string | null
          bay_id: string | null
          calendar_sequence: number
          completed_at: string | null
          completed_by: string | null
          conflict_accepted_at: string | null
          conflict_accepted_by: string | null
          created_at: string
          customer_email: string | null
          customer_id: string | null
          customer_name: string
          customer_phone: string
          duration_minutes: number
          flagged_reasons: string[]
          held_until: string | null
          hold_confirmed_at: string | null
          id: string
          internal_note: string | null
          is_notification_outdated: boolean
          is_sample: boolean
          link_version: number
          notes: string | null
          notified_cancelled: boolean
          notified_starts_at: string
          occupied: unknown
          repair_id: string
          search_text: string
          service_id: string
          service_name: string
          service_price_cents: number | null
          state_changed_at: string
          status: string
          vehicle_color: string | null
          vehicle_id: string | null
          vehicle_make: string | null
          vehicle_model: string | null
          vehicle_year: string | null
          version: number
          vehicle_facts: Json | null
        }
        Insert: {
          appointment_date: string
          appointment_time: string
          attendance_confirmed_at?: string | null
          bay_id?: string | null
          calendar_sequence?: number
          completed_at?: string | null
          completed_by?: string | null
          conflict_accepted_at?: string | null
          conflict_accepted_by?: string | null
          created_at?: string
          customer_email?: string | null
          customer_id?: string | null
          customer_name: string
          customer_phone: string
          duration_minutes: number
          flagged_reasons?: string[]
          held_until?: string | null
          hold_confirmed_at?: string | null
          id?: string
          internal_note?: string | null
          is_notification_outdated?: never
          is_sample?: boolean
          link_version?: number
          notes?: string | null
          notified_cancelled?: boolean
          notified_starts_at: string
          occupied?: never
          repair_id?: string
          search_text?: string
          service_id: string
          service_name: string
          service_price_cents?: number | null
          state_changed_at?: string
          status?: string
          vehicle_color?: string | null
          vehicle_id?: string | null
          vehicle_make?: string | null
          vehicle_model?: string | null
          vehicle_year?: string | null
          version?: number
        }
        Update: {
          appointment_date?: string
          appointment_time?: string
          attendance_confirmed_at?: string | null
          bay_id?: string | null
          calendar_sequence?: number
          completed_at?: string | null
          completed_by?: string | null
          conflict_accepted_at?: string | null
          conflict_accepted_by?: string | null
          created_at?: string
          customer_email?: string | null
          customer_id?: string | null
          customer_name?: string
          customer_phone?: string
          duration_minutes?: number
          flagged_reasons?: string[]
          held_until?: string | null
          hold_confirmed_at?: string | null
          id?: string
          internal_note?: string | null
          is_notification_outdated?: never
          is_sample?: boolean
          link_version?: number
          notes?: string | null
          notified_cancelled?: boolean
          notified_starts_at?: string
          occupied?: never
          repair_id?: string
          search_text?: string
          service_id?: string
          service_name?: string
          service_price_cents?: number | null
          state_changed_at?: string
          status?: string
          vehicle_color?: string | null
          vehicle_id?: string | null
          vehicle_make?: string | null
          vehicle_model?: string | null
          vehicle_year?: string | null
          version?: number
        }
        Relationships: [
          {
            foreignKeyName: "bookings_bay_id_fkey"
            columns: ["bay_id"]
            referencedRelation: "bays"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "bookings_bay_id_fkey"
            columns: ["bay_id"]
            referencedRelation: "technician_bays"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "bookings_customer_id_fkey"
            columns: ["customer_id"]
            referencedRelation: "customers"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "bookings_service_id_fkey"
            columns: ["service_id"]
            referencedRelation: "services"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "bookings_service_id_fkey"
            columns: ["service_id"]
            referencedRelation: "technician_services"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "bookings_vehicle_id_fkey"
            columns: ["vehicle_id"]
            referencedRelation: "vehicles"
            referencedColumns: ["id"]
          },
        ]
      }
      canned_jobs: {
        Row: {
          id: string
          is_sample: boolean
          job: NonNullable<Json>
          saved_at: string
          title: string
        }
        Insert: {
          id?: string
          is_sample?: boolean
          job: NonNullable<Json>
          saved_at?: string
          title: string
        }
        Update: {
          id?: string
          is_sample?: boolean
          job?: NonNullable<Json>
          saved_at?: string
          title?: string
        }
        Relationships: []
      }
      cash_drawers: {
        Row: {
          id: number
          name: string
        }
        Insert: {
          id: number
          name: string
        }
        Update: {
          id?: number
          name?: string
        }
        Relationships: []
      }
      cash_movements: {
        Row: {
          amount_cents: number
          business_date: string
          drawer_id: number
          id: string
          kind: string
          reason: string
          recorded_at: string
          recorded_by_name: string
        }
        Insert: {
          amount_cents: number
          business_date: string
          drawer_id?: number
          id?: string
          kind: string
          reason: string
          recorded_at: string
          recorded_by_name: string
        }
        Update: {
          amount_cents?: number
          business_date?: string
          drawer_id?: number
          id?: string
          kind?: string
          reason?: string
          recorded_at?: string
          recorded_by_name?: string
        }
        Relationships: [
          {
            foreignKeyName: "cash_movements_drawer_id_fkey"
            columns: ["drawer_id"]
            referencedRelation: "cash_drawers"
            referencedColumns: ["id"]
          },
        ]
      }
      credit_note_parts: {
        Row: {
          amount_cents: number
          credit_note_id: string
          part_key: string
          tax_cents: number
        }
        Insert: {
          amount_cents: number
          credit_note_id: string
          part_key: string
          tax_cents: number
        }
        Update: {
          amount_cents?: number
          credit_note_id?: string
          part_key?: string
          tax_cents?: number
        }
        Relationships: [
          {
            foreignKeyName: "credit_note_parts_credit_note_id_fkey"
            columns: ["credit_note_id"]
            referencedRelation: "credit_notes"
            referencedColumns: ["id"]
          },
        ]
      }
      credit_notes: {
        Row: {
          amount_cents: number
          business_date: string
          created_at: string
          created_by_name: string
          id: string
          invoice_id: string
          kind: string
          reason: string
          tax_cents: number
        }
        Insert: {
          amount_cents: number
          business_date: string
          created_at?: string
          created_by_name: string
          id?: string
          invoice_id: string
          kind: string
          reason: string
          tax_cents: number
        }
        Update: {
          amount_cents?: number
          business_date?: string
          created_at?: string
          created_by_name?: string
          id?: string
          invoice_id?: string
          kind?: string
          reason?: string
          tax_cents?: number
        }
        Relationships: []
      }
      customer_contact_methods: {
        Row: {
          confirmed_at: string | null
          confirmed_by_name: string | null
          created_at: string
          customer_id: string
          id: number
          kind: string
          match_key: string
          value: string
        }
        Insert: {
          confirmed_at?: string | null
          confirmed_by_name?: string | null
          created_at?: string
          customer_id: string
          id?: never
          kind: string
          match_key: string
          value: string
        }
        Update: {
          confirmed_at?: string | null
          confirmed_by_name?: string | null
          created_at?: string
          customer_id?: string
          id?: never
          kind?: string
          match_key?: string
          value?: string
        }
        Relationships: [
          {
            foreignKeyName: "customer_contact_methods_customer_id_fkey"
            columns: ["customer_id"]
            referencedRelation: "customers"
            referencedColumns: ["id"]
          },
        ]
      }
      customer_notes: {
        Row: {
          created_at: string
          customer_id: string
          id: string
          note: string
          written_by_name: string
        }
        Insert: {
          created_at?: string
          customer_id: string
          id?: string
          note: string
          written_by_name: string
        }
        Update: {
          created_at?: string
          customer_id?: string
          id?: string
          note?: string
          written_by_name?: string
        }
        Relationships: [
          {
            foreignKeyName: "customer_notes_customer_id_fkey"
            columns: ["customer_id"]
            referencedRelation: "customers"
            referencedColumns: ["id"]
          },
        ]
      }
      customers: {
        Row: {
          created_at: string
          email: string | null
          erased_at: string | null
          gets_reminders: boolean
          id: string
          is_sample: boolean
          merged_into: string | null
          name: string
          phone: string | null
          phone_key: string | null
          search_text: string
          version: number
        }
        Insert: {
          created_at?: string
          email?: string | null
          erased_at?: string | null
          gets_reminders?: boolean
          id?: string
          is_sample?: boolean
          merged_into?: string | null
          name: string
          phone?: string | null
          phone_key?: never
          search_text?: never
          version?: number
        }
        Update: {
          created_at?: string
          email?: string | null
          erased_at?: string | null
          gets_reminders?: boolean
          id?: string
          is_sample?: boolean
          merged_into?: string | null
          name?: string
          phone?: string | null
          phone_key?: never
          search_text?: never
          version?: number
        }
        Relationships: [
          {
            foreignKeyName: "customers_merged_into_fkey"
            columns: ["merged_into"]
            referencedRelation: "customers"
            referencedColumns: ["id"]
          },
        ]
      }
      day_close_corrections: {
        Row: {
          amount_cents: number
          close_id: string
          id: string
          reason: string
          recorded_at: string
          recorded_by_name: string
        }
        Insert: {
          amount_cents: number
          close_id: string
          id?: string
          reason: string
          recorded_at: string
          recorded_by_name: string
        }
        Update: {
          amount_cents?: number
          close_id?: string
          id?: string
          reason?: string
          recorded_at?: string
          recorded_by_name?: string
        }
        Relationships: [
          {
            foreignKeyName: "day_close_corrections_close_id_fkey"
            columns: ["close_id"]
            referencedRelation: "day_closes"
            referencedColumns: ["id"]
          },
        ]
      }
      day_closes: {
        Row: {
          business_date: string
          check_counted_cents: number | null
          check_expected_cents: number
          closed_at: string
          closed_by_name: string
          counted: NonNullable<Json>
          counted_cents: number
          drawer_id: number
          expected_cents: number
          id: string
          note: string | null
          reason: string | null
          remains_cents: number
          start_cents: number
          terminal_counted_cents: number | null
          terminal_expected_cents: number
        }
        Insert: {
          business_date: string
          check_counted_cents?: number | null
          check_expected_cents: number
          closed_at: string
          closed_by_name: string
          counted: NonNullable<Json>
          counted_cents?: never
          drawer_id?: number
          expected_cents: number
          id?: string
          note?: string | null
          reason?: string | null
          remains_cents: number
          start_cents: number
          terminal_counted_cents?: number | null
          terminal_expected_cents: number
        }
        Update: {
          business_date?: string
          check_counted_cents?: number | null
          check_expected_cents?: number
          closed_at?: string
          closed_by_name?: string
          counted?: NonNullable<Json>
          counted_cents?: never
          drawer_id?: number
          expected_cents?: number
          id?: string
          note?: string | null
          reason?: string | null
          remains_cents?: number
          start_cents?: number
          terminal_counted_cents?: number | null
          terminal_expected_cents?: number
        }
        Relationships: [
          {
            foreignKeyName: "day_closes_drawer_id_fkey"
            columns: ["drawer_id"]
            referencedRelation: "cash_drawers"
            referencedColumns: ["id"]
          },
        ]
      }
      deposits: {
        Row: {
          amount_cents: number | null
          asked_at: string
          asked_by_name: string
          estimate_id: string
          share_percent: number | null
        }
        Insert: {
          amount_cents?: number | null
          asked_at: string
          asked_by_name: string
          estimate_id: string
          share_percent?: number | null
        }
        Update: {
          amount_cents?: number | null
          asked_at?: string
          asked_by_name?: string
          estimate_id?: string
          share_percent?: number | null
        }
        Relationships: [
          {
            foreignKeyName: "deposits_estimate_id_fkey"
            columns: ["estimate_id"]
            referencedRelation: "estimates"
            referencedColumns: ["id"]
          },
        ]
      }
      emails: {
        Row: {
          appointment_at: string | null
          attachments: NonNullable<Json>
          attempts: number
          booking_id: string | null
          created_at: string
          dedupe_key: string
          estimate_id: string | null
          estimate_revision: number | null
          html_body: string
          id: string
          invoice_id: string | null
          kind: string
          last_error: string | null
          leased_until: string | null
          next_attempt_at: string
          provider_message_id: string | null
          quote_request_id: string | null
          recipient_email: string
          recipient_name: string
          resend_count: number
          sent_at: string | null
          status: string
          subject: string
          text_body: string
        }
        Insert: {
          appointment_at?: string | null
          attachments?: NonNullable<Json>
          attempts?: number
          booking_id?: string | null
          created_at?: string
          dedupe_key: string
          estimate_id?: string | null
          estimate_revision?: number | null
          html_body: string
          id?: string
          invoice_id?: string | null
          kind: string
          last_error?: string | null
          leased_until?: string | null
          next_attempt_at?: string
          provider_message_id?: string | null
          quote_request_id?: string | null
          recipient_email: string
          recipient_name?: string
          resend_count?: number
          sent_at?: string | null
          status?: string
          subject: string
          text_body: string
        }
        Update: {
          appointment_at?: string | null
          attachments?: NonNullable<Json>
          attempts?: number
          booking_id?: string | null
          created_at?: string
          dedupe_key?: string
          estimate_id?: string | null
          estimate_revision?: number | null
          html_body?: string
          id?: string
          invoice_id?: string | null
          kind?: string
          last_error?: string | null
          leased_until?: string | null
          next_attempt_at?: string
          provider_message_id?: string | null
          quote_request_id?: string | null
          recipient_email?: string
          recipient_name?: string
          resend_count?: number
          sent_at?: string | null
          status?: string
          subject?: string
          text_body?: string
        }
        Relationships: [
          {
            foreignKeyName: "emails_booking_id_fkey"
            columns: ["booking_id"]
            referencedRelation: "bookings"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "emails_booking_id_fkey"
            columns: ["booking_id"]
            referencedRelation: "schedule_conflicts"
            referencedColumns: ["booking_id"]
          },
          {
            foreignKeyName: "emails_booking_id_fkey"
            columns: ["booking_id"]
            referencedRelation: "technician_bookings"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "emails_estimate_id_fkey"
            columns: ["estimate_id"]
            referencedRelation: "estimates"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "emails_quote_request_id_fkey"
            columns: ["quote_request_id"]
            referencedRelation: "quote_requests"
            referencedColumns: ["id"]
          },
        ]
      }
      employees: {
        Row: {
          email: string
          id: string
          is_active: boolean
          name: string
          version: number
        }
        Insert: {
          email: string
          id?: string
          is_active?: boolean
          name: string
          version?: number
        }
        Update: {
          email?: string
          id?: string
          is_active?: boolean
          name?: string
          version?: number
        }
        Relationships: []
      }
      erasures: {
        Row: {
          counts: NonNullable<Json>
          customer_id: string
          erased_at: string
          erased_by_name: string
          id: string
          retained: NonNullable<Json>
          retained_until: string | null
        }
        Insert: {
          counts: NonNullable<Json>
          customer_id: string
          erased_at?: string
          erased_by_name: string
          id?: string
          retained: NonNullable<Json>
          retained_until?: string | null
        }
        Update: {
          counts?: NonNullable<Json>
          customer_id?: string
          erased_at?: string
          erased_by_name?: string
          id?: string
          retained?: NonNullable<Json>
          retained_until?: string | null
        }
        Relationships: []
      }
      estimate_events: {
        Row: {
          after: Json | null
          before: Json | null
          changed_by_name: string
          estimate_id: string
          happened_at: string
          id: number
          kind: string
        }
        Insert: {
          after?: Json | null
          before?: Json | null
          changed_by_name: string
          estimate_id: string
          happened_at?: string
          id?: never
          kind: string
        }
        Update: {
          after?: Json | null
          before?: Json | null
          changed_by_name?: string
          estimate_id?: string
          happened_at?: string
          id?: never
          kind?: string
        }
        Relationships: []
      }
      estimate_invoice_jobs: {
        Row: {
          cents: number
          claim_id: string
          job_key: string
        }
        Insert: {
          cents: number
          claim_id: string
          job_key: string
        }
        Update: {
          cents?: number
          claim_id?: string
          job_key?: string
        }
        Relationships: [
          {
            foreignKeyName: "estimate_invoice_jobs_claim_id_fkey"
            columns: ["claim_id"]
            referencedRelation: "estimate_invoices"
            referencedColumns: ["id"]
          },
        ]
      }
      estimate_invoices: {
        Row: {
          claimed_at: string
          claimed_by: string
          estimate_id: string
          id: string
          invoice_id: string | null
          number: string | null
          revision: number
          settled_at: string | null
          state: string
          tax_cents: number
          total_cents: number
        }
        Insert: {
          claimed_at?: string
          claimed_by: string
          estimate_id: string
          id?: string
          invoice_id?: string | null
          number?: string | null
          revision: number
          settled_at?: string | null
          state?: string
          tax_cents: number
          total_cents: number
        }
        Update: {
          claimed_at?: string
          claimed_by?: string
          estimate_id?: string
          id?: string
          invoice_id?: string | null
          number?: string | null
          revision?: number
          settled_at?: string | null
          state?: string
          tax_cents?: number
          total_cents?: number
        }
        Relationships: [
          {
            foreignKeyName: "estimate_invoices_estimate_id_revision_fkey"
            columns: ["estimate_id", "revision"]
            referencedRelation: "estimate_revisions"
            referencedColumns: ["estimate_id", "revision"]
          },
        ]
      }
      estimate_jobs: {
        Row: {
          customer_description: string
          estimate_id: string
          is_needed_now: boolean
          job_key: string
          measurement: Json | null
          position: number
          revision: number
          tear_down: Json | null
          title: string
        }
        Insert: {
          customer_description: string
          estimate_id: string
          is_needed_now: boolean
          job_key: string
          measurement?: Json | null
          position: number
          revision: number
          tear_down?: Json | null
          title: string
        }
        Update: {
          customer_description?: string
          estimate_id?: string
          is_needed_now?: boolean
          job_key?: string
          measurement?: Json | null
          position?: number
          revision?: number
          tear_down?: Json | null
          title?: string
        }
        Relationships: [
          {
            foreignKeyName: "estimate_jobs_estimate_id_revision_fkey"
            columns: ["estimate_id", "revision"]
            referencedRelation: "estimate_revisions"
            referencedColumns: ["estimate_id", "revision"]
          },
        ]
      }
      estimate_lines: {
        Row: {
          description: string
          estimate_id: string
          is_taxable: boolean
          job_key: string
          kind: string
          position: number
          quantity_thousandths: number
          revision: number
          subtype: string
          unit_price_cents: number
        }
        Insert: {
          description: string
          estimate_id: string
          is_taxable: boolean
          job_key: string
          kind: string
          position: number
          quantity_thousandths: number
          revision: number
          subtype?: string
          unit_price_cents: number
        }
        Update: {
          description?: string
          estimate_id?: string
          is_taxable?: boolean
          job_key?: string
          kind?: string
          position?: number
          quantity_thousandths?: number
          revision?: number
          subtype?: string
          unit_price_cents?: number
        }
        Relationships: [
          {
            foreignKeyName: "estimate_lines_estimate_id_revision_job_key_fkey"
            columns: ["estimate_id", "revision", "job_key"]
            referencedRelation: "estimate_jobs"
            referencedColumns: ["estimate_id", "revision", "job_key"]
          },
        ]
      }
      estimate_revisions: {
        Row: {
          customer_note: string
          decided_at: string | null
          document: Json | null
          estimate_id: string
          frozen_at: string | null
          good_until: string
          hash: string | null
          revision: number
          seen_at: string | null
          sent_at: string | null
          sent_to: string | null
          tax_rate: number
        }
        Insert: {
          customer_note?: string
          decided_at?: string | null
          document?: Json | null
          estimate_id: string
          frozen_at?: string | null
          good_until: string
          hash?: string | null
          revision: number
          seen_at?: string | null
          sent_at?: string | null
          sent_to?: string | null
          tax_rate: number
        }
        Update: {
          customer_note?: string
          decided_at?: string | null
          document?: Json | null
          estimate_id?: string
          frozen_at?: string | null
          good_until?: string
          hash?: string | null
          revision?: number
          seen_at?: string | null
          sent_at?: string | null
          sent_to?: string | null
          tax_rate?: number
        }
        Relationships: [
          {
            foreignKeyName: "estimate_revisions_estimate_id_fkey"
            columns: ["estimate_id"]
            referencedRelation: "estimates"
            referencedColumns: ["id"]
          },
        ]
      }
      estimate_rules: {
        Row: {
          conditions: string
          epa_number: string
          good_for_days: number
          id: boolean
          labor_rate_cents: number
          payer_sentence: string
          registration_number: string
          version: number
        }
        Insert: {
          conditions?: string
          epa_number?: string
          good_for_days?: number
          id?: boolean
          labor_rate_cents?: number
          payer_sentence?: string
          registration_number?: string
          version?: number
        }
        Update: {
          conditions?: string
          epa_number?: string
          good_for_days?: number
          id?: boolean
          labor_rate_cents?: number
          payer_sentence?: string
          registration_number?: string
          version?: number
        }
        Relationships: []
      }
      estimates: {
        Row: {
          booking_id: string | null
          changed_at: string
          changed_by: string
          created_at: string
          created_by: string
          customer_email: string
          customer_id: string | null
          customer_name: string
          customer_phone: string
          id: string
          internal_note: string
          is_sample: boolean
          kind: string
          link_version: number
          number: string
          odometer_miles: number | null
          payer_approved_cents: number | null
          payer_name: string
          payer_reference: string
          quote_request_id: string | null
          repair_id: string
          search_text: string
          vehicle_id: string | null
          vehicle_make: string
          vehicle_model: string
          vehicle_plate: string
          vehicle_vin: string
          vehicle_year: string
          version: number
        }
        Insert: {
          booking_id?: string | null
          changed_at?: string
          changed_by?: string
          created_at?: string
          created_by?: string
          customer_email?: string
          customer_id?: string | null
          customer_name?: string
          customer_phone?: string
          id?: string
          internal_note?: string
          is_sample?: boolean
          kind?: string
          link_version?: number
          number?: string
          odometer_miles?: number | null
          payer_approved_cents?: number | null
          payer_name?: string
          payer_reference?: string
          quote_request_id?: string | null
          repair_id?: string
          search_text?: never
          vehicle_id?: string | null
          vehicle_make?: string
          vehicle_model?: string
          vehicle_plate?: string
          vehicle_vin?: string
          vehicle_year?: string
          version?: number
        }
        Update: {
          booking_id?: string | null
          changed_at?: string
          changed_by?: string
          created_at?: string
          created_by?: string
          customer_email?: string
          customer_id?: string | null
          customer_name?: string
          customer_phone?: string
          id?: string
          internal_note?: string
          is_sample?: boolean
          kind?: string
          link_version?: number
          number?: string
          odometer_miles?: number | null
          payer_approved_cents?: number | null
          payer_name?: string
          payer_reference?: string
          quote_request_id?: string | null
          repair_id?: string
          search_text?: never
          vehicle_id?: string | null
          vehicle_make?: string
          vehicle_model?: string
          vehicle_plate?: string
          vehicle_vin?: string
          vehicle_year?: string
          version?: number
        }
        Relationships: [
          {
            foreignKeyName: "estimates_booking_id_fkey"
            columns: ["booking_id"]
            referencedRelation: "bookings"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "estimates_booking_id_fkey"
            columns: ["booking_id"]
            referencedRelation: "schedule_conflicts"
            referencedColumns: ["booking_id"]
          },
          {
            foreignKeyName: "estimates_booking_id_fkey"
            columns: ["booking_id"]
            referencedRelation: "technician_bookings"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "estimates_customer_id_fkey"
            columns: ["customer_id"]
            referencedRelation: "customers"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "estimates_quote_request_id_fkey"
            columns: ["quote_request_id"]
            referencedRelation: "quote_requests"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "estimates_vehicle_id_fkey"
            columns: ["vehicle_id"]
            referencedRelation: "vehicles"
            referencedColumns: ["id"]
          },
        ]
      }
      invoice_events: {
        Row: {
          changed_by_name: string
          happened_at: string
          id: number
          invoice_id: string
          kind: string
          reason: string
        }
        Insert: {
          changed_by_name: string
          happened_at?: string
          id?: never
          invoice_id: string
          kind: string
          reason: string
        }
        Update: {
          changed_by_name?: string
          happened_at?: string
          id?: never
          invoice_id?: string
          kind?: string
          reason?: string
        }
        Relationships: []
      }
      invoice_lines: {
        Row: {
          cents: number
          description: string
          invoice_id: string
          position: number
          tax_cents: number
        }
        Insert: {
          cents: number
          description: string
          invoice_id: string
          position: number
          tax_cents: number
        }
        Update: {
          cents?: number
          description?: string
          invoice_id?: string
          position?: number
          tax_cents?: number
        }
        Relationships: [
          {
            foreignKeyName: "invoice_lines_invoice_id_fkey"
            columns: ["invoice_id"]
            referencedRelation: "invoices"
            referencedColumns: ["invoice_id"]
          },
        ]
      }
      invoices: {
        Row: {
          booking_id: string | null
          created_at: string
          currency: string
          customer_id: string | null
          customer_name: string
          due_date: string | null
          invoice_id: string
          is_test: boolean
          number: string | null
          remaining_at_stripe_cents: number | null
          search_text: string
          status: string
          tax_cents: number | null
          total_cents: number
          vehicle_id: string | null
          voided_at: string | null
          written_off_at: string | null
        }
        Insert: {
          booking_id?: string | null
          created_at: string
          currency: string
          customer_id?: string | null
          customer_name: string
          due_date?: string | null
          invoice_id: string
          is_test?: boolean
          number?: string | null
          remaining_at_stripe_cents?: number | null
          search_text?: never
          status: string
          tax_cents?: number | null
          total_cents: number
          vehicle_id?: string | null
          voided_at?: string | null
          written_off_at?: string | null
        }
        Update: {
          booking_id?: string | null
          created_at?: string
          currency?: string
          customer_id?: string | null
          customer_name?: string
          due_date?: string | null
          invoice_id?: string
          is_test?: boolean
          number?: string | null
          remaining_at_stripe_cents?: number | null
          search_text?: never
          status?: string
          tax_cents?: number | null
          total_cents?: number
          vehicle_id?: string | null
          voided_at?: string | null
          written_off_at?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "invoices_booking_id_fkey"
            columns: ["booking_id"]
            referencedRelation: "bookings"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "invoices_booking_id_fkey"
            columns: ["booking_id"]
            referencedRelation: "schedule_conflicts"
            referencedColumns: ["booking_id"]
          },
          {
            foreignKeyName: "invoices_booking_id_fkey"
            columns: ["booking_id"]
            referencedRelation: "technician_bookings"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "invoices_customer_id_fkey"
            columns: ["customer_id"]
            referencedRelation: "customers"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "invoices_vehicle_id_fkey"
            columns: ["vehicle_id"]
            referencedRelation: "vehicles"
            referencedColumns: ["id"]
          },
        ]
      }
      merges: {
        Row: {
          duplicate_id: string
          id: string
          kind: string
          merged_at: string
          merged_by_name: string
          moved_rows: NonNullable<Json>
          parent_merge_id: string | null
          survivor_changes: NonNullable<Json>
          survivor_id: string
          undone_at: string | null
        }
        Insert: {
          duplicate_id: string
          id?: string
          kind: string
          merged_at?: string
          merged_by_name: string
          moved_rows?: NonNullable<Json>
          parent_merge_id?: string | null
          survivor_changes?: NonNullable<Json>
          survivor_id: string
          undone_at?: string | null
        }
        Update: {
          duplicate_id?: string
          id?: string
          kind?: string
          merged_at?: string
          merged_by_name?: string
          moved_rows?: NonNullable<Json>
          parent_merge_id?: string | null
          survivor_changes?: NonNullable<Json>
          survivor_id?: string
          undone_at?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "merges_parent_merge_id_fkey"
            columns: ["parent_merge_id"]
            referencedRelation: "merges"
            referencedColumns: ["id"]
          },
        ]
      }
      non_duplicates: {
        Row: {
          customer_id: string
          other_customer_id: string
        }
        Insert: {
          customer_id: string
          other_customer_id: string
        }
        Update: {
          customer_id?: string
          other_customer_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "non_duplicates_customer_id_fkey"
            columns: ["customer_id"]
            referencedRelation: "customers"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "non_duplicates_other_customer_id_fkey"
            columns: ["other_customer_id"]
            referencedRelation: "customers"
            referencedColumns: ["id"]
          },
        ]
      }
      odometer_readings: {
        Row: {
          booking_id: string | null
          id: string
          miles: number
          read_on: string
          recorded_at: string
          recorded_by_name: string
          vehicle_id: string
        }
        Insert: {
          booking_id?: string | null
          id?: string
          miles: number
          read_on: string
          recorded_at?: string
          recorded_by_name: string
          vehicle_id: string
        }
        Update: {
          booking_id?: string | null
          id?: string
          miles?: number
          read_on?: string
          recorded_at?: string
          recorded_by_name?: string
          vehicle_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "odometer_readings_booking_id_fkey"
            columns: ["booking_id"]
            referencedRelation: "bookings"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "odometer_readings_booking_id_fkey"
            columns: ["booking_id"]
            referencedRelation: "schedule_conflicts"
            referencedColumns: ["booking_id"]
          },
          {
            foreignKeyName: "odometer_readings_booking_id_fkey"
            columns: ["booking_id"]
            referencedRelation: "technician_bookings"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "odometer_readings_vehicle_id_fkey"
            columns: ["vehicle_id"]
            referencedRelation: "vehicles"
            referencedColumns: ["id"]
          },
        ]
      }
      opening_hours: {
        Row: {
          closes_minute: number
          opens_minute: number
          weekday: number
        }
        Insert: {
          closes_minute: number
          opens_minute: number
          weekday: number
        }
        Update: {
          closes_minute?: number
          opens_minute?: number
          weekday?: number
        }
        Relationships: []
      }
      payments: {
        Row: {
          amount_cents: number
          business_date: string
          cause: string | null
          checkout_session_id: string | null
          credit_note_id: string | null
          currency: string
          estimate_id: string | null
          id: string
          invoice_id: string | null
          kind: string
          method: string
          note: string | null
          original_id: string | null
          paid_at: string
          payment_intent_id: string | null
          recorded_at: string
          recorded_by_name: string | null
          reference: string | null
          refund_id: string | null
        }
        Insert: {
          amount_cents: number
          business_date: string
          cause?: string | null
          checkout_session_id?: string | null
          credit_note_id?: string | null
          currency: string
          estimate_id?: string | null
          id?: string
          invoice_id?: string | null
          kind: string
          method: string
          note?: string | null
          original_id?: string | null
          paid_at: string
          payment_intent_id?: string | null
          recorded_at?: string
          recorded_by_name?: string | null
          reference?: string | null
          refund_id?: string | null
        }
        Update: {
          amount_cents?: number
          business_date?: string
          cause?: string | null
          checkout_session_id?: string | null
          credit_note_id?: string | null
          currency?: string
          estimate_id?: string | null
          id?: string
          invoice_id?: string | null
          kind?: string
          method?: string
          note?: string | null
          original_id?: string | null
          paid_at?: string
          payment_intent_id?: string | null
          recorded_at?: string
          recorded_by_name?: string | null
          reference?: string | null
          refund_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "payments_credit_note_id_fkey"
            columns: ["credit_note_id"]
            referencedRelation: "credit_notes"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "payments_original_id_fkey"
            columns: ["original_id"]
            referencedRelation: "payments"
            referencedColumns: ["id"]
          },
        ]
      }
      quote_email_logs: {
        Row: {
          created_at: string
          email_id: string | null
          final_body: string
          id: string
          original_draft: string
          polished_draft: string | null
          quote_request_id: string
          recipient_email: string
          recipient_name: string
          sent_at: string | null
          subject: string
          vehicle_info: string
        }
        Insert: {
          created_at?: string
          email_id?: string | null
          final_body: string
          id?: string
          original_draft?: string
          polished_draft?: string | null
          quote_request_id: string
          recipient_email: string
          recipient_name?: string
          sent_at?: string | null
          subject: string
          vehicle_info?: string
        }
        Update: {
          created_at?: string
          email_id?: string | null
          final_body?: string
          id?: string
          original_draft?: string
          polished_draft?: string | null
          quote_request_id?: string
          recipient_email?: string
          recipient_name?: string
          sent_at?: string | null
          subject?: string
          vehicle_info?: string
        }
        Relationships: [
          {
            foreignKeyName: "quote_email_logs_email_id_fkey"
            columns: ["email_id"]
            referencedRelation: "emails"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "quote_email_logs_quote_request_id_fkey"
            columns: ["quote_request_id"]
            referencedRelation: "quote_requests"
            referencedColumns: ["id"]
          },
        ]
      }
      quote_requests: {
        Row: {
          created_at: string
          customer_id: string | null
          description: string
          email: string
          flagged_reasons: string[]
          id: string
          is_sample: boolean
          looks_automated: boolean | null
          name: string
          phone: string | null
          repair_id: string
          service_type: string | null
          status: string
          vehicle_id: string | null
          vehicle_make: string
          vehicle_model: string
          vehicle_year: string
        }
        Insert: {
          created_at?: string
          customer_id?: string | null
          description: string
          email: string
          flagged_reasons?: string[]
          id?: string
          is_sample?: boolean
          looks_automated?: never
          name: string
          phone?: string | null
          repair_id?: string
          service_type?: string | null
          status?: string
          vehicle_id?: string | null
          vehicle_make: string
          vehicle_model: string
          vehicle_year: string
        }
        Update: {
          created_at?: string
          customer_id?: string | null
          description?: string
          email?: string
          flagged_reasons?: string[]
          id?: string
          is_sample?: boolean
          looks_automated?: never
          name?: string
          phone?: string | null
          repair_id?: string
          service_type?: string | null
          status?: string
          vehicle_id?: string | null
          vehicle_make?: string
          vehicle_model?: string
          vehicle_year?: string
        }
        Relationships: [
          {
            foreignKeyName: "quote_requests_customer_id_fkey"
            columns: ["customer_id"]
            referencedRelation: "customers"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "quote_requests_vehicle_id_fkey"
            columns: ["vehicle_id"]
            referencedRelation: "vehicles"
            referencedColumns: ["id"]
          },
        ]
      }
      replacement_invoices: {
        Row: {
          amount_cents: number
          attempts: number
          id: string
          invoice_id: string | null
          next_attempt_at: string
          original_invoice_id: string
          requested_at: string
          reversal_id: string
        }
        Insert: {
          amount_cents: number
          attempts?: number
          id?: string
          invoice_id?: string | null
          next_attempt_at?: string
          original_invoice_id: string
          requested_at?: string
          reversal_id: string
        }
        Update: {
          amount_cents?: number
          attempts?: number
          id?: string
          invoice_id?: string | null
          next_attempt_at?: string
          original_invoice_id?: string
          requested_at?: string
          reversal_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "replacement_invoices_invoice_id_fkey"
            columns: ["invoice_id"]
            referencedRelation: "invoices"
            referencedColumns: ["invoice_id"]
          },
          {
            foreignKeyName: "replacement_invoices_original_invoice_id_fkey"
            columns: ["original_invoice_id"]
            referencedRelation: "invoices"
            referencedColumns: ["invoice_id"]
          },
          {
            foreignKeyName: "replacement_invoices_reversal_id_fkey"
            columns: ["reversal_id"]
            referencedRelation: "payments"
            referencedColumns: ["id"]
          },
        ]
      }
      services: {
        Row: {
          description: string
          duration_minutes: number
          id: string
          is_active: boolean
          name: string
          position: number | null
          price_from_cents: number | null
          version: number
        }
        Insert: {
          description?: string
          duration_minutes: number
          id?: string
          is_active?: boolean
          name: string
          position?: number | null
          price_from_cents?: number | null
          version?: number
        }
        Update: {
          description?: string
          duration_minutes?: number
          id?: string
          is_active?: boolean
          name?: string
          position?: number | null
          price_from_cents?: number | null
          version?: number
        }
        Relationships: []
      }
      settings_history: {
        Row: {
          action: string
          after: Json | null
          before: Json | null
          changed_at: string
          changed_by_name: string
          id: number
          section: string
          subject: string
        }
        Insert: {
          action: string
          after?: Json | null
          before?: Json | null
          changed_at?: string
          changed_by_name: string
          id?: never
          section: string
          subject: string
        }
        Update: {
          action?: string
          after?: Json | null
          before?: Json | null
          changed_at?: string
          changed_by_name?: string
          id?: never
          section?: string
          subject?: string
        }
        Relationships: []
      }
      settings_versions: {
        Row: {
          section: string
          version: number
        }
        Insert: {
          section: string
          version?: number
        }
        Update: {
          section?: string
          version?: number
        }
        Relationships: []
      }
      shop: {
        Row: {
          appointment_minutes: number
          billing_email: string
          billing_phone: string
          booking_email: string
          business_type: string
          city: string
          country: string
          description: string
          experts_text: string
          id: boolean
          latitude: number | null
          legal_name: string
          links: string[]
          longitude: number | null
          name: string
          phone: string
          postal_code: string
          quote_reply_hours: number
          state: string
          street: string
          support_email: string
          tagline: string
          time_zone: string
          turnaround_text: string
          version: number
          warranty_text: string
        }
        Insert: {
          appointment_minutes: number
          billing_email: string
          billing_phone: string
          booking_email: string
          business_type: string
          city: string
          country: string
          description: string
          experts_text: string
          id?: boolean
          latitude?: number | null
          legal_name: string
          links?: string[]
          longitude?: number | null
          name: string
          phone: string
          postal_code: string
          quote_reply_hours: number
          state: string
          street: string
          support_email: string
          tagline: string
          time_zone: string
          turnaround_text: string
          version?: number
          warranty_text: string
        }
        Update: {
          appointment_minutes?: number
          billing_email?: string
          billing_phone?: string
          booking_email?: string
          business_type?: string
          city?: string
          country?: string
          description?: string
          experts_text?: string
          id?: boolean
          latitude?: number | null
          legal_name?: string
          links?: string[]
          longitude?: number | null
          name?: string
          phone?: string
          postal_code?: string
          quote_reply_hours?: number
          state?: string
          street?: string
          support_email?: string
          tagline?: string
          time_zone?: string
          turnaround_text?: string
          version?: number
          warranty_text?: string
        }
        Relationships: []
      }
      special_hours: {
        Row: {
          bay_id: string | null
          ends_at: string
          id: string
          is_open: boolean
          is_public: boolean
          reason: string
          span: unknown
          starts_at: string
          version: number
        }
        Insert: {
          bay_id?: string | null
          ends_at: string
          id?: string
          is_open?: boolean
          is_public?: boolean
          reason?: string
          span?: never
          starts_at: string
          version?: number
        }
        Update: {
          bay_id?: string | null
          ends_at?: string
          id?: string
          is_open?: boolean
          is_public?: boolean
          reason?: string
          span?: never
          starts_at?: string
          version?: number
        }
        Relationships: [
          {
            foreignKeyName: "special_hours_bay_id_fkey"
            columns: ["bay_id"]
            referencedRelation: "bays"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "special_hours_bay_id_fkey"
            columns: ["bay_id"]
            referencedRelation: "technician_bays"
            referencedColumns: ["id"]
          },
        ]
      }
      staff_accounts: {
        Row: {
          created_at: string
          email: string | null
          employee_id: string | null
          is_active: boolean
          name: string
          needs_code_app: boolean
          role: string
          user_id: string
          username: string
        }
        Insert: {
          created_at?: string
          email?: string | null
          employee_id?: string | null
          is_active?: boolean
          name: string
          needs_code_app?: boolean
          role: string
          user_id: string
          username: string
        }
        Update: {
          created_at?: string
          email?: string | null
          employee_id?: string | null
          is_active?: boolean
          name?: string
          needs_code_app?: boolean
          role?: string
          user_id?: string
          username?: string
        }
        Relationships: [
          {
            foreignKeyName: "staff_accounts_employee_id_fkey"
            columns: ["employee_id"]
            referencedRelation: "employees"
            referencedColumns: ["id"]
          },
        ]
      }
      staff_invitations: {
        Row: {
          account_id: string | null
          created_at: string
          email: string
          expires_at: string
          id: string
          invited_by: string
          name: string
          role: string
          sent_at: string
          taken_back_at: string | null
          token_hash: string
          used_at: string | null
          username: string
        }
        Insert: {
          account_id?: string | null
          created_at?: string
          email: string
          expires_at?: string
          id?: string
          invited_by: string
          name: string
          role: string
          sent_at?: string
          taken_back_at?: string | null
          token_hash: string
          used_at?: string | null
          username: string
        }
        Update: {
          account_id?: string | null
          created_at?: string
          email?: string
          expires_at?: string
          id?: string
          invited_by?: string
          name?: string
          role?: string
          sent_at?: string
          taken_back_at?: string | null
          token_hash?: string
          used_at?: string | null
          username?: string
        }
        Relationships: [
          {
            foreignKeyName: "staff_invitations_account_id_fkey"
            columns: ["account_id"]
            referencedRelation: "staff_accounts"
            referencedColumns: ["user_id"]
          },
          {
            foreignKeyName: "staff_invitations_invited_by_fkey"
            columns: ["invited_by"]
            referencedRelation: "staff_accounts"
            referencedColumns: ["user_id"]
          },
        ]
      }
      task_notes: {
        Row: {
          created_at: string
          created_by: string | null
          created_by_name: string
          id: string
          note: string
          task_id: string
        }
        Insert: {
          created_at?: string
          created_by?: string | null
          created_by_name: string
          id?: string
          note: string
          task_id: string
        }
        Update: {
          created_at?: string
          created_by?: string | null
          created_by_name?: string
          id?: string
          note?: string
          task_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "task_notes_task_id_fkey"
            columns: ["task_id"]
            referencedRelation: "tasks"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "task_notes_task_id_fkey"
            columns: ["task_id"]
            referencedRelation: "technician_tasks"
            referencedColumns: ["id"]
          },
        ]
      }
      task_status_history: {
        Row: {
          changed_by: string | null
          changed_by_name: string
          created_at: string
          id: string
          new_status: string
          note: string | null
          old_status: string
          task_id: string
        }
        Insert: {
          changed_by?: string | null
          changed_by_name: string
          created_at?: string
          id?: string
          new_status: string
          note?: string | null
          old_status: string
          task_id: string
        }
        Update: {
          changed_by?: string | null
          changed_by_name?: string
          created_at?: string
          id?: string
          new_status?: string
          note?: string | null
          old_status?: string
          task_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "task_status_history_task_id_fkey"
            columns: ["task_id"]
            referencedRelation: "tasks"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "task_status_history_task_id_fkey"
            columns: ["task_id"]
            referencedRelation: "technician_tasks"
            referencedColumns: ["id"]
          },
        ]
      }
      tasks: {
        Row: {
          archived_at: string | null
          assigned_to: string | null
          booking_id: string | null
          completed_at: string | null
          created_at: string
          customer_note: string
          description: string
          due_date: string | null
          estimate_id: string | null
          estimate_job_key: string | null
          id: string
          is_sample: boolean
          priority: string
          ready_for_pickup_at: string | null
          status: string
          title: string
          wants_parts_back: boolean | null
        }
        Insert: {
          archived_at?: string | null
          assigned_to?: string | null
          booking_id?: string | null
          completed_at?: string | null
          created_at?: string
          customer_note?: string
          description?: string
          due_date?: string | null
          estimate_id?: string | null
          estimate_job_key?: string | null
          id?: string
          is_sample?: boolean
          priority?: string
          ready_for_pickup_at?: string | null
          status?: string
          title: string
        }
        Update: {
          archived_at?: string | null
          assigned_to?: string | null
          booking_id?: string | null
          completed_at?: string | null
          created_at?: string
          customer_note?: string
          description?: string
          due_date?: string | null
          estimate_id?: string | null
          estimate_job_key?: string | null
          id?: string
          is_sample?: boolean
          priority?: string
          ready_for_pickup_at?: string | null
          status?: string
          title?: string
        }
        Relationships: [
          {
            foreignKeyName: "tasks_assigned_to_fkey"
            columns: ["assigned_to"]
            referencedRelation: "employees"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "tasks_booking_id_fkey"
            columns: ["booking_id"]
            referencedRelation: "bookings"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "tasks_booking_id_fkey"
            columns: ["booking_id"]
            referencedRelation: "schedule_conflicts"
            referencedColumns: ["booking_id"]
          },
          {
            foreignKeyName: "tasks_booking_id_fkey"
            columns: ["booking_id"]
            referencedRelation: "technician_bookings"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "tasks_estimate_id_fkey"
            columns: ["estimate_id"]
            referencedRelation: "estimates"
            referencedColumns: ["id"]
          },
        ]
      }
      tax_rates: {
        Row: {
          effective_from: string
          rate: number
        }
        Insert: {
          effective_from: string
          rate: number
        }
        Update: {
          effective_from?: string
          rate?: number
        }
        Relationships: []
      }
      vehicles: {
        Row: {
          color: string | null
          created_at: string
          customer_id: string
          id: string
          internal_note: string | null
          is_sample: boolean
          make: string | null
          merged_into: string | null
          model: string | null
          plate: string | null
          plate_key: string | null
          search_text: string
          vehicle_key: string | null
          version: number
          vin: string | null
          year: string | null
        }
        Insert: {
          color?: string | null
          created_at?: string
          customer_id: string
          id?: string
          internal_note?: string | null
          is_sample?: boolean
          make?: string | null
          merged_into?: string | null
          model?: string | null
          plate?: string | null
          plate_key?: never
          search_text?: never
          vehicle_key?: never
          version?: number
          vin?: string | null
          year?: string | null
        }
        Update: {
          color?: string | null
          created_at?: string
          customer_id?: string
          id?: string
          internal_note?: string | null
          is_sample?: boolean
          make?: string | null
          merged_into?: string | null
          model?: string | null
          plate?: string | null
          plate_key?: never
          search_text?: never
          vehicle_key?: never
          version?: number
          vin?: string | null
          year?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "vehicles_customer_id_fkey"
            columns: ["customer_id"]
            referencedRelation: "customers"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "vehicles_merged_into_fkey"
            columns: ["merged_into"]
            referencedRelation: "vehicles"
            referencedColumns: ["id"]
          },
        ]
      }
    }
    Views: {
      schedule_conflicts: {
        Row: {
          appointment_date: string | null
          appointment_time: string | null
          bay_id: string | null
          booking_id: string | null
          customer_name: string | null
          customer_phone: string | null
          duration_minutes: number | null
          problem: string | null
          service_name: string | null
        }
        Relationships: [
          {
            foreignKeyName: "bookings_bay_id_fkey"
            columns: ["bay_id"]
            referencedRelation: "bays"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "bookings_bay_id_fkey"
            columns: ["bay_id"]
            referencedRelation: "technician_bays"
            referencedColumns: ["id"]
          },
        ]
      }
      technician_bays: {
        Row: {
          id: string | null
          is_own: boolean | null
          name: string | null
          open: Json | null
          position: number | null
        }
        Insert: {
          id?: string | null
          is_own?: never
          name?: string | null
          open?: never
          position?: number | null
        }
        Update: {
          id?: string | null
          is_own?: never
          name?: string | null
          open?: never
          position?: number | null
        }
        Relationships: []
      }
      technician_bookings: {
        Row: {
          assignment: string | null
          bay_id: string | null
          bay_name: string | null
          ends_at: string | null
          first_name: string | null
          id: string | null
          is_held: boolean | null
          notes: string | null
          service_name: string | null
          starts_at: string | null
          state: string | null
          vehicle_color: string | null
          vehicle_make: string | null
          vehicle_model: string | null
          vehicle_plate: string | null
          vehicle_year: string | null
          version: number | null
        }
        Relationships: [
          {
            foreignKeyName: "bookings_bay_id_fkey"
            columns: ["bay_id"]
            referencedRelation: "bays"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "bookings_bay_id_fkey"
            columns: ["bay_id"]
            referencedRelation: "technician_bays"
            referencedColumns: ["id"]
          },
        ]
      }
      technician_hours: {
        Row: {
          closes_minute: number | null
          opens_minute: number | null
          weekday: number | null
        }
        Insert: {
          closes_minute?: number | null
          opens_minute?: number | null
          weekday?: number | null
        }
        Update: {
          closes_minute?: number | null
          opens_minute?: number | null
          weekday?: number | null
        }
        Relationships: []
      }
      technician_services: {
        Row: {
          duration_minutes: number | null
          id: string | null
          name: string | null
          position: number | null
        }
        Insert: {
          duration_minutes?: number | null
          id?: string | null
          name?: string | null
          position?: number | null
        }
        Update: {
          duration_minutes?: number | null
          id?: string | null
          name?: string | null
          position?: number | null
        }
        Relationships: []
      }
      technician_tasks: {
        Row: {
          booking_id: string | null
          created_at: string | null
          description: string | null
          due_date: string | null
          id: string | null
          is_own: boolean | null
          priority: string | null
          status: string | null
          title: string | null
          vehicle_make: string | null
          vehicle_model: string | null
          vehicle_year: string | null
        }
        Relationships: [
          {
            foreignKeyName: "tasks_booking_id_fkey"
            columns: ["booking_id"]
            referencedRelation: "bookings"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "tasks_booking_id_fkey"
            columns: ["booking_id"]
            referencedRelation: "schedule_conflicts"
            referencedColumns: ["booking_id"]
          },
          {
            foreignKeyName: "tasks_booking_id_fkey"
            columns: ["booking_id"]
            referencedRelation: "technician_bookings"
            referencedColumns: ["id"]
          },
        ]
      }
    }
    Functions: {
      accept_schedule_conflicts: {
        Args: { booking_ids: string[] }
        Returns: string[]
      }
      accept_unconfirmed_email: {
        Args: { booking_id?: string; quote_request_id?: string }
        Returns: string
      }
      add_customer_note: {
        Args: { customer_id: string; note: string }
        Returns: string
      }
      add_task_note: {
        Args: {
          changed_by?: string
          changed_by_name?: string
          note: string
          task_id: string
        }
        Returns: {
          created_at: string
          created_by: string | null
          created_by_name: string
          id: string
          note: string
          task_id: string
        }
        SetofOptions: {
          from: "*"
          to: "task_notes"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      ask_deposit: {
        Args: {
          amount_cents: number
          estimate_id: string
          share_percent: number
        }
        Returns: Json
      }
      book_by_phone: {
        Args: {
          appointment_date: string
          appointment_time: string
          bay_id?: string
          booking_id?: string
          customer_email?: string
          customer_name: string
          customer_phone: string
          minutes?: number
          notes?: string
          reason?: string
          service_id: string
          vehicle_color?: string
          vehicle_make?: string
          vehicle_model?: string
          vehicle_plate?: string
          vehicle_year?: string
          without_bay?: boolean
        }
        Returns: {
          appointment_date: string
          appointment_time: string
          attendance_confirmed_at: string | null
          bay_id: string | null
          calendar_sequence: number
          completed_at: string | null
          completed_by: string | null
          conflict_accepted_at: string | null
          conflict_accepted_by: string | null
          created_at: string
          customer_email: string | null
          customer_id: string | null
          customer_name: string
          customer_phone: string
          duration_minutes: number
          flagged_reasons: string[]
          held_until: string | null
          hold_confirmed_at: string | null
          id: string
          internal_note: string | null
          is_notification_outdated: boolean
          is_sample: boolean
          link_version: number
          notes: string | null
          notified_cancelled: boolean
          notified_starts_at: string
          occupied: unknown
          repair_id: string
          search_text: string
          service_id: string
          service_name: string
          service_price_cents: number | null
          state_changed_at: string
          status: string
          vehicle_color: string | null
          vehicle_id: string | null
          vehicle_make: string | null
          vehicle_model: string | null
          vehicle_year: string | null
          version: number
        }
        SetofOptions: {
          from: "*"
          to: "bookings"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      cancel_bookings: {
        Args: { booking_ids: string[]; reason?: string }
        Returns: {
          id: string
          previous_status: string
        }[]
      }
      change_booking_state: {
        Args: {
          allow_without_bay?: boolean
          booking_id: string
          new_state: string
          reason?: string
          seen_version: number
        }
        Returns: {
          appointment_date: string
          appointment_time: string
          attendance_confirmed_at: string | null
          bay_id: string | null
          calendar_sequence: number
          completed_at: string | null
          completed_by: string | null
          conflict_accepted_at: string | null
          conflict_accepted_by: string | null
          created_at: string
          customer_email: string | null
          customer_id: string | null
          customer_name: string
          customer_phone: string
          duration_minutes: number
          flagged_reasons: string[]
          held_until: string | null
          hold_confirmed_at: string | null
          id: string
          internal_note: string | null
          is_notification_outdated: boolean
          is_sample: boolean
          link_version: number
          notes: string | null
          notified_cancelled: boolean
          notified_starts_at: string
          occupied: unknown
          repair_id: string
          search_text: string
          service_id: string
          service_name: string
          service_price_cents: number | null
          state_changed_at: string
          status: string
          vehicle_color: string | null
          vehicle_id: string | null
          vehicle_make: string | null
          vehicle_model: string | null
          vehicle_year: string | null
          version: number
        }
        SetofOptions: {
          from: "*"
          to: "bookings"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      change_estimate_email: {
        Args: {
          email: string
          estimate_id: string
          reason: string
          seen_version: number
        }
        Returns: Json
      }
      change_vehicle_owner: {
        Args: { customer_id: string; seen_version: number; vehicle_id: string }
        Returns: undefined
      }
      check_booking_time: {
        Args: {
          appointment_date: string
          appointment_time: string
          bay_id?: string
          ignored_booking_id?: string
          minutes?: number
          service_id: string
        }
        Returns: {
          assigned_bay_id: string
          free_times: Json
          in_the_way: string[]
          refusal: string
          warnings: string[]
        }[]
      }
      claim_email: {
        Args: { email_id: string }
        Returns: {
          appointment_at: string | null
          attachments: NonNullable<Json>
          attempts: number
          booking_id: string | null
          created_at: string
          dedupe_key: string
          estimate_id: string | null
          estimate_revision: number | null
          html_body: string
          id: string
          invoice_id: string | null
          kind: string
          last_error: string | null
          leased_until: string | null
          next_attempt_at: string
          provider_message_id: string | null
          quote_request_id: string | null
          recipient_email: string
          recipient_name: string
          resend_count: number
          sent_at: string | null
          status: string
          subject: string
          text_body: string
        }[]
        SetofOptions: {
          from: "*"
          to: "emails"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      clean_up_tasks: { Args: { task_ids: string[] }; Returns: number }
      close_day: { Args: { close: Json }; Returns: string }
      complete_own_task: { Args: { task_id: string }; Returns: undefined }
      correct_close: {
        Args: { amount_cents: number; close_id: string; reason: string }
        Returns: string
      }
      correct_deposit: {
        Args: {
          amount_cents: number
          method: string
          payment_id: string
          reason: string
          reference: string
        }
        Returns: Json
      }
      correct_invoice_price: {
        Args: { amount_cents: number; invoice_id: string; reason: string }
        Returns: Json
      }
      correct_payment: {
        Args: {
          amount_cents: number
          invoice_id: string
          method: string
          payment_id: string
          reason: string
          reference: string
        }
        Returns: Json
      }
      count_open_work: {
        Args: Record<PropertyKey, never>
        Returns: {
          appointments: number
          invoices: number
          needs_attention: boolean
          quotes: number
          tasks: number
        }[]
      }
      create_estimate: { Args: { source: Json }; Returns: Json }
      create_estimate_tasks: {
        Args: { assigned_to?: string; estimate_id: string }
        Returns: number
      }
      delete_canned_job: { Args: { canned_job_id: string }; Returns: undefined }
      delete_customer_note: { Args: { note_id: string }; Returns: undefined }
      delete_estimate: { Args: { estimate_id: string }; Returns: undefined }
      dismiss_notification: {
        Args: { booking_id: string; reason: string; seen_version: number }
        Returns: undefined
      }
      edit_booking: {
        Args: {
          appointment_date: string
          appointment_time: string
          booking_id: string
          contact_change?: string
          customer_email: string
          customer_name: string
          customer_phone: string
          seen_version: number
          service_id: string
          vehicle_color: string
          vehicle_make: string
          vehicle_model: string
          vehicle_plate?: string
          vehicle_year: string
        }
        Returns: {
          appointment_date: string
          appointment_time: string
          attendance_confirmed_at: string | null
          bay_id: string | null
          calendar_sequence: number
          completed_at: string | null
          completed_by: string | null
          conflict_accepted_at: string | null
          conflict_accepted_by: string | null
          created_at: string
          customer_email: string | null
          customer_id: string | null
          customer_name: string
          customer_phone: string
          duration_minutes: number
          flagged_reasons: string[]
          held_until: string | null
          hold_confirmed_at: string | null
          id: string
          internal_note: string | null
          is_notification_outdated: boolean
          is_sample: boolean
          link_version: number
          notes: string | null
          notified_cancelled: boolean
          notified_starts_at: string
          occupied: unknown
          repair_id: string
          search_text: string
          service_id: string
          service_name: string
          service_price_cents: number | null
          state_changed_at: string
          status: string
          vehicle_color: string | null
          vehicle_id: string | null
          vehicle_make: string | null
          vehicle_model: string | null
          vehicle_year: string | null
          version: number
        }
        SetofOptions: {
          from: "*"
          to: "bookings"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      find_bookings: {
        Args: { search: string }
        Returns: {
          appointment_date: string
          appointment_time: string
          attendance_confirmed_at: string | null
          bay_id: string | null
          calendar_sequence: number
          completed_at: string | null
          completed_by: string | null
          conflict_accepted_at: string | null
          conflict_accepted_by: string | null
          created_at: string
          customer_email: string | null
          customer_id: string | null
          customer_name: string
          customer_phone: string
          duration_minutes: number
          flagged_reasons: string[]
          held_until: string | null
          hold_confirmed_at: string | null
          id: string
          internal_note: string | null
          is_notification_outdated: boolean
          is_sample: boolean
          link_version: number
          notes: string | null
          notified_cancelled: boolean
          notified_starts_at: string
          occupied: unknown
          repair_id: string
          search_text: string
          service_id: string
          service_name: string
          service_price_cents: number | null
          state_changed_at: string
          status: string
          vehicle_color: string | null
          vehicle_id: string | null
          vehicle_make: string | null
          vehicle_model: string | null
          vehicle_year: string | null
          version: number
        }[]
        SetofOptions: {
          from: "*"
          to: "bookings"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      find_canned_jobs: { Args: { term?: string }; Returns: Json }
      find_customers: {
        Args: { search: string }
        Returns: {
          appointment_count: number
          customer_email: string
          customer_name: string
          customer_phone: string
          last_appointment: string
          last_service_id: string
          last_service_name: string
          next_appointment: string
          no_shows: number
          vehicles: Json
        }[]
      }
      forms_sent_by: {
        Args: { headers: Json }
        Returns: {
          booking_id: string
          quote_request_id: string
        }[]
      }
      is_time_slot_available: {
        Args: {
          booking_date: string
          booking_time: string
          service?: string
          service_duration: number
        }
        Returns: boolean
      }
      list_estimates: {
        Args: { term?: string; wanted_state?: string }
        Returns: Json
      }
      list_invoices: {
        Args: { filter?: string; max_rows?: number }
        Returns: Json
      }
      list_open_days: {
        Args: { first_date: string; last_date: string; service?: string }
        Returns: {
          bays: Json
          closed_because: string
          day: string
        }[]
      }
      list_other_bookings: {
        Args: { booking_id: string }
        Returns: {
          appointment_date: string
          appointment_time: string
          attendance_confirmed_at: string | null
          bay_id: string | null
          calendar_sequence: number
          completed_at: string | null
          completed_by: string | null
          conflict_accepted_at: string | null
          conflict_accepted_by: string | null
          created_at: string
          customer_email: string | null
          customer_id: string | null
          customer_name: string
          customer_phone: string
          duration_minutes: number
          flagged_reasons: string[]
          held_until: string | null
          hold_confirmed_at: string | null
          id: string
          internal_note: string | null
          is_notification_outdated: boolean
          is_sample: boolean
          link_version: number
          notes: string | null
          notified_cancelled: boolean
          notified_starts_at: string
          occupied: unknown
          repair_id: string
          search_text: string
          service_id: string
          service_name: string
          service_price_cents: number | null
          state_changed_at: string
          status: string
          vehicle_color: string | null
          vehicle_id: string | null
          vehicle_make: string | null
          vehicle_model: string | null
          vehicle_year: string | null
          version: number
        }[]
        SetofOptions: {
          from: "*"
          to: "bookings"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      list_repair_records: { Args: { id: string; kind: string }; Returns: Json }
      list_special_days: {
        Args: Record<PropertyKey, never>
        Returns: {
          bays: Json
          closed_because: string
          day: string
          hours: Json
        }[]
      }
      mark_not_duplicates: {
        Args: { customer_id: string; other_customer_id: string }
        Returns: undefined
      }
      mark_task_ready_for_pickup: {
        Args: {
          changed_by?: string
          changed_by_name?: string
          note?: string
          task_id: string
        }
        Returns: {
          archived_at: string | null
          assigned_to: string | null
          booking_id: string | null
          completed_at: string | null
          created_at: string
          customer_note: string
          description: string
          due_date: string | null
          estimate_id: string | null
          estimate_job_key: string | null
          id: string
          is_sample: boolean
          priority: string
          ready_for_pickup_at: string | null
          status: string
          title: string
        }
        SetofOptions: {
          from: "*"
          to: "tasks"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      merge_customers: {
        Args: {
          duplicate_id: string
          fields_from_duplicate?: string[]
          seen_duplicate_version: number
          seen_survivor_version: number
          survivor_id: string
        }
        Returns: string
      }
      move_booking: {
        Args: {
          appointment_date: string
          appointment_time: string
          bay_id?: string
          booking_id: string
          minutes?: number
          reason?: string
          seen_version: number
          without_bay?: boolean
        }
        Returns: {
          appointment_date: string
          appointment_time: string
          attendance_confirmed_at: string | null
          bay_id: string | null
          calendar_sequence: number
          completed_at: string | null
          completed_by: string | null
          conflict_accepted_at: string | null
          conflict_accepted_by: string | null
          created_at: string
          customer_email: string | null
          customer_id: string | null
          customer_name: string
          customer_phone: string
          duration_minutes: number
          flagged_reasons: string[]
          held_until: string | null
          hold_confirmed_at: string | null
          id: string
          internal_note: string | null
          is_notification_outdated: boolean
          is_sample: boolean
          link_version: number
          notes: string | null
          notified_cancelled: boolean
          notified_starts_at: string
          occupied: unknown
          repair_id: string
          search_text: string
          service_id: string
          service_name: string
          service_price_cents: number | null
          state_changed_at: string
          status: string
          vehicle_color: string | null
          vehicle_id: string | null
          vehicle_make: string | null
          vehicle_model: string | null
          vehicle_year: string | null
          version: number
        }
        SetofOptions: {
          from: "*"
          to: "bookings"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      next_free_times: {
        Args: {
          bay_id?: string
          days?: number
          from_moment?: string
          ignored_booking_id?: string
          max_rows?: number
          minutes?: number
          service_id: string
        }
        Returns: {
          bay_ids: string[]
          free_date: string
          free_time: string
        }[]
      }
      note_declined_after_tear_down: {
        Args: { declined: string; estimate_id: string; job_key: string }
        Returns: undefined
      }
      order_bays: {
        Args: { bay_ids: string[]; seen_version: number }
        Returns: undefined
      }
      order_services: {
        Args: { seen_version: number; service_ids: string[] }
        Returns: number
      }
      preview_erasure: { Args: { customer_id: string }; Returns: Json }
      preview_refund: {
        Args: { amount_cents: number; part_keys: string[]; payment_id: string }
        Returns: Json
      }
      queue_quote_reply: { Args: { log: Json; message: Json }; Returns: string }
      queue_visitor_email: {
        Args: { is_capped?: boolean; message: Json }
        Returns: string
      }
      read_audit: {
        Args: {
          acting_user_id?: string
          before_id?: number
          kinds?: string[]
          search?: string
          since?: string
        }
        Returns: {
          amount_cents: number
          confirmed_with: string
          customer_id: string
          detail: string
          device: string
          happened_at: string
          id: number
          invoice_id: string
          invoice_number: string
          kind: string
          network_address: string
          role: string
          subject_name: string
          user_name: string
        }[]
      }
      read_customer: { Args: { customer_id: string }; Returns: Json }
      read_customer_highlights: {
        Args: { booking_id?: string; customer_id?: string }
        Returns: Json
      }
      read_daily_loads: {
        Args: { days?: number; first_date: string }
        Returns: {
          booking_count: number
          day: string
          open_minutes: number
        }[]
      }
      read_day: { Args: { day: string }; Returns: Json }
      read_day_close: { Args: { close_day: string }; Returns: Json }
      read_deposit: { Args: { estimate_id: string }; Returns: Json }
      read_estimate: { Args: { estimate_id: string }; Returns: Json }
      read_estimate_link: {
        Args: { estimate_id: string; renew?: boolean }
        Returns: string
      }
      read_invoice: { Args: { invoice_id: string }; Returns: Json }
      read_listed_invoice: { Args: { invoice_id: string }; Returns: Json }
      read_quote_email: { Args: { quote_request_id: string }; Returns: string }
      read_today: { Args: Record<PropertyKey, never>; Returns: Json }
      read_vehicle: { Args: { vehicle_id: string }; Returns: Json }
      read_visit_page_link: {
        Args: { booking_id: string; renew?: boolean }
        Returns: string
      }
      record_authorization: {
        Args: {
          contact: string
          decided_at: string
          decided_by_name: string
          decisions: Json
          estimate_id: string
          method: string
          relationship: string
          seen_version: number
          statement: string
          wants_parts_back?: boolean
        }
        Returns: Json
      }
      record_cash_movement: {
        Args: { amount_cents: number; kind: string; reason: string }
        Returns: string
      }
      record_email_failure: {
        Args: { email_id: string; is_final: boolean; reason: string }
        Returns: string
      }
      record_email_sent: {
        Args: { email_id: string; outcome: string; provider_message_id: string }
        Returns: undefined
      }
      record_estimate_odometer: {
        Args: { estimate_id: string; miles: number; seen_version: number }
        Returns: Json
      }
      record_odometer: {
        Args: {
          booking_id?: string
          is_certain?: boolean
          miles: number
          read_on?: string
          vehicle_id: string
        }
        Returns: string
      }
      record_technician_step: {
        Args: { booking_id: string; new_state: string; seen_version: number }
        Returns: number
      }
      remove_odometer_reading: {
        Args: { reading_id: string }
        Returns: undefined
      }
      remove_special_hours: {
        Args: {
          is_preview?: boolean
          seen_version: number
          special_hours_id: string
        }
        Returns: {
          appointment_date: string | null
          appointment_time: string | null
          bay_id: string | null
          booking_id: string | null
          customer_name: string | null
          customer_phone: string | null
          duration_minutes: number | null
          problem: string | null
          service_name: string | null
        }[]
        SetofOptions: {
          from: "*"
          to: "schedule_conflicts"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      rename_canned_job: {
        Args: { canned_job_id: string; new_title: string }
        Returns: undefined
      }
      reopen_bookings: {
        Args: { booking_ids: string[]; new_status?: string }
        Returns: string[]
      }
      return_check: {
        Args: { payment_id: string; reason: string }
        Returns: Json
      }
      return_deposit_check: {
        Args: { payment_id: string; reason: string }
        Returns: Json
      }
      save_bay: {
        Args: {
          bay_id: string
          is_active: boolean
          is_preview?: boolean
          name: string
          seen_version: number
          service_ids: string[]
          technician?: string
        }
        Returns: {
          appointment_date: string
          appointment_time: string
          booking_id: string
          customer_name: string
          new_bay_name: string
          service_name: string
        }[]
      }
      save_booking_note: {
        Args: { booking_id: string; note: string; seen_note?: string }
        Returns: undefined
      }
      save_canned_job: { Args: { job: Json }; Returns: string }
      save_customer: {
        Args: {
          customer_id: string
          email: string
          may_share_email?: boolean
          name: string
          phone: string
          seen_version: number
        }
        Returns: number
      }
      save_estimate: {
        Args: { document: Json; estimate_id: string; seen_version: number }
        Returns: Json
      }
      save_opening_hours: {
        Args: { hours: Json; is_preview?: boolean; seen_version: number }
        Returns: {
          appointment_date: string | null
          appointment_time: string | null
          bay_id: string | null
          booking_id: string | null
          customer_name: string | null
          customer_phone: string | null
          duration_minutes: number | null
          problem: string | null
          service_name: string | null
        }[]
        SetofOptions: {
          from: "*"
          to: "schedule_conflicts"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      save_service: {
        Args: {
          bay_ids: string[]
          description: string
          duration_minutes: number
          is_active: boolean
          name: string
          price_from_cents: number
          seen_version: number
          service_id: string
        }
        Returns: string
      }
      save_special_hours: {
        Args: {
          bay_id: string
          ends_at: string
          is_open: boolean
          is_preview?: boolean
          is_public: boolean
          reason: string
          seen_version: number
          special_hours_id: string
          starts_at: string
        }
        Returns: {
          appointment_date: string | null
          appointment_time: string | null
          bay_id: string | null
          booking_id: string | null
          customer_name: string | null
          customer_phone: string | null
          duration_minutes: number | null
          problem: string | null
          service_name: string | null
        }[]
        SetofOptions: {
          from: "*"
          to: "schedule_conflicts"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      save_vehicle: {
        Args: {
          color: string
          customer_id: string
          make: string
          model: string
          note: string
          plate: string
          seen_version: number
          vehicle_id: string
          vin: string
          year: string
        }
        Returns: string
      }
      search_everything: {
        Args: { max_rows?: number; term: string }
        Returns: Json
      }
      set_customer_reminders: {
        Args: { customer_id: string; gets_reminders: boolean }
        Returns: undefined
      }
      set_task_customer_note: {
        Args: { note: string; task_id: string }
        Returns: undefined
      }
      split_booking: { Args: { booking_id: string }; Returns: string }
      split_vehicle: {
        Args: { seen_version: number; vehicle_id: string }
        Returns: string
      }
      switch_staff_off: {
        Args: { account_id: string; give_tasks_to: string }
        Returns: number
      }
      switch_staff_on: { Args: { account_id: string }; Returns: undefined }
      take_deposit: {
        Args: {
          amount_cents: number
          estimate_id: string
          given_cents: number
          method: string
          note: string
          reference: string
        }
        Returns: Json
      }
      take_payment: {
        Args: {
          amount_cents: number
          given_cents: number
          invoice_id: string
          method: string
          note: string
          reference: string
        }
        Returns: Json
      }
      unmerge: { Args: { merge_id: string }; Returns: undefined }
      update_task_status: {
        Args: {
          changed_by?: string
          changed_by_name?: string
          new_status: string
          note?: string
          seen_status?: string
          task_id: string
        }
        Returns: {
          archived_at: string | null
          assigned_to: string | null
          booking_id: string | null
          completed_at: string | null
          created_at: string
          customer_note: string
          description: string
          due_date: string | null
          estimate_id: string | null
          estimate_job_key: string | null
          id: string
          is_sample: boolean
          priority: string
          ready_for_pickup_at: string | null
          status: string
          title: string
        }
        SetofOptions: {
          from: "*"
          to: "tasks"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      use_todays_tax_rate: {
        Args: { estimate_id: string; seen_version: number }
        Returns: Json
      }
      vehicle_facts: {
        Args: { booking: Database["public"]["Tables"]["bookings"]["Row"] }
        Returns: Json
      }
      visit_page_token: { Args: { booking_id: string }; Returns: string }
      void_invoice: {
        Args: { invoice_id: string; reason: string }
        Returns: Json
      }
      wants_parts_back: {
        Args: { task: Database["public"]["Tables"]["tasks"]["Row"] }
        Returns: boolean
      }
      write_off_invoice: {
        Args: { invoice_id: string; reason: string }
        Returns: Json
      }
    }
    Enums: {
      [_ in never]: never
    }
    CompositeTypes: {
      [_ in never]: never
    }
  }
}

type DatabaseWithoutInternals = Omit<Database, "__InternalSupabase">

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, "public">]

export type Tables<
  DefaultSchemaTableNameOrOptions extends
    | keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
        DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
      DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])[TableName] extends {
      Row: infer R
    }
    ? R
    : never
  : DefaultSchemaTableNameOrOptions extends keyof (DefaultSchema["Tables"] &
        DefaultSchema["Views"])
    ? (DefaultSchema["Tables"] &
        DefaultSchema["Views"])[DefaultSchemaTableNameOrOptions] extends {
        Row: infer R
      }
      ? R
      : never
    : never

export type TablesInsert<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Insert: infer I
    }
    ? I
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
    ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
        Insert: infer I
      }
      ? I
      : never
    : never

export type TablesUpdate<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Update: infer U
    }
    ? U
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
    ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
        Update: infer U
      }
      ? U
      : never
    : never

export type Enums<
  DefaultSchemaEnumNameOrOptions extends
    | keyof DefaultSchema["Enums"]
    | { schema: keyof DatabaseWithoutInternals },
  EnumName extends (DefaultSchemaEnumNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"]
    : never) = never,
> = DefaultSchemaEnumNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"][EnumName]
  : DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema["Enums"]
    ? DefaultSchema["Enums"][DefaultSchemaEnumNameOrOptions]
    : never

export type CompositeTypes<
  PublicCompositeTypeNameOrOptions extends
    | keyof DefaultSchema["CompositeTypes"]
    | { schema: keyof DatabaseWithoutInternals },
  CompositeTypeName extends (PublicCompositeTypeNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"]
    : never) = never,
> = PublicCompositeTypeNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"][CompositeTypeName]
  : PublicCompositeTypeNameOrOptions extends keyof DefaultSchema["CompositeTypes"]
    ? DefaultSchema["CompositeTypes"][PublicCompositeTypeNameOrOptions]
    : never

export const Constants = {
  public: {
    Enums: {},
  },
} as const
