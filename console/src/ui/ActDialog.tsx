import { type FormEvent, type ReactNode, useRef, useState } from 'react'

import { type ActEnd, type Refusal, presentOf } from '../api/acts.ts'
import { sentence } from '../format/words.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Field } from './Field.tsx'
import { textOf } from './form.ts'
import { Notice } from './Notice.tsx'
import { PresentFacts } from './PresentFacts.tsx'
import { say } from './toasts.ts'

/** Properties of `ActDialog`. */
export interface ActDialogProps<Result> {
  /** Names the act and its object: `Disable openai-eu`. */
  readonly title: ReactNode
  /** The button that does it: the verb again. */
  readonly verb: string
  /** What happens, with counts. */
  readonly effect?: ReactNode
  /** Whether the act takes something away. */
  readonly isDangerous?: boolean
  readonly reason?: 'required' | 'optional' | 'none'
  /** The worst acts ask for this name to be typed. */
  readonly confirmName?: string | undefined
  /** Fields of the act, between its effect and the reason. */
  readonly children?: ReactNode
  readonly isWide?: boolean
  /** Does it. `form` has the values of the fields; `reason` is absent if none was given. */
  readonly run: (form: FormData, reason: string | undefined) => Promise<ActEnd<Result>>
  /** What happened, for the line after it, and the target in the audit log: `account/openai-eu`. */
  readonly done: (result: Result) => { readonly text: string; readonly target?: string }
  /** After it is done, before the dialog closes. */
  readonly onDone?: (result: Result) => void
  readonly onClose: () => void
}

/** Asks before an act: what it does, why, and shows a refusal with what mends it. Nothing is shown as done before it is. */
export function ActDialog<Result>({
  title,
  verb,
  effect,
  isDangerous = false,
  reason = 'optional',
  confirmName,
  children,
  isWide = false,
  run,
  done,
  onDone,
  onClose,
}: ActDialogProps<Result>) {
  const first = useRef<HTMLInputElement>(null)
  const [refusal, setRefusal] = useState<Refusal>()
  const [isBusy, setIsBusy] = useState(false)
  const [typed, setTyped] = useState('')
  const isConfirmed = confirmName === undefined || typed === confirmName

  // What needs a reason begins with it; what has fields ends with it.
  const isReasonFirst = reason === 'required' || (reason === 'optional' && children === undefined)
  const field = reason !== 'none' && (
    <Field
      ref={first}
      label="Reason"
      name="reason"
      required={reason === 'required'}
      maxLength={500}
      hint={reason === 'required' ? 'For the audit log.' : 'For the audit log. Optional.'}
    />
  )

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy || !isConfirmed) return
    const form = new FormData(event.currentTarget)
    setIsBusy(true)
    setRefusal(undefined)
    const why = textOf(form, 'reason')
    const end = await attempt(() => run(form, why === '' ? undefined : why)).catch(
      (error: unknown) => ({
        isDone: false as const,
        refusal: { message: String(error) },
      }),
    )
    setIsBusy(false)
    if (!end.isDone) return setRefusal(end.refusal)
    say(done(end.result))
    onDone?.(end.result)
    onClose()
  }

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      description={effect}
      isWide={isWide}
      {...(isReasonFirst && { focus: first })}
    >
      <form className="form" onSubmit={(event) => void submit(event)}>
        {isReasonFirst && field}
        {children}
        {!isReasonFirst && field}
        {confirmName !== undefined && (
          <Field
            label={
              <>
                Type <span className="mono">{confirmName}</span> to confirm
              </>
            }
            isMono
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
        {refusal && <RefusalNotice refusal={refusal} />}
        <div className="dialog-acts">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            kind={isDangerous ? 'confirm' : 'main'}
            disabled={isBusy || !isConfirmed}
          >
            {verb}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** A defect of the page is a refusal too, not a button that does nothing. */
async function attempt<Result>(run: () => Promise<Result>): Promise<Result> {
  return await run()
}

/** Why an act is not done, and what mends it. */
export function RefusalNotice({ refusal }: { readonly refusal: Refusal }) {
  const { message, fix = '', problems = [] } = refusal
  const present = presentOf(refusal)
  return (
    <Notice tone="bad">
      <p>
        {sentence(message)} {sentence(fix)}
      </p>
      {problems.map(({ path, message, fix }) => (
        <p key={`${path} ${message}`}>
          {path !== '' && <code>{path}</code>} {path === '' ? sentence(message) : `${message}.`}{' '}
          {sentence(fix)}
        </p>
      ))}
      {present && <PresentFacts present={present} />}
    </Notice>
  )
}
