import type { NewTask } from '#contracts/tasks.ts'
import {
  defaultTaskPriority,
  taskPriorities,
  type TaskPriority,
} from '#domain/tasks/task-status.ts'
import type { Form } from '#web/lib/forms/use-form.ts'
import { Input, Select, TextArea } from '#web/ui/field/field.tsx'
import { EmployeeOptions } from '#web/dashboard/kit/controls/employee-options.tsx'

export type TaskForm = {
  readonly title: string
  readonly description: string
  readonly priority: TaskPriority
  /** The id of the assigned employee; '' for nobody. */
  readonly assignedTo: string
  /** The due date, yyyy-MM-dd; '' for a task without a due date. */
  readonly dueDate: string
}

export const emptyTaskForm: TaskForm = {
  title: '',
  description: '',
  priority: defaultTaskPriority,
  assignedTo: '',
  dueDate: '',
}

/** The maximum lengths of the title and the description, in characters. */
export const taskFieldLimits = { title: 200, description: 5000 } as const

/** Converts the form to the columns of a new task. */
export function newTaskOf(input: TaskForm): NewTask {
  return {
    title: input.title.trim(),
    description: input.description.trim(),
    priority: input.priority,
    assigned_to: input.assignedTo || null,
    due_date: input.dueDate || null,
  }
}

type Props = {
  form: Form<TaskForm>
  /** An extra field beside the title: the vehicle in the dialog that converts a booking. */
  besideTitle?: React.ReactNode
}

/** The fields of a task, both for a new task and for one created from a booking. */
export function TaskFields({ form: { field, choice }, besideTitle }: Props) {
  return (
    <div className="two-columns task-fields">
      <Input
        {...field('title')}
        label="Task Title"
        required
        className={besideTitle ? undefined : 'full-row'}
      />
      {besideTitle}
      <TextArea {...field('description')} label="Task Description" className="full-row" />
      <Select {...choice('priority')} label="Priority Level">
        {taskPriorities.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <Select {...choice('assignedTo')} label="Assign To Employee">
        <EmployeeOptions />
      </Select>
      <Input {...choice('dueDate')} label="Task Deadline (optional)" type="date" />
    </div>
  )
}
