export function TasksTab() {
  return <h2>Tasks</h2>
}
