import { useQuery } from '@tanstack/react-query'
import { defaultTaskPriority, taskPriorities, type TaskPriority } from '#domain/task-status.ts'
import { Input, Select, TextArea } from '#web/ui/field.tsx'
import { listEmployees } from './tasks-api.ts'

export type TaskForm = {
  readonly title: string
  readonly description: string
  readonly priority: TaskPriority
  /** An employee's id, or empty. */
  readonly assignedTo: string
  /** yyyy-MM-dd, or empty. */
  readonly dueDate: string
}

export const emptyTaskForm: TaskForm = {
  title: '',
  description: '',
  priority: defaultTaskPriority,
  assignedTo: '',
  dueDate: '',
}

type Props = {
  form: TaskForm
  onChange: (form: TaskForm) => void
  titleError?: string | undefined
  /** A field beside the title, as the conversion has for the car. */
  besideTitle?: React.ReactNode
}

/** The fields of a task, the same for a new one and for one made from an appointment. */
export function TaskFields({ form, onChange, titleError, besideTitle }: Props) {
  const employees = useQuery({ queryKey: ['employees'], queryFn: listEmployees, staleTime: 60_000 })
  const set = (change: Partial<TaskForm>) => onChange({ ...form, ...change })
  return (
    <div className="grid2 task-fields">
      <Input
        label="Task Title"
        required
        className={besideTitle ? undefined : 'span2'}
        maxLength={200}
        value={form.title}
        onChange={(event) => set({ title: event.target.value })}
        error={titleError}
      />
      {besideTitle}
      <TextArea
        label="Task Description"
        className="span2"
        maxLength={5000}
        value={form.description}
        onChange={(event) => set({ description: event.target.value })}
      />
      <Select
        label="Priority Level"
        value={form.priority}
        onChange={(event) => set({ priority: event.target.value as TaskPriority })}
      >
        {taskPriorities.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <Select
        label="Assign To Employee"
        value={form.assignedTo}
        onChange={(event) => set({ assignedTo: event.target.value })}
      >
        <option value="">Nobody yet</option>
        {employees.data?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <Input
        label="Task Deadline (optional)"
        type="date"
        value={form.dueDate}
        onChange={(event) => set({ dueDate: event.target.value })}
      />
    </div>
  )
}
