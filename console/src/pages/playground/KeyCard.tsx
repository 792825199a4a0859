import { type FormEvent, useState } from 'react'

import { act } from '../../api/acts.ts'
import { gatewayNow } from '../../api/clock.ts'
import { useWhyNot } from '../../api/session.ts'
import { ActDialog } from '../../ui/ActDialog.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Field } from '../../ui/Field.tsx'
import { optionalText, textOf, wordsIn } from '../../ui/form.ts'
import { Combobox } from '../../ui/Select.tsx'
import { Countdown } from '../../ui/Time.tsx'
import { useEndOfKey } from './end-of-key.ts'
import { CreatePlaygroundKey } from './operations.generated.ts'

/** A key of the Playground. Its secret is in the memory of the page only. */
export interface PlaygroundKey {
  readonly secret: string
  /** Of a key that the page has made for minutes. Absent: the user has pasted it. */
  readonly made?: { readonly id: string; readonly expiresAt: string }
}

const minuteMs = 60_000

/** The key that calls are made with: pasted, or made for minutes; the page forgets it when it is left. */
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
  const whyNotMake = useWhyNot('createKey')
  useEndOfKey(apiKey?.made, onKey)
  return (
    <Card
      title="Key"
      aside={
        apiKey ? (
          <Button isSmall onClick={() => onKey(undefined)}>
            {apiKey.made ? 'End it' : 'Forget it'}
          </Button>
        ) : undefined
      }
    >
      {apiKey ? (
        <KeyFacts apiKey={apiKey} />
      ) : (
        <div className="playground-key">
          <PasteForm onKey={onKey} />
          <p className="secondary">or</p>
          <div className="row">
            <Button whyNot={whyNotMake} onClick={() => setIsOpen(true)}>
              Make a short-lived key
            </Button>
          </div>
        </div>
      )}
      {isOpen && (
        <ActDialog
          title="Make a key for the Playground"
          verb="Make"
          effect="Its secret stays in the memory of this page. It is revoked when you leave the page or sign out, and expires by itself."
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
            if (key?.expiresAt) onKey({ secret, made: { id: key.id, expiresAt: key.expiresAt } })
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

function KeyFacts({ apiKey: { made, secret } }: { readonly apiKey: PlaygroundKey }) {
  if (!made)
    return (
      <p>
        A pasted key that ends in <span className="mono">{secret.slice(-4)}</span>{' '}
        <span className="muted">is forgotten when you leave the page</span>
      </p>
    )
  return (
    <p>
      <span className="mono">{made.id}</span>{' '}
      <span className="muted">
        ends in <Countdown until={made.expiresAt} />, or when you leave the page
      </span>
    </p>
  )
}

function PasteForm({ onKey }: { readonly onKey: (key: PlaygroundKey) => void }) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    onKey({ secret: textOf(new FormData(event.currentTarget), 'secret') })
  }
  return (
    <form className="playground-paste" onSubmit={submit}>
      <Field
        label="API key"
        name="secret"
        type="password"
        isMono
        required
        minLength={8}
        placeholder="paste the secret of a key"
      />
      <Button type="submit" kind="main">
        Use it
      </Button>
    </form>
  )
}

/** Also without a secure context, in which a browser has no `randomUUID`. */
function newSuffix(): string {
  return crypto.getRandomValues(new Uint32Array(1))[0]!.toString(16).padStart(8, '0')
}
