import { useState, type ReactNode } from 'react'
import { Badge } from '#web/ui/badge/badge.tsx'
import { Button, type ButtonLevel } from '#web/ui/button/button.tsx'
import { ConfirmDialog, Dialog, SidePanel } from '#web/ui/dialog/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state/empty-state.tsx'
import { Input, Select, TextArea } from '#web/ui/field/field.tsx'
import { dashboardIconPaths } from '#web/ui/icon/dashboard-icon-paths.ts'
import { iconPaths } from '#web/ui/icon/icon-paths.ts'
import { addIcons, Icon, type IconName } from '#web/ui/icon/icon.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { PageHead, PageMain } from '#web/ui/page-main/page-main.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import '#web/site/features/booking/time/available-times.css'
import '#web/ui/badge/badge.css'
import '#web/ui/button/compact-button.css'
import '#web/ui/skeleton/spinner.css'
import './component-gallery.css'

/**
 * Shows every component in its states, for developers who change a component. The build contains this page only with
 * SANDBOX_UI=1.
 */
export function ComponentGalleryPage() {
  return (
    <PageMain className="page-width inner-page sandbox">
      <PageHead title="Components">Every state a page can be in.</PageHead>
      <Row title="Color">
        {colors.map((name) => (
          <span key={name} className="swatch" data-name={name}>
            {name}
          </span>
        ))}
      </Row>
      <Row title="Buttons">
        <Button level="primary">Confirm Appointment</Button>
        <Button>Find Invoice</Button>
        <Button level="quiet">Cancel</Button>
        <Button level="danger">Delete</Button>
        <Button level="primary" busy="Confirming...">
          Confirm Appointment
        </Button>
        <Button disabled>Disabled</Button>
      </Row>
      <CompactButtons />
      <Badges />
      <Toasts />
      <Overlays />
      <Row title="Loading">
        <div className="time-slots">
          {['a', 'b', 'c', 'd'].map((key) => (
            <Skeleton key={key} className="time-slot-skeleton" />
          ))}
        </div>
        <span className="spinner" /> Verifying payment...
      </Row>
      <Row title="Empty and error">
        <EmptyState title="No Services Available">
          Please check back later or contact us directly.
        </EmptyState>
        <Notice tone="bad" title="Invoice not found.">
          Check the number at the top of your invoice, or call us.
        </Notice>
        <Notice tone="good" title="We received your request.">
          We'll reply to dana@example.com.
        </Notice>
        <Notice tone="warn" title="This time is taken.">
          The next free time is 2:00 PM. <Button compact>2:00 PM</Button>
        </Notice>
        <Notice title="Secure Payment">A receipt by email is included.</Notice>
      </Row>
      <Fields />
      <Row title="Icons">
        {iconNames.map((name) => (
          <span key={name} className="glyph">
            <Icon name={name} />
            {name}
          </span>
        ))}
      </Row>
    </PageMain>
  )
}

addIcons(dashboardIconPaths)
const iconNames = Object.keys({ ...iconPaths, ...dashboardIconPaths }) as IconName[]

const colors = [
  'ground',
  'surface',
  'sunken',
  'sky',
  'sky-soft',
  'ink',
  'muted',
  'line-strong',
  'signal',
  'signal-text',
  'band',
  'draw-soft',
]

function Row({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="specimen">
      <h2>{title}</h2>
      <div className="specimen-row">{children}</div>
    </section>
  )
}

const levels: readonly ButtonLevel[] = ['primary', 'strong', 'secondary', 'quiet', 'danger']

/** The buttons of the dashboard. */
function CompactButtons() {
  return (
    <Row title="Compact buttons">
      {levels.map((level) => (
        <Button key={level} compact level={level}>
          {level}
        </Button>
      ))}
      {levels.map((level) => (
        <Button key={level} compact small level={level}>
          small {level}
        </Button>
      ))}
      <Button compact large level="primary">
        large
      </Button>
      <Button compact square level="quiet" aria-label="Remove">
        <Icon name="close" />
      </Button>
      <Button compact busy="Saving…">
        Save
      </Button>
      <Button compact disabled>
        disabled
      </Button>
    </Row>
  )
}

function Badges() {
  return (
    <Row title="Badges">
      <Badge>Low</Badge>
      <Badge tone="info">Confirmed</Badge>
      <Badge tone="warn">Pending</Badge>
      <Badge tone="violet">Waiting on Customer</Badge>
      <Badge tone="danger">Urgent</Badge>
      <Badge tone="ring">Cancelled</Badge>
      <Badge tone="ok" caps>
        Completed
      </Badge>
      <Badge tone="solid">Ready for Pickup</Badge>
      <Badge tone="strong">In work</Badge>
    </Row>
  )
}

function Toasts() {
  return (
    <Row title="Toasts">
      <Button
        onClick={() =>
          toast({
            title: 'Quote Request Submitted!',
            description: "We'll contact you within 24 hours with your personalized quote.",
          })
        }
      >
        Good news
      </Button>
      <Button
        onClick={() =>
          toast({
            title: 'Booking Failed',
            description: 'There was an error creating your booking. Please try again.',
            variant: 'destructive',
          })
        }
      >
        Bad news
      </Button>
    </Row>
  )
}

function Overlays() {
  const [open, setOpen] = useState<'dialog' | 'panel' | 'confirm' | null>(null)
  const close = () => setOpen(null)
  return (
    <Row title="Dialogs and side panel">
      <Button onClick={() => setOpen('dialog')}>Open dialog</Button>
      <Button onClick={() => setOpen('panel')}>Open side panel</Button>
      <Button onClick={() => setOpen('confirm')}>Open confirmation</Button>
      <Dialog
        open={open === 'dialog'}
        onClose={close}
        title="Reply to Quote Request"
        footer={
          <>
            <Button level="quiet" onClick={close}>
              Cancel
            </Button>
            <Button level="primary" onClick={() => toast({ title: 'Email Sent' })}>
              Send Email
            </Button>
          </>
        }
      >
        <Input label="Subject" required defaultValue="Quote for Brake Service" />
        <TextArea label="Email Content" rows={12} />
      </Dialog>
      <SidePanel
        open={open === 'panel'}
        onClose={close}
        title="Add Note"
        footer={<Button onClick={close}>Save Note</Button>}
      >
        <TextArea label="Note" rows={5} />
      </SidePanel>
      <ConfirmDialog
        open={open === 'confirm'}
        onClose={close}
        title="Delete Quote Request"
        confirmLabel="Delete"
        onConfirm={close}
      >
        <p>This action cannot be undone.</p>
      </ConfirmDialog>
    </Row>
  )
}

function Fields() {
  return (
    <section className="specimen">
      <h2>Fields</h2>
      <div className="two-columns">
        <Input label="Full Name" required autoComplete="name" />
        <Input
          label="Email Address"
          required
          defaultValue="dana.whitfield"
          error="Please enter a valid email address."
        />
        <Input label="Invoice Number" hint="The number is at the top of your invoice." />
        <Select label="Type of Service">
          <option>Choose a service (optional)</option>
          <option>Brake Service</option>
        </Select>
        <TextArea className="full-row" label="Additional Notes" rows={4} />
      </div>
    </section>
  )
}
