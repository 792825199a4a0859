import { useState } from 'react'

import { act } from '../../api/acts.ts'
import { useWhyNot } from '../../api/session.ts'
import { ActDialog } from '../../ui/ActDialog.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Field } from '../../ui/Field.tsx'
import { optionalText, textOf } from '../../ui/form.ts'
import { Table } from '../../ui/Table.tsx'
import { Countdown, Time } from '../../ui/Time.tsx'
import { type ConfigurationPageQuery, StartCapture, StopCapture } from './operations.generated.ts'

type Capture = NonNullable<ConfigurationPageQuery['captures']>[number]

/** Captures of requests and replies: which are on, and for how long? */
export function CapturesCard({
  captures,
  onDone,
  ...rest
}: {
  readonly captures: readonly Capture[] | undefined
  readonly isLoading: boolean
  readonly isWhole: boolean
  readonly onDone: () => void
}) {
  const [open, setOpen] = useState<'start' | Capture>()
  const whyNot = useWhyNot('startCapture')
  const dialog = { onClose: () => setOpen(undefined), onDone }
  return (
    <Card
      isFlush
      title="Captures"
      aside={
        <Button isSmall whyNot={whyNot} onClick={() => setOpen('start')}>
          Start a capture
        </Button>
      }
    >
      <Table
        {...rest}
        label="Captures"
        rows={captures}
        rowKey={({ id }) => id}
        empty={
          <Empty title="No capture is on">
            A capture writes the requests and replies of a key to files of the gateway, for minutes.
            The configuration must permit it.
          </Empty>
        }
        columns={[
          {
            id: 'capture',
            head: 'Capture',
            isHead: true,
            cell: ({ id, startedBy, startedAt }) => (
              <>
                <span className="mono">{id}</span>
                <p className="secondary">
                  by {startedBy} since <Time at={startedAt} />
                </p>
              </>
            ),
          },
          {
            id: 'of',
            head: 'Of',
            cell: ({ keyId, accountId, model }) =>
              [`key ${keyId}`, accountId && `account ${accountId}`, model]
                .filter(Boolean)
                .join(', '),
          },
          { id: 'ends', head: 'Ends in', cell: ({ endsAt }) => <Countdown until={endsAt} /> },
          {
            id: 'acts',
            head: <span className="hidden-label">Acts</span>,
            isNumber: true,
            cell: (capture) => (
              <Button
                isSmall
                whyNot={whyNot}
                aria-label={`Stop ${capture.id}`}
                onClick={() => setOpen(capture)}
              >
                Stop
              </Button>
            ),
          },
        ]}
      />
      {open === 'start' && <Start {...dialog} />}
      {open !== undefined && open !== 'start' && (
        <ActDialog
          {...dialog}
          title={`Stop ${open.id}`}
          verb="Stop"
          isOfRecord={false}
          effect="It ends within two seconds, in all processes. Its files stay."
          run={(_, reason) =>
            act(StopCapture, { input: { id: open.id, ...optionalText('reason', reason) } })
          }
          done={() => ({ text: 'The capture has ended.', target: open.id })}
        />
      )}
    </Card>
  )
}

function Start(props: { readonly onClose: () => void; readonly onDone: () => void }) {
  return (
    <ActDialog
      {...props}
      title="Start a capture"
      verb="Start"
      isOfRecord={false}
      reason="required"
      isDangerous
      effect="What clients of the key send and get is written to files of the gateway, with its content. It ends by itself."
      run={(form, reason = '') =>
        act(StartCapture, {
          input: {
            keyId: textOf(form, 'keyId'),
            minutes: Number(textOf(form, 'minutes')),
            exchanges: Number(textOf(form, 'exchanges')),
            ...optionalText('accountId', textOf(form, 'accountId')),
            ...optionalText('model', textOf(form, 'model')),
            reason,
          },
        })
      }
      done={() => ({ text: 'The capture is on.' })}
    >
      <Field label="Key" name="keyId" required isMono />
      <div className="form-pair">
        <Field label="Only the account" name="accountId" isMono placeholder="all" />
        <Field label="Only the model" name="model" isMono placeholder="all" />
        <Field label="Minutes" name="minutes" type="number" min="1" max="60" defaultValue="5" />
        <Field
          label="Calls of each process, at most"
          name="exchanges"
          type="number"
          min="1"
          max="1000"
          defaultValue="100"
        />
      </div>
    </ActDialog>
  )
}
