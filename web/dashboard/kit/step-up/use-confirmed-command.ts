import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { CommandEndpoint } from '#contracts/commands/command.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { runCommand } from '#web/lib/data/run-command.ts'
import { isStepUpRequired, stepUpOf } from './step-up-of.ts'

/**
 * Runs a command that may require step-up authentication. While `confirmation` is set, show the `StepUpDialog`. After
 * the step-up, the command is sent again with the same command id. `subject` is the start of the keys of the queries
 * that are refetched after the command.
 */
export function useConfirmedCommand<Input, Output>(
  endpoint: CommandEndpoint<Input, Output>,
  subject: string,
  onDone: (result: Output, input: Input) => void,
) {
  const queries = useQueryClient()
  const command = useMutation({
    mutationFn: (input: Input) => runCommand(endpoint, input),
    onSuccess: onDone,
    onSettled: (_result, error) =>
      isStepUpRequired(error) ? undefined : refetchQueries(queries, subject),
  })
  return { run: command.mutate, isBusy: command.isPending, ...stepUpOf(command) }
}
