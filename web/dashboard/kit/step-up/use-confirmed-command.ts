import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CommandEndpoint } from '#contracts/commands/command.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import { runCommand } from '#web/lib/data/run-command.ts'

/** A command that waits until staff confirmed their password. */
export type Confirmation = {
  /** Sends the same command again, with the same command id. */
  readonly onConfirmed: () => void
  readonly onCancel: () => void
}

/**
 * Runs a command that may ask for the password first. While `confirmation` is set, show the
 * `StepUpDialog`. `subject` begins the keys of the queries that the command changes.
 */
export function useConfirmedCommand<Input, Output>(
  endpoint: CommandEndpoint<Input, Output>,
  subject: string,
  onDone: (result: Output, input: Input) => void,
) {
  const queries = useQueryClient()
  const [waiting, setWaiting] = useState<{ readonly input: Input }>()
  const command = useMutation({
    mutationFn: (input: Input) => runCommand(endpoint, input),
    onSuccess: onDone,
    onError: (error, input) => {
      if (isConfirmationRequired(error)) setWaiting({ input })
    },
    onSettled: (_result, error) =>
      isConfirmationRequired(error) ? undefined : refetchQueries(queries, subject),
  })
  const confirmation: Confirmation | undefined = waiting && {
    onConfirmed: () => {
      setWaiting(undefined)
      command.mutate(waiting.input)
    },
    onCancel: () => setWaiting(undefined),
  }
  return {
    run: command.mutate,
    isBusy: command.isPending,
    /** The error of the last attempt; null when the attempt only needs the password. */
    error: isConfirmationRequired(command.error) ? null : command.error,
    confirmation,
  }
}

const isConfirmationRequired = (error: Error | null) =>
  error instanceof DataError && error.code === 'STEP_UP_REQUIRED'
