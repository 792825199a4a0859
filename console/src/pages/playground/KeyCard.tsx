import { useEffect, useState } from 'react'

import { act } from '../../api/acts.ts'
import { gatewayNow } from '../../api/clock.ts'
import { ActDialog } from '../../ui/ActDialog.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Field } from '../../ui/Field.tsx'
import { optionalText, textOf, wordsIn } from '../../ui/form.ts'
import { Combobox } from '../../ui/Select.tsx'
import { Countdown } from '../../ui/Time.tsx'
import { CreatePlaygroundKey, RevokePlaygroundKey } from './operations.generated.ts'

/** A key of the Playground. Its secret is in the memory of the page only. */
export interface PlaygroundKey {
  readonly id: string
  readonly secret: string
  readonly expiresAt: string
}

const minuteMs = 60_000

/** The key that calls are made with: it lives for minutes, and ends with the page. */
export function KeyCard({
  apiKey,
  onKey,
  models,
  teams,
}: {
  readonly apiKey: PlaygroundKey | undefined
  readonly onKey: (key: PlaygroundKey | undefined) => void
  readonly models: readonly string[]
  readonly teams: readonly string[]
}) {
  const [isOpen, setIsOpen] = useState(false)
  const { id, expiresAt } = apiKey ?? {}
  useEffect(() => {
    if (id === undefined || expiresAt === undefined) return
    const timer = setTimeout(
      () => onKey(undefined),
      Math.max(0, Date.parse(expiresAt) - gatewayNow()),
    )
    return () => {
      clearTimeout(timer)
      void end(id)
    }
  }, [id, expiresAt, onKey])
  return (
    <Card
      title="Key"
      aside={
        apiKey ? (
          <Button isSmall onClick={() => onKey(undefined)}>
            End it
          </Button>
        ) : undefined
      }
    >
      {apiKey ? (
        <p>
          <span className="mono">{apiKey.id}</span>{' '}
          <span className="muted">
            ends in <Countdown until={apiKey.expiresAt} />, or when you go to another page
          </span>
        </p>
      ) : (
        <div className="row">
          <Button kind="main" onClick={() => setIsOpen(true)}>
            Make a key for minutes
          </Button>
        </div>
      )}
      {isOpen && (
        <ActDialog
          title="Make a key for the Playground"
          verb="Make"
          effect="Its secret stays in the memory of this page. It is revoked when you go to another page, and expires by itself."
          run={(form, reason) => {
            const minutes = Number(textOf(form, 'minutes'))
            const permitted = wordsIn(textOf(form, 'models'))
            return act(CreatePlaygroundKey, {
              input: {
                id: `playground-${newSuffix()}`,
                expiresAt: new Date(gatewayNow() + minutes * minuteMs).toISOString(),
                explain: true,
                ...optionalText('team', textOf(form, 'team')),
                ...(permitted.length > 0 && { models: permitted }),
                ...optionalText('reason', reason),
              },
            })
          }}
          onDone={({ key, secret }) => {
            if (key?.expiresAt) onKey({ id: key.id, secret, expiresAt: key.expiresAt })
          }}
          done={({ key }) => ({
            text: `The key ${key?.id ?? ''} is made.`,
            ...(key && { target: key.id }),
          })}
          onClose={() => setIsOpen(false)}
        >
          <div className="form-pair">
            <Combobox label="Team" name="team" options={teams} placeholder="none" />
            <Field
              label="Minutes"
              name="minutes"
              type="number"
              min="1"
              max="60"
              required
              defaultValue="10"
            />
          </div>
          <Combobox
            label="Models"
            name="models"
            options={models}
            placeholder="all"
            hint="Names and patterns, separated by spaces. Empty: all that the team may use."
          />
        </ActDialog>
      )}
    </Card>
  )
}

/** Also without a secure context, in which a browser has no `randomUUID`. */
function newSuffix(): string {
  return crypto.getRandomValues(new Uint32Array(1))[0]!.toString(16).padStart(8, '0')
}

/** It expires by itself, should this not succeed. */
async function end(id: string): Promise<void> {
  await act(RevokePlaygroundKey, { input: { id, reason: 'The Playground was left.' } })
}
