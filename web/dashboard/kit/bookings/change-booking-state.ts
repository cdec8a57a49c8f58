import { requestData } from '#web/lib/data/request-data.ts'

/**
 * Sets the state of an appointment if nobody changed it since the user read it, and returns the new version. The reason is
 * recorded in the booking's history.
 */
export async function changeBookingState(
  { id, version }: { readonly id: string; readonly version: number },
  state: string,
  reason?: string,
): Promise<number> {
  const { data } = await requestData((service) =>
    service.rpc('change_booking_state', {
      booking_id: id,
      new_state: state,
      seen_version: version,
      ...(reason ? { reason } : {}),
    }),
  )
  return data.version
}
