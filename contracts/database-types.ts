/*
 * Generated from the database by `npm run types`; a test fails when it is stale. Every table, column and
 * function of the schema that the data service offers, as supabase-js reads them.
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
      authorizations: {
        Row: {
          act_id: string
          amount_cents: number
          car_id: string | null
          contact: string
          decision: string
          estimate_id: string
          id: number
          job_key: string
          job_title: string
          link_version: number | null
          method: string
          person: string
          person_id: string | null
          recorded_at: string
          recorded_by: string
          relation: string
          revision: number
          revision_hash: string
          running_total_cents: number
          said_at: string
          wants_parts_back: boolean
          withdraws_id: number | null
          words: string
        }
        Insert: {
          act_id: string
          amount_cents: number
          car_id?: string | null
          contact?: string
          decision: string
          estimate_id: string
          id?: never
          job_key: string
          job_title: string
          link_version?: number | null
          method: string
          person: string
          person_id?: string | null
          recorded_at?: string
          recorded_by: string
          relation?: string
          revision: number
          revision_hash: string
          running_total_cents: number
          said_at: string
          wants_parts_back?: boolean
          withdraws_id?: number | null
          words?: string
        }
        Update: {
          act_id?: string
          amount_cents?: number
          car_id?: string | null
          contact?: string
          decision?: string
          estimate_id?: string
          id?: never
          job_key?: string
          job_title?: string
          link_version?: number | null
          method?: string
          person?: string
          person_id?: string | null
          recorded_at?: string
          recorded_by?: string
          relation?: string
          revision?: number
          revision_hash?: string
          running_total_cents?: number
          said_at?: string
          wants_parts_back?: boolean
          withdraws_id?: number | null
          words?: string
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
            referencedColumns: ["estimate_id", "revision", "key"]
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
            foreignKeyName: "bay_services_service_id_fkey"
            columns: ["service_id"]
            referencedRelation: "services"
            referencedColumns: ["id"]
          },
        ]
      }
      bays: {
        Row: {
          id: string
          is_active: boolean
          name: string
          position: number
          technician: string | null
          version: number
        }
        Insert: {
          id?: string
          is_active?: boolean
          name: string
          position: number
          technician?: string | null
          version?: number
        }
        Update: {
          id?: string
          is_active?: boolean
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
          cancel_cutoff_minutes: number
          change_cutoff_minutes: number
          grid_minutes: number
          horizon_days: number
          id: boolean
          invoice_lookup_asks_email: boolean
          notice_minutes: number
          online_booking_paused: boolean
          pause_sentence: string
          reminder_time: string
          tell_shop_of_changes: boolean
          version: number
        }
        Insert: {
          cancel_cutoff_minutes?: number
          change_cutoff_minutes?: number
          grid_minutes?: number
          horizon_days?: number
          id?: boolean
          invoice_lookup_asks_email?: boolean
          notice_minutes?: number
          online_booking_paused?: boolean
          pause_sentence?: string
          reminder_time?: string
          tell_shop_of_changes?: boolean
          version?: number
        }
        Update: {
          cancel_cutoff_minutes?: number
          change_cutoff_minutes?: number
          grid_minutes?: number
          horizon_days?: number
          id?: boolean
          invoice_lookup_asks_email?: boolean
          notice_minutes?: number
          online_booking_paused?: boolean
          pause_sentence?: string
          reminder_time?: string
          tell_shop_of_changes?: boolean
          version?: number
        }
        Relationships: []
      }
      bookings: {
        Row: {
          answered_at: string | null
          appointment_date: string
          appointment_time: string
          bay_id: string | null
          calendar_sequence: number
          car_id: string | null
          completed_at: string | null
          completed_by: string | null
          created_at: string
          customer_email: string | null
          customer_name: string
          customer_phone: string
          duration_minutes: number
          flagged_reasons: string[]
          held_until: string | null
          hold_confirmed_at: string | null
          id: string
          is_notification_outdated: boolean
          is_sample: boolean
          kept_at: string | null
          kept_by: string | null
          link_version: number
          notes: string | null
          notified_cancelled: boolean
          notified_starts_at: string
          occupied: unknown
          person_id: string | null
          search_text: string
          service_id: string
          service_name: string
          service_price_cents: number | null
          shop_note: string | null
          state_since: string
          status: string
          thread_id: string
          vehicle_color: string | null
          vehicle_make: string | null
          vehicle_model: string | null
          vehicle_year: string | null
          version: number
          vehicle_facts: Json | null
        }
        Insert: {
          answered_at?: string | null
          appointment_date: string
          appointment_time: string
          bay_id?: string | null
          calendar_sequence?: number
          car_id?: string | null
          completed_at?: string | null
          completed_by?: string | null
          created_at?: string
          customer_email?: string | null
          customer_name: string
          customer_phone: string
          duration_minutes: number
          flagged_reasons?: string[]
          held_until?: string | null
          hold_confirmed_at?: string | null
          id?: string
          is_notification_outdated?: never
          is_sample?: boolean
          kept_at?: string | null
          kept_by?: string | null
          link_version?: number
          notes?: string | null
          notified_cancelled?: boolean
          notified_starts_at: string
          occupied?: never
          person_id?: string | null
          search_text?: string
          service_id: string
          service_name: string
          service_price_cents?: number | null
          shop_note?: string | null
          state_since?: string
          status?: string
          thread_id?: string
          vehicle_color?: string | null
          vehicle_make?: string | null
          vehicle_model?: string | null
          vehicle_year?: string | null
          version?: number
        }
        Update: {
          answered_at?: string | null
          appointment_date?: string
          appointment_time?: string
          bay_id?: string | null
          calendar_sequence?: number
          car_id?: string | null
          completed_at?: string | null
          completed_by?: string | null
          created_at?: string
          customer_email?: string | null
          customer_name?: string
          customer_phone?: string
          duration_minutes?: number
          flagged_reasons?: string[]
          held_until?: string | null
          hold_confirmed_at?: string | null
          id?: string
          is_notification_outdated?: never
          is_sample?: boolean
          kept_at?: string | null
          kept_by?: string | null
          link_version?: number
          notes?: string | null
          notified_cancelled?: boolean
          notified_starts_at?: string
          occupied?: never
          person_id?: string | null
          search_text?: string
          service_id?: string
          service_name?: string
          service_price_cents?: number | null
          shop_note?: string | null
          state_since?: string
          status?: string
          thread_id?: string
          vehicle_color?: string | null
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
            foreignKeyName: "bookings_car_id_fkey"
            columns: ["car_id"]
            referencedRelation: "cars"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "bookings_person_id_fkey"
            columns: ["person_id"]
            referencedRelation: "people"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "bookings_service_id_fkey"
            columns: ["service_id"]
            referencedRelation: "services"
            referencedColumns: ["id"]
          },
        ]
      }
      cars: {
        Row: {
          car_key: string | null
          color: string | null
          created_at: string
          id: string
          is_sample: boolean
          make: string | null
          merged_into: string | null
          model: string | null
          note: string | null
          person_id: string
          plate: string | null
          plate_key: string | null
          search_text: string
          version: number
          vin: string | null
          year: string | null
        }
        Insert: {
          car_key?: never
          color?: string | null
          created_at?: string
          id?: string
          is_sample?: boolean
          make?: string | null
          merged_into?: string | null
          model?: string | null
          note?: string | null
          person_id: string
          plate?: string | null
          plate_key?: never
          search_text?: never
          version?: number
          vin?: string | null
          year?: string | null
        }
        Update: {
          car_key?: never
          color?: string | null
          created_at?: string
          id?: string
          is_sample?: boolean
          make?: string | null
          merged_into?: string | null
          model?: string | null
          note?: string | null
          person_id?: string
          plate?: string | null
          plate_key?: never
          search_text?: never
          version?: number
          vin?: string | null
          year?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "cars_merged_into_fkey"
            columns: ["merged_into"]
            referencedRelation: "cars"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "cars_person_id_fkey"
            columns: ["person_id"]
            referencedRelation: "people"
            referencedColumns: ["id"]
          },
        ]
      }
      closures: {
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
            foreignKeyName: "closures_bay_id_fkey"
            columns: ["bay_id"]
            referencedRelation: "bays"
            referencedColumns: ["id"]
          },
        ]
      }
      different_people: {
        Row: {
          other_id: string
          person_id: string
        }
        Insert: {
          other_id: string
          person_id: string
        }
        Update: {
          other_id?: string
          person_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "different_people_other_id_fkey"
            columns: ["other_id"]
            referencedRelation: "people"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "different_people_person_id_fkey"
            columns: ["person_id"]
            referencedRelation: "people"
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
          resends: number
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
          resends?: number
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
          resends?: number
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
            referencedRelation: "misfits"
            referencedColumns: ["booking_id"]
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
          erased_at: string
          erased_by_name: string
          id: string
          kept: NonNullable<Json>
          kept_until: string | null
          person_id: string
        }
        Insert: {
          counts: NonNullable<Json>
          erased_at?: string
          erased_by_name: string
          id?: string
          kept: NonNullable<Json>
          kept_until?: string | null
          person_id: string
        }
        Update: {
          counts?: NonNullable<Json>
          erased_at?: string
          erased_by_name?: string
          id?: string
          kept?: NonNullable<Json>
          kept_until?: string | null
          person_id?: string
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
          estimate_id: string
          is_needed: boolean
          key: string
          measure: Json | null
          plain_words: string
          position: number
          revision: number
          title: string
        }
        Insert: {
          estimate_id: string
          is_needed: boolean
          key: string
          measure?: Json | null
          plain_words: string
          position: number
          revision: number
          title: string
        }
        Update: {
          estimate_id?: string
          is_needed?: boolean
          key?: string
          measure?: Json | null
          plain_words?: string
          position?: number
          revision?: number
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
          detail: string
          estimate_id: string
          is_taxable: boolean
          job_key: string
          kind: string
          position: number
          revision: number
          thousandths: number
          unit_cents: number
        }
        Insert: {
          description: string
          detail?: string
          estimate_id: string
          is_taxable: boolean
          job_key: string
          kind: string
          position: number
          revision: number
          thousandths: number
          unit_cents: number
        }
        Update: {
          description?: string
          detail?: string
          estimate_id?: string
          is_taxable?: boolean
          job_key?: string
          kind?: string
          position?: number
          revision?: number
          thousandths?: number
          unit_cents?: number
        }
        Relationships: [
          {
            foreignKeyName: "estimate_lines_estimate_id_revision_job_key_fkey"
            columns: ["estimate_id", "revision", "job_key"]
            referencedRelation: "estimate_jobs"
            referencedColumns: ["estimate_id", "revision", "key"]
          },
        ]
      }
      estimate_revisions: {
        Row: {
          answered_at: string | null
          customer_note: string
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
          answered_at?: string | null
          customer_note?: string
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
          answered_at?: string | null
          customer_note?: string
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
          registration_number: string
          version: number
        }
        Insert: {
          conditions?: string
          epa_number?: string
          good_for_days?: number
          id?: boolean
          labor_rate_cents?: number
          registration_number?: string
          version?: number
        }
        Update: {
          conditions?: string
          epa_number?: string
          good_for_days?: number
          id?: boolean
          labor_rate_cents?: number
          registration_number?: string
          version?: number
        }
        Relationships: []
      }
      estimates: {
        Row: {
          booking_id: string | null
          car_id: string | null
          changed_at: string
          changed_by: string
          created_at: string
          created_by: string
          customer_email: string
          customer_name: string
          customer_phone: string
          id: string
          internal_note: string
          is_sample: boolean
          link_version: number
          number: string
          odometer_miles: number | null
          person_id: string | null
          quote_request_id: string | null
          search_text: string
          thread_id: string
          vehicle_make: string
          vehicle_model: string
          vehicle_plate: string
          vehicle_vin: string
          vehicle_year: string
          version: number
        }
        Insert: {
          booking_id?: string | null
          car_id?: string | null
          changed_at?: string
          changed_by?: string
          created_at?: string
          created_by?: string
          customer_email?: string
          customer_name?: string
          customer_phone?: string
          id?: string
          internal_note?: string
          is_sample?: boolean
          link_version?: number
          number?: string
          odometer_miles?: number | null
          person_id?: string | null
          quote_request_id?: string | null
          search_text?: never
          thread_id?: string
          vehicle_make?: string
          vehicle_model?: string
          vehicle_plate?: string
          vehicle_vin?: string
          vehicle_year?: string
          version?: number
        }
        Update: {
          booking_id?: string | null
          car_id?: string | null
          changed_at?: string
          changed_by?: string
          created_at?: string
          created_by?: string
          customer_email?: string
          customer_name?: string
          customer_phone?: string
          id?: string
          internal_note?: string
          is_sample?: boolean
          link_version?: number
          number?: string
          odometer_miles?: number | null
          person_id?: string | null
          quote_request_id?: string | null
          search_text?: never
          thread_id?: string
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
            referencedRelation: "misfits"
            referencedColumns: ["booking_id"]
          },
          {
            foreignKeyName: "estimates_car_id_fkey"
            columns: ["car_id"]
            referencedRelation: "cars"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "estimates_person_id_fkey"
            columns: ["person_id"]
            referencedRelation: "people"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "estimates_quote_request_id_fkey"
            columns: ["quote_request_id"]
            referencedRelation: "quote_requests"
            referencedColumns: ["id"]
          },
        ]
      }
      invoice_links: {
        Row: {
          booking_id: string | null
          car_id: string | null
          currency: string
          customer_name: string
          invoice_id: string
          made_at: string
          number: string | null
          person_id: string | null
          search_text: string
          status: string
          total_cents: number
        }
        Insert: {
          booking_id?: string | null
          car_id?: string | null
          currency: string
          customer_name: string
          invoice_id: string
          made_at: string
          number?: string | null
          person_id?: string | null
          search_text?: never
          status: string
          total_cents: number
        }
        Update: {
          booking_id?: string | null
          car_id?: string | null
          currency?: string
          customer_name?: string
          invoice_id?: string
          made_at?: string
          number?: string | null
          person_id?: string | null
          search_text?: never
          status?: string
          total_cents?: number
        }
        Relationships: [
          {
            foreignKeyName: "invoice_links_booking_id_fkey"
            columns: ["booking_id"]
            referencedRelation: "bookings"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "invoice_links_booking_id_fkey"
            columns: ["booking_id"]
            referencedRelation: "misfits"
            referencedColumns: ["booking_id"]
          },
          {
            foreignKeyName: "invoice_links_car_id_fkey"
            columns: ["car_id"]
            referencedRelation: "cars"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "invoice_links_person_id_fkey"
            columns: ["person_id"]
            referencedRelation: "people"
            referencedColumns: ["id"]
          },
        ]
      }
      kept_jobs: {
        Row: {
          id: string
          is_sample: boolean
          job: NonNullable<Json>
          kept_at: string
          title: string
        }
        Insert: {
          id?: string
          is_sample?: boolean
          job: NonNullable<Json>
          kept_at?: string
          title: string
        }
        Update: {
          id?: string
          is_sample?: boolean
          job?: NonNullable<Json>
          kept_at?: string
          title?: string
        }
        Relationships: []
      }
      odometer_readings: {
        Row: {
          booking_id: string | null
          car_id: string
          id: string
          miles: number
          read_on: string
          recorded_at: string
          recorded_by_name: string
        }
        Insert: {
          booking_id?: string | null
          car_id: string
          id?: string
          miles: number
          read_on: string
          recorded_at?: string
          recorded_by_name: string
        }
        Update: {
          booking_id?: string | null
          car_id?: string
          id?: string
          miles?: number
          read_on?: string
          recorded_at?: string
          recorded_by_name?: string
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
            referencedRelation: "misfits"
            referencedColumns: ["booking_id"]
          },
          {
            foreignKeyName: "odometer_readings_car_id_fkey"
            columns: ["car_id"]
            referencedRelation: "cars"
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
          checkout_session_id: string | null
          currency: string
          id: string
          invoice_id: string
          invoice_number: string | null
          outcome: string
          overpaid_cents: number
          paid_at: string
          payment_intent_id: string
          recorded_at: string
          refund_id: string | null
        }
        Insert: {
          amount_cents: number
          checkout_session_id?: string | null
          currency: string
          id?: string
          invoice_id: string
          invoice_number?: string | null
          outcome: string
          overpaid_cents?: number
          paid_at: string
          payment_intent_id: string
          recorded_at?: string
          refund_id?: string | null
        }
        Update: {
          amount_cents?: number
          checkout_session_id?: string | null
          currency?: string
          id?: string
          invoice_id?: string
          invoice_number?: string | null
          outcome?: string
          overpaid_cents?: number
          paid_at?: string
          payment_intent_id?: string
          recorded_at?: string
          refund_id?: string | null
        }
        Relationships: []
      }
      people: {
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
            foreignKeyName: "people_merged_into_fkey"
            columns: ["merged_into"]
            referencedRelation: "people"
            referencedColumns: ["id"]
          },
        ]
      }
      person_contacts: {
        Row: {
          confirmed_at: string | null
          confirmed_by_name: string | null
          created_at: string
          id: number
          key: string
          kind: string
          person_id: string
          value: string
        }
        Insert: {
          confirmed_at?: string | null
          confirmed_by_name?: string | null
          created_at?: string
          id?: never
          key: string
          kind: string
          person_id: string
          value: string
        }
        Update: {
          confirmed_at?: string | null
          confirmed_by_name?: string | null
          created_at?: string
          id?: never
          key?: string
          kind?: string
          person_id?: string
          value?: string
        }
        Relationships: [
          {
            foreignKeyName: "person_contacts_person_id_fkey"
            columns: ["person_id"]
            referencedRelation: "people"
            referencedColumns: ["id"]
          },
        ]
      }
      person_notes: {
        Row: {
          created_at: string
          id: string
          note: string
          person_id: string
          written_by_name: string
        }
        Insert: {
          created_at?: string
          id?: string
          note: string
          person_id: string
          written_by_name: string
        }
        Update: {
          created_at?: string
          id?: string
          note?: string
          person_id?: string
          written_by_name?: string
        }
        Relationships: [
          {
            foreignKeyName: "person_notes_person_id_fkey"
            columns: ["person_id"]
            referencedRelation: "people"
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
          car_id: string | null
          created_at: string
          description: string
          email: string
          flagged_reasons: string[]
          id: string
          is_sample: boolean
          looks_automated: boolean | null
          name: string
          person_id: string | null
          phone: string | null
          service_type: string | null
          status: string
          thread_id: string
          vehicle_make: string
          vehicle_model: string
          vehicle_year: string
        }
        Insert: {
          car_id?: string | null
          created_at?: string
          description: string
          email: string
          flagged_reasons?: string[]
          id?: string
          is_sample?: boolean
          looks_automated?: never
          name: string
          person_id?: string | null
          phone?: string | null
          service_type?: string | null
          status?: string
          thread_id?: string
          vehicle_make: string
          vehicle_model: string
          vehicle_year: string
        }
        Update: {
          car_id?: string | null
          created_at?: string
          description?: string
          email?: string
          flagged_reasons?: string[]
          id?: string
          is_sample?: boolean
          looks_automated?: never
          name?: string
          person_id?: string | null
          phone?: string | null
          service_type?: string | null
          status?: string
          thread_id?: string
          vehicle_make?: string
          vehicle_model?: string
          vehicle_year?: string
        }
        Relationships: [
          {
            foreignKeyName: "quote_requests_car_id_fkey"
            columns: ["car_id"]
            referencedRelation: "cars"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "quote_requests_person_id_fkey"
            columns: ["person_id"]
            referencedRelation: "people"
            referencedColumns: ["id"]
          },
        ]
      }
      record_merges: {
        Row: {
          before: NonNullable<Json>
          gone_id: string
          id: string
          kept_id: string
          kind: string
          merged_at: string
          merged_by_name: string
          moved: NonNullable<Json>
          part_of: string | null
          undone_at: string | null
        }
        Insert: {
          before?: NonNullable<Json>
          gone_id: string
          id?: string
          kept_id: string
          kind: string
          merged_at?: string
          merged_by_name: string
          moved?: NonNullable<Json>
          part_of?: string | null
          undone_at?: string | null
        }
        Update: {
          before?: NonNullable<Json>
          gone_id?: string
          id?: string
          kept_id?: string
          kind?: string
          merged_at?: string
          merged_by_name?: string
          moved?: NonNullable<Json>
          part_of?: string | null
          undone_at?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "record_merges_part_of_fkey"
            columns: ["part_of"]
            referencedRelation: "record_merges"
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
          city: string
          country: string
          id: boolean
          kind: string
          latitude: number | null
          lead: string
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
          version: number
        }
        Insert: {
          appointment_minutes: number
          billing_email: string
          billing_phone: string
          booking_email: string
          city: string
          country: string
          id?: boolean
          kind: string
          latitude?: number | null
          lead: string
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
          version?: number
        }
        Update: {
          appointment_minutes?: number
          billing_email?: string
          billing_phone?: string
          booking_email?: string
          city?: string
          country?: string
          id?: boolean
          kind?: string
          latitude?: number | null
          lead?: string
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
          version?: number
        }
        Relationships: []
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
            referencedRelation: "misfits"
            referencedColumns: ["booking_id"]
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
    }
    Views: {
      misfits: {
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
        ]
      }
    }
    Functions: {
      add_person_note: {
        Args: { note: string; person_id: string }
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
      book_by_phone: {
        Args: {
          appointment_date: string
          appointment_time: string
          bay_id?: string
          booking_id?: string
          customer_email?: string
          customer_name: string
          customer_phone: string
          leave_unplaced?: boolean
          minutes?: number
          notes?: string
          reason?: string
          service_id: string
          vehicle_color?: string
          vehicle_make?: string
          vehicle_model?: string
          vehicle_year?: string
        }
        Returns: {
          answered_at: string | null
          appointment_date: string
          appointment_time: string
          bay_id: string | null
          calendar_sequence: number
          car_id: string | null
          completed_at: string | null
          completed_by: string | null
          created_at: string
          customer_email: string | null
          customer_name: string
          customer_phone: string
          duration_minutes: number
          flagged_reasons: string[]
          held_until: string | null
          hold_confirmed_at: string | null
          id: string
          is_notification_outdated: boolean
          is_sample: boolean
          kept_at: string | null
          kept_by: string | null
          link_version: number
          notes: string | null
          notified_cancelled: boolean
          notified_starts_at: string
          occupied: unknown
          person_id: string | null
          search_text: string
          service_id: string
          service_name: string
          service_price_cents: number | null
          shop_note: string | null
          state_since: string
          status: string
          thread_id: string
          vehicle_color: string | null
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
          booking_id: string
          expected_version: number
          may_leave_unplaced?: boolean
          new_state: string
          reason?: string
        }
        Returns: {
          answered_at: string | null
          appointment_date: string
          appointment_time: string
          bay_id: string | null
          calendar_sequence: number
          car_id: string | null
          completed_at: string | null
          completed_by: string | null
          created_at: string
          customer_email: string | null
          customer_name: string
          customer_phone: string
          duration_minutes: number
          flagged_reasons: string[]
          held_until: string | null
          hold_confirmed_at: string | null
          id: string
          is_notification_outdated: boolean
          is_sample: boolean
          kept_at: string | null
          kept_by: string | null
          link_version: number
          notes: string | null
          notified_cancelled: boolean
          notified_starts_at: string
          occupied: unknown
          person_id: string | null
          search_text: string
          service_id: string
          service_name: string
          service_price_cents: number | null
          shop_note: string | null
          state_since: string
          status: string
          thread_id: string
          vehicle_color: string | null
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
      check_booking_time: {
        Args: {
          appointment_date: string
          appointment_time: string
          bay_id?: string
          for_booking?: string
          minutes?: number
          service_id: string
        }
        Returns: {
          free_times: Json
          in_the_way: string[]
          placed_in: string
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
          resends: number
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
      create_estimate: { Args: { source: Json }; Returns: Json }
      create_estimate_tasks: { Args: { estimate_id: string }; Returns: number }
      delete_estimate: { Args: { estimate_id: string }; Returns: undefined }
      dismiss_notification: {
        Args: { booking_id: string; expected_version: number; reason: string }
        Returns: undefined
      }
      find_bookings: {
        Args: { search: string }
        Returns: {
          answered_at: string | null
          appointment_date: string
          appointment_time: string
          bay_id: string | null
          calendar_sequence: number
          car_id: string | null
          completed_at: string | null
          completed_by: string | null
          created_at: string
          customer_email: string | null
          customer_name: string
          customer_phone: string
          duration_minutes: number
          flagged_reasons: string[]
          held_until: string | null
          hold_confirmed_at: string | null
          id: string
          is_notification_outdated: boolean
          is_sample: boolean
          kept_at: string | null
          kept_by: string | null
          link_version: number
          notes: string | null
          notified_cancelled: boolean
          notified_starts_at: string
          occupied: unknown
          person_id: string | null
          search_text: string
          service_id: string
          service_name: string
          service_price_cents: number | null
          shop_note: string | null
          state_since: string
          status: string
          thread_id: string
          vehicle_color: string | null
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
      find_customers: {
        Args: { search: string }
        Returns: {
          cars: Json
          customer_email: string
          customer_name: string
          customer_phone: string
          last_service_id: string
          last_service_name: string
          last_visit: string
          next_visit: string
          no_shows: number
          visits: number
        }[]
      }
      find_kept_jobs: { Args: { term?: string }; Returns: Json }
      forget_contact: { Args: { contact_id: number }; Returns: undefined }
      forget_kept_job: { Args: { kept_id: string }; Returns: undefined }
      forms_sent_by: {
        Args: { headers: Json }
        Returns: {
          booking_id: string
          quote_request_id: string
        }[]
      }
      give_car: {
        Args: { car_id: string; expected_version: number; person_id: string }
        Returns: undefined
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
      keep_bookings: { Args: { booking_ids: string[] }; Returns: string[] }
      keep_job: { Args: { job: Json }; Returns: string }
      keep_people_apart: {
        Args: { other_id: string; person_id: string }
        Returns: undefined
      }
      list_estimates: {
        Args: { term?: string; wanted_state?: string }
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
      list_special_days: {
        Args: Record<PropertyKey, never>
        Returns: {
          bays: Json
          closed_because: string
          day: string
          hours: Json
        }[]
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
      merge_cars: {
        Args: {
          gone_id: string
          gone_version: number
          kept_id: string
          kept_version: number
        }
        Returns: string
      }
      merge_people: {
        Args: {
          from_gone?: string[]
          gone_id: string
          gone_version: number
          kept_id: string
          kept_version: number
        }
        Returns: string
      }
      move_booking: {
        Args: {
          appointment_date: string
          appointment_time: string
          bay_id?: string
          booking_id: string
          expected_version: number
          leave_unplaced?: boolean
          minutes?: number
          reason?: string
        }
        Returns: {
          answered_at: string | null
          appointment_date: string
          appointment_time: string
          bay_id: string | null
          calendar_sequence: number
          car_id: string | null
          completed_at: string | null
          completed_by: string | null
          created_at: string
          customer_email: string | null
          customer_name: string
          customer_phone: string
          duration_minutes: number
          flagged_reasons: string[]
          held_until: string | null
          hold_confirmed_at: string | null
          id: string
          is_notification_outdated: boolean
          is_sample: boolean
          kept_at: string | null
          kept_by: string | null
          link_version: number
          notes: string | null
          notified_cancelled: boolean
          notified_starts_at: string
          occupied: unknown
          person_id: string | null
          search_text: string
          service_id: string
          service_name: string
          service_price_cents: number | null
          shop_note: string | null
          state_since: string
          status: string
          thread_id: string
          vehicle_color: string | null
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
          for_booking?: string
          from_moment?: string
          minutes?: number
          most?: number
          service_id: string
        }
        Returns: {
          bay_ids: string[]
          free_date: string
          free_time: string
        }[]
      }
      note_booking: {
        Args: { booking_id: string; note: string; seen?: string }
        Returns: undefined
      }
      note_email_failed: {
        Args: { email_id: string; is_final: boolean; reason: string }
        Returns: string
      }
      note_email_left: {
        Args: { email_id: string; outcome: string; provider_message_id: string }
        Returns: undefined
      }
      note_odometer: {
        Args: {
          booking_id?: string
          car_id: string
          is_certain?: boolean
          miles: number
          read_on?: string
        }
        Returns: string
      }
      order_bays: {
        Args: { bay_ids: string[]; expected_version: number }
        Returns: undefined
      }
      order_services: {
        Args: { expected_version: number; service_ids: string[] }
        Returns: number
      }
      queue_quote_reply: { Args: { log: Json; message: Json }; Returns: string }
      queue_visitor_email: {
        Args: { is_capped?: boolean; message: Json }
        Returns: string
      }
      read_car: { Args: { car_id: string }; Returns: Json }
      read_day: { Args: { day: string }; Returns: Json }
      read_erasure: { Args: { person_id: string }; Returns: Json }
      read_estimate: { Args: { estimate_id: string }; Returns: Json }
      read_estimate_link: {
        Args: { estimate_id: string; renew?: boolean }
        Returns: string
      }
      read_facts: {
        Args: { booking_id?: string; person_id?: string }
        Returns: Json
      }
      read_loads: {
        Args: { days?: number; first_date: string }
        Returns: {
          cars: number
          day: string
          open_minutes: number
        }[]
      }
      read_past_visits: {
        Args: { booking_id: string }
        Returns: {
          answered_at: string | null
          appointment_date: string
          appointment_time: string
          bay_id: string | null
          calendar_sequence: number
          car_id: string | null
          completed_at: string | null
          completed_by: string | null
          created_at: string
          customer_email: string | null
          customer_name: string
          customer_phone: string
          duration_minutes: number
          flagged_reasons: string[]
          held_until: string | null
          hold_confirmed_at: string | null
          id: string
          is_notification_outdated: boolean
          is_sample: boolean
          kept_at: string | null
          kept_by: string | null
          link_version: number
          notes: string | null
          notified_cancelled: boolean
          notified_starts_at: string
          occupied: unknown
          person_id: string | null
          search_text: string
          service_id: string
          service_name: string
          service_price_cents: number | null
          shop_note: string | null
          state_since: string
          status: string
          thread_id: string
          vehicle_color: string | null
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
      read_person: { Args: { person_id: string }; Returns: Json }
      read_quote_email: { Args: { quote_request_id: string }; Returns: string }
      read_thread: { Args: { id: string; kind: string }; Returns: Json }
      read_today: { Args: Record<PropertyKey, never>; Returns: Json }
      read_visit_link: {
        Args: { booking_id: string; renew?: boolean }
        Returns: string
      }
      record_authorization: {
        Args: {
          contact: string
          decisions: Json
          estimate_id: string
          method: string
          person: string
          relation: string
          said_at: string
          seen_version: number
          wants_parts_back?: boolean
          words: string
        }
        Returns: Json
      }
      remove_closure: {
        Args: {
          closure_id: string
          expected_version: number
          is_preview?: boolean
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
          to: "misfits"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      remove_odometer_reading: {
        Args: { reading_id: string }
        Returns: undefined
      }
      remove_person_note: { Args: { note_id: string }; Returns: undefined }
      rename_kept_job: {
        Args: { kept_id: string; new_title: string }
        Returns: undefined
      }
      reopen_bookings: {
        Args: { booking_ids: string[]; new_status?: string }
        Returns: string[]
      }
      save_bay: {
        Args: {
          bay_id: string
          expected_version: number
          is_active: boolean
          is_preview?: boolean
          name: string
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
      save_car: {
        Args: {
          car_id: string
          color: string
          expected_version: number
          make: string
          model: string
          note: string
          person_id: string
          plate: string
          vin: string
          year: string
        }
        Returns: string
      }
      save_closure: {
        Args: {
          bay_id: string
          closure_id: string
          ends_at: string
          expected_version: number
          is_open: boolean
          is_preview?: boolean
          is_public: boolean
          reason: string
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
          to: "misfits"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      save_estimate: {
        Args: { document: Json; estimate_id: string; seen_version: number }
        Returns: Json
      }
      save_opening_hours: {
        Args: { expected_version: number; hours: Json; is_preview?: boolean }
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
          to: "misfits"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      save_person: {
        Args: {
          email: string
          expected_version: number
          may_share_email?: boolean
          name: string
          person_id: string
          phone: string
        }
        Returns: number
      }
      save_service: {
        Args: {
          bay_ids: string[]
          description: string
          duration_minutes: number
          expected_version: number
          is_active: boolean
          name: string
          price_from_cents: number
          service_id: string
        }
        Returns: string
      }
      search_everything: {
        Args: { most?: number; term: string }
        Returns: Json
      }
      set_reminders: {
        Args: { gets_reminders: boolean; person_id: string }
        Returns: undefined
      }
      somebody_waits: { Args: Record<PropertyKey, never>; Returns: boolean }
      split_booking: { Args: { booking_id: string }; Returns: string }
      split_car: {
        Args: { car_id: string; expected_version: number }
        Returns: string
      }
      tell_customer_of_task: {
        Args: { note: string; task_id: string }
        Returns: undefined
      }
      undo_merge: { Args: { merge_id: string }; Returns: undefined }
      update_task_status: {
        Args: {
          changed_by?: string
          changed_by_name?: string
          expected_status?: string
          new_status: string
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
      use_todays_tax_rate: {
        Args: { estimate_id: string; seen_version: number }
        Returns: Json
      }
      use_typed_email: {
        Args: { booking_id?: string; quote_request_id?: string }
        Returns: string
      }
      vehicle_facts: {
        Args: { booking: Database["public"]["Tables"]["bookings"]["Row"] }
        Returns: Json
      }
      visit_token: { Args: { booking_id: string }; Returns: string }
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
