import { useSession } from '#web/dashboard/features/session/use-session.ts'
import { TasksTab } from '#web/dashboard/features/tasks/tasks-tab.tsx'

export function TasksView() {
  const session = useSession()
  return session.state === 'signed-in' ? <TasksTab author={session.username} /> : null
}
