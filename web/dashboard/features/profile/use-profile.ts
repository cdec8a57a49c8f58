import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Profile, profileEndpoints } from '#contracts/profile.ts'
import type { Result } from '#domain/result.ts'
import { stepUpOf } from '#web/dashboard/kit/step-up/step-up-of.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'

const queryKey = ['profile']

/** Reads the staff account of the signed-in person and the browsers in which this account is signed in. */
export function useProfile() {
  return useQuery({
    queryKey,
    queryFn: async () => orThrow(await callAsAdmin(profileEndpoints.read)),
  })
}

/**
 * Saves a change of the signed-in person’s staff account. While `confirmation` is set, the component must show the
 * `StepUpDialog`.
 */
export function useProfileChange<Input>(
  send: (input: Input) => Promise<Result<Profile, Error>>,
  onDone: (profile: Profile) => void,
) {
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: async (input: Input) => orThrow(await send(input)),
    onSuccess: (profile) => {
      queries.setQueryData(queryKey, profile)
      onDone(profile)
    },
  })
  const { error, confirmation } = stepUpOf(change)
  return {
    run: change.mutate,
    isBusy: change.isPending,
    /** The message that explains why the server did not save the change; undefined without an error. */
    problem: error ? error.message || 'The server did not respond. Try again.' : undefined,
    confirmation,
  }
}
