import { type FormEvent, type ReactNode, useRef, useState } from 'react'

import { type ActEnd, type Present, type Refusal, presentOf } from '../api/acts.ts'
import { sentence } from '../format/words.ts'
import { sayInForce } from '../processes/in-force.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Difference } from './Difference.tsx'
import { Field } from './Field.tsx'
import { textOf } from './form.ts'
import { Notice } from './Notice.tsx'
import { type Happened, say } from './toasts.ts'

/** A record with a version; records of the configuration file have no version. */
export type Versioned = object & { readonly version?: number | null }

/** The version that an act expects; empty: any. */
export interface Expected {
  readonly expectedVersion?: number
}

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
  /**
   * What the act changes, as the dialog begins with it. The page may learn of a later version meanwhile: the act is then
   * a conflict, which says what has changed; sent again, the act overrules that change.
   */
  readonly of?: Versioned | undefined
  /** Whether it changes a record that all processes follow: the line after it then says how many have it. Default: true. */
  readonly isOfRecord?: boolean
  /** Does it. `form` has the values of the fields; `reason` is absent if none was given. */
  readonly run: (
    form: FormData,
    reason: string | undefined,
    expected: Expected,
  ) => Promise<ActEnd<Result>>
  /** For the line after it. */
  readonly done: (result: Result) => Happened
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
  of,
  isOfRecord = true,
  run,
  done,
  onDone,
  onClose,
}: ActDialogProps<Result>) {
  const first = useRef<HTMLInputElement>(null)
  const [refusal, setRefusal] = useState<Refusal>()
  const [isBusy, setIsBusy] = useState(false)
  const [typed, setTyped] = useState('')
  const [begun] = useState(of)
  const [version, setVersion] = useState(of?.version)
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
    const expected = typeof version === 'number' ? { expectedVersion: version } : {}
    const end = await attempt(() => run(form, why === '' ? undefined : why, expected)).catch(
      (error: unknown) => ({
        isDone: false as const,
        refusal: { message: String(error) },
      }),
    )
    setIsBusy(false)
    if (!end.isDone) return refuse(end.refusal)
    const { warnings = [], ...happened } = done(end.result)
    const line = say({ ...happened, warnings: [...warnings, ...end.gaps] })
    if (isOfRecord) void sayInForce(line)
    onDone?.(end.result)
    onClose()
  }

  function refuse(refusal: Refusal) {
    setRefusal(refusal)
    const present = presentOf(refusal)
    if (present) setVersion(present.version)
  }

  const present = refusal && presentOf(refusal)
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
        {present && begun && <Changed from={begun} to={present} verb={verb} />}
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

/** What another act has changed since the dialog began. */
function Changed({
  from,
  to: { version: _version, ...to },
  verb,
}: {
  readonly from: Versioned
  readonly to: Present
  readonly verb: string
}) {
  const began = Object.fromEntries(Object.entries(from).filter(([name]) => name in to))
  return (
    <>
      <Difference before={began} after={to} heads={['When you began', 'Now']} />
      <p className="secondary">Press {verb} again to do it all the same.</p>
    </>
  )
}

/** A defect of the page is a refusal too, not a button that does nothing. */
async function attempt<Result>(run: () => Promise<Result>): Promise<Result> {
  return await run()
}

/** Why an act is not done, and what mends it. */
export function RefusalNotice({ refusal }: { readonly refusal: Refusal }) {
  const { message, fix = '', problems = [] } = refusal
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
    </Notice>
  )
}
